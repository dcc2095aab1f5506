//! What people write credentials like, and what they write that is none.

use super::*;
use crate::transcript::Frame;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

/// Nobody's, and known by nothing but what stands around it.
const DRAWN: &str = "q7Xk2mVw9TzB4nRp6LsD8fGh";

fn left(value: &Value) -> String {
    Redactor::default().line(&value.to_string()).into_owned()
}

#[test]
fn a_name_of_any_kind_tells_of_one() {
    for name in [
        "AWS_SECRET_ACCESS_KEY", "secretAccessKey", "SecretAccessKey", "access_key", "accessKey",
        "GITHUB_TOKEN", "API_TOKEN", "bot_token", "id_token", "idToken", "token", "authToken",
        "sessionToken", "x-amz-security-token", "AccountKey", "encryption_key", "encryptionKey", "passwords",
        "api_keys", "pwd", "DB_PASS", "db_pw", "credentials", "AUTHORIZATION", "x-api-key", "Cookie",
        "new_password", "csrf_token", "auth", "PRIVATE-TOKEN", "X-Vault-Token", "passwd",
    ] {
        for value in [
            json!({name: DRAWN}),
            json!({name: [DRAWN]}),
            json!({name: {"value": DRAWN}}),
            json!({"env": [{"name": name, "value": DRAWN}]}),
            json!({"env": [{"value": DRAWN, "key": name}]}),
            json!({"headers": [[name, DRAWN]]}),
        ] {
            let left = left(&value);
            assert!(!left.contains(DRAWN), "{left}");
        }
    }
}

#[test]
fn texts_of_any_notation_assign_one() {
    let drawn = DRAWN;
    let twice = json!(json!({"x": json!({"password": drawn}).to_string()}).to_string()).to_string();
    for text in [
        format!("Authorization: Bearer {drawn}"),
        format!("Authorization: token {drawn}"),
        format!("Authorization: ApiKey {drawn}"),
        format!("authorization: Digest username=\"u\", response=\"{drawn}\""),
        format!("PRIVATE-TOKEN: {drawn}"),
        format!("X-Vault-Token: {drawn}"),
        format!("Cookie: sessionid={drawn}; a=b"),
        format!("Set-Cookie: sid={drawn}; HttpOnly"),
        format!("h: Bearer {drawn}</html>"),
        format!("curl -H 'Authorization: Bearer {drawn}' https://x"),
        format!("curl -u bob:{drawn} https://x"),
        format!("curl --user=bob:{drawn} https://x"),
        format!("tool --token {drawn}"),
        format!("mysql --password={drawn} x"),
        format!("tool --password '{drawn}'"),
        format!("<password>{drawn}</password>"),
        format!("<add key=\"ApiKey\" value=\"{drawn}\"/>"),
        format!("Server=x;User Id=u;Pwd={drawn};"),
        format!("AccountName=a;AccountKey={drawn}{drawn}==;EndpointSuffix=x"),
        format!("export API_TOKEN=\"{drawn}\""),
        format!("db:\n  password: {drawn}\n"),
        format!("{{'password': '{drawn}'}}"),
        format!("https://x/?token={drawn}&a=1"),
        format!("user%5Bpassword%5D={drawn}"),
        format!("machine x login bob password {drawn}"),
        format!("the password is {drawn}"),
        format!("https://x/#access_token={drawn}"),
        format!("user=bob&password={drawn}&x=1"),
        format!("body=\"{{\\\"password\\\": \\\"{drawn}\\\"}}\""),
        format!("got {twice} back"),
        format!("cut {}", &twice[..twice.len() - 6]),
        format!(":password=>\"{drawn}\""),
        format!("aws_secret_access_key = {drawn}/K7MDENG"),
        format!("//registry:_authToken={drawn}"),
        format!("https://h/c?sv=1&sig={drawn}%2Fk9Lq0P%3D"),
        format!("https://h/x?X-Amz-Signature={drawn}{drawn}"),
    ] {
        for text in [
            json!(text).to_string(),
            text.clone(),
            json!({"text": text}).to_string(),
            json!({"b": json!({"c": text}).to_string()}).to_string(),
        ] {
            let left = Redactor::default().line(&text).into_owned();
            assert!(!left.contains(drawn) && !left.contains(&drawn[..8]), "{text}\n{left}");
            assert_eq!(Redactor::default().line(&left), left);
        }
    }
}

#[test]
fn a_certain_name_needs_no_digits_where_nothing_else_can_be_meant() {
    for text in [
        r#"login {"user":"bob","password":"letmein"} failed"#,
        r#"body="{\"password\": \"letmein\"}""#,
        r#"\"db_password\":\"letmein\", \"x\""#,
        "user=bob password=letmein ip=::1",
        "mysql --password letmein",
        "<password>letmein</password>",
        "password: 'letmein'",
    ] {
        let left = Redactor::default().line(text).into_owned();
        assert!(!left.contains("letmein") && left.contains("<redacted 1: "), "{left}");
    }
}

#[test]
fn forms_are_known_whatever_words_chance_spelled_in_them() {
    let long = "q7Xk2mVw9TzB4nRp6LsD8fGh".repeat(3);
    let hook = |host: &str| format!("https://{host}/T00000000/B00000000/{DRAWN}");
    for (text, gone) in [
        (format!("ASIA{}", "Q7XK2MVW9TZB4NRP"), "Q7XK2MVW"),
        (format!("hf_{}", "aBcD".repeat(9)), "aBcDaBcD"),
        (format!("gsk_{long}"), DRAWN),
        (format!("ya29.{long}"), DRAWN),
        (format!("pypi-{long}"), DRAWN),
        (format!("hvs.{long}"), DRAWN),
        (format!("xai-{long}"), DRAWN),
        (format!("lin_api_{long}"), DRAWN),
        (hook("hooks.slack.com/services"), DRAWN),
        (format!("https://discord.com/api/webhooks/123456789012345678/{long}"), DRAWN),
        ("eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMjM0In0.".to_owned(), "eyJzdWI"),
        (format!("eyJhbGciOiJkaXIifQ.{DRAWN}.48V1_ALb6US04U3b.5eym8TW.XFBoMYUZ"), DRAWN),
        (format!("-----BEGIN PGP PRIVATE {} BLOCK-----\n\nlQOY{DRAWN}", "KEY"), DRAWN),
        (format!("ghp_aTodo1null2your3xxxx4{}", "b7Q".repeat(6)), "aTodo1"),
        ("postgres://app:a1null-todo@db.example.org/x".to_owned(), "a1null"),
        (format!("https://h/?blob={}", STANDARD.encode(format!("ghp_{long}"))), "Z2hwX3E3"),
        (format!("https://h/{}/x", STANDARD.encode(format!("ghp_{long}"))), "Z2hwX3E3"),
    ] {
        for line in [text.clone(), json!({"a": [text]}).to_string()] {
            let left = Redactor::default().line(&line).into_owned();
            assert!(!left.contains(gone) && left.contains("<redacted "), "{line}\n{left}");
        }
    }
}

#[test]
fn a_pattern_of_the_users_own_goes_for_numbers_and_in_contexts_too() {
    let mut redactor = Redactor::new(&["[0-9]{16}"]).unwrap();
    let line = r#"{"card":4111111111111111,"n":17}"#;
    assert_eq!(redactor.line(line), r#"{"card":"<redacted 1: a match of your pattern>","n":17}"#);
    let frame = Frame::from_line(Side::Client, "{}".to_owned());
    let context = json!({"card": 4_111_111_111_111_111_u64, "user": "Bearer abc", "who": DRAWN, "tenant": "123e4567-e89b-12d3-a456-426614174000", "name": "ada"});
    let left = redactor.frame(frame.with_context(context));
    let left = left.context().unwrap();
    assert_eq!(left["card"], "<redacted 1: a match of your pattern>");
    assert!(left["user"].as_str().unwrap().starts_with("Bearer <redacted "), "{left}");
    assert!(left["who"].as_str().unwrap().starts_with("<redacted "), "{left}");
    assert_eq!(
        (&left["tenant"], &left["name"]),
        (&json!("123e4567-e89b-12d3-a456-426614174000"), &json!("ada"))
    );
}

#[test]
fn what_only_sounds_like_one_stays() {
    let sha = "e83c5163316f89bfbde7d9ab23ca2e25604af290";
    for value in [
        json!({"has_password": "yes", "password": "[REDACTED]", "secret": "********", "api_key": "masked"}),
        json!({"token": 512, "max_tokens": 4096, "tokens": 123, "tokenizer": "cl100k_base-tokenizer", "stop_token": "<|end|>"}),
        json!({"nextPageToken": "CAUQAA1234567890abcdef", "page_token": "CAUQAA1234567890abcdef", "nextToken": "eyJvZmZzZXQiOjUwfQ=="}),
        json!({"continuationToken": "abc123def456", "progressToken": "p-123456-abcd3f", "syncToken": "CPDAlvWDx70CEPDA="}),
        json!({"cursor": "eyJpZCI6MTIzNDU2Nzg5MCwic29ydCI6ImNyZWF0ZWRfYXQifQ", "sha": sha, "etag": "d41d8cd98f00b204e9800998ecf8427e"}),
        json!({"id": "123e4567-e89b-12d3-a456-426614174000", "digest": format!("sha256:{sha}")}),
        json!({"keyboard": "qwerty-12", "monkey": "b4nana-eater", "primary_key": "customer_id", "issueKey": "PROJ-1234", "api_key_id": "key-12"}),
        json!({"idempotency_key": "9b2d1c3e-aaaa-bbbb-cccc-1234567890ab", "cache_key": "users:42:profile", "object_key": "a/b2.txt"}),
        json!({"author": "Jane Austen", "auth_type": "oauth2-client", "auth": "oauth2-client", "secretary": "Mrs Smith", "pass": "boarding pass 12"}),
        json!({"properties": {"password": {"type": "string", "description": "At least 8 characters"}, "token": {"type": "string"}}}),
        json!({"required": ["password", "user_id", "token", "page_size2"]}),
        json!({"q": "The password must be changed every 90 days"}),
        json!({"q": "password: required, at least 8 characters; token: the unit of text"}),
        json!({"q": "Bearer authentication is required for every endpoint, Basic understanding of 2.0"}),
        json!({"q": "cookie: chocolate chip recipe, credentials: see the vault"}),
        json!({"q": "password = getpass.getpass() token = tokenizer.next() api_key=os.environ['OPENAI_API_KEY']"}),
        json!({"q": "Authorization: Bearer <YOUR_TOKEN> password=${DB_PASSWORD} --token $TOKEN --password PASSWORD"}),
        json!({"q": "use --password to log in, or --token; Authorization: required for all"}),
        json!({"q": format!("docker run -u 1000:1000 x; curl https://h/{sha}?page_token=CAUQAA1234567890abcdef")}),
        json!({"q": "PWD=/home/ada/x1 https://example.com/a?key=value1234&token_limit=512345678"}),
        json!({"q": "sk-toggleable-content sk-2026-11-weather.json ghp_your_token_here_0000000000000000000000000 eyJust"}),
        json!({"tokenName": "my-ci-token", "secretName": "db-password", "keyName": "main", "token_type": "bearer"}),
    ] {
        assert_eq!(left(&value), value.to_string());
    }
}
