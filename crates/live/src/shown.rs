//! Names that users, files and servers give, fit to stand in a message: on one line, whatever is in them. What may not
//! enter: what a message says of them.

use std::path::Path;

use frankly_verdict::report::plain;

/// A path as it is shown: a line end in a file's name must not look like the end of the message.
pub(crate) fn path(path: &Path) -> String {
    plain(&path.to_string_lossy())
}

/// An address without the name and the password that may stand in it.
pub(crate) fn address(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    match rest[..end].rfind('@') {
        Some(at) => format!("{scheme}://…{}", &rest[at..]),
        None => url.to_owned(),
    }
}

/// Names in a row.
pub(crate) fn names<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(plain).collect::<Vec<_>>().join(", ")
}

/// The end of a sentence about a name that is not known: the nearest that is, if any is like it.
pub(crate) fn did_you_mean(nearest: &str) -> String {
    format!("; did you mean `{}`?", plain(nearest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_keeps_its_secrets() {
        assert_eq!(address("http://me:secret@h:1/mcp?a=b@c"), "http://…@h:1/mcp?a=b@c");
        for url in ["http://h/a@b", "https://h", "${URL}", ""] {
            assert_eq!(address(url), url);
        }
    }
}
