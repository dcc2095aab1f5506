//! Files inside an allowed folder, and the ways out of it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::fs;
use std::path::Path;

use frankly_contract::{ByteCursor, Code, Root, Slice, ToolError, ToolResult};
use proptest::prelude::*;
use tempfile::TempDir;

/// A folder with a log, a folder with a report, and beside it a file that nobody may read.
fn folder() -> (TempDir, Root) {
    let outer = tempfile::tempdir().unwrap();
    let inner = outer.path().join("allowed");
    fs::create_dir_all(inner.join("reports/2025")).unwrap();
    fs::write(outer.path().join("secret.txt"), "the sentinel").unwrap();
    fs::write(inner.join("server.log"), "started\nstopped\n").unwrap();
    fs::write(inner.join("reports/2025/march.csv"), "date,amount\n").unwrap();
    let root = Root::open(&inner).unwrap();
    (outer, root)
}

fn read(root: &Root, path: &str) -> Result<Slice, ToolError> {
    root.slice(path, ByteCursor::default(), 1_000)
}

fn refused(outer: &TempDir, root: &Root, path: &str) -> ToolError {
    let error = read(root, path).unwrap_err();
    let told = serde_json::to_string(&ToolResult::from(error.clone())).unwrap();
    let own = outer.path().to_str().unwrap();
    assert!(!told.contains(own) || path.contains(own), "the absolute path leaks: {told}");
    assert!(!told.contains("the sentinel"), "{told}");
    error
}

#[test]
fn files_inside_are_read() {
    let (_outer, root) = folder();
    for path in ["server.log", "./server.log", "reports/2025/march.csv", "reports//2025/./march.csv"] {
        assert!(read(&root, path).is_ok(), "{path}");
    }
    assert_eq!(read(&root, "server.log").unwrap().text(), "started\nstopped\n");
    let slice = root.slice("server.log", ByteCursor::at(8), 3).unwrap();
    assert_eq!((slice.text(), slice.total(), slice.next_cursor()), ("sto", 16, Some(ByteCursor::at(11))));
    let end = root.slice("server.log", ByteCursor::at(16), 3).unwrap();
    assert_eq!((end.text(), end.next_cursor()), ("", None));
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_does_not_say_how_long_it_is_is_refused() {
    let root = Root::open("/proc/self").unwrap();
    let error = read(&root, "status").unwrap_err();
    assert_eq!(error.code(), Code::InvalidArgs);
    assert!(error.what().ends_with("does not say how long it is"), "{error}");
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("empty.txt"), "").unwrap();
    assert_eq!(read(&Root::open(folder.path()).unwrap(), "empty.txt").unwrap().text(), "");
}

#[test]
fn no_path_leads_outside() {
    let (outer, root) = folder();
    let absolute = outer.path().join("secret.txt");
    for path in [
        "",
        " ",
        "..",
        "../secret.txt",
        "reports/../../secret.txt",
        "reports/../server.log",
        absolute.to_str().unwrap(),
        "/etc/passwd",
        "//server/share",
        "server.log\0.txt",
        "..\\secret.txt",
        "\\\\server\\share",
        "C:\\secret.txt",
        "c:secret.txt",
        "C:/secret.txt",
    ] {
        let error = refused(&outer, &root, path);
        assert_eq!(error.code(), Code::Forbidden, "{path:?}: {error}");
        assert!(error.next().starts_with("stop") && error.why().is_some(), "{error}");
    }
}

#[test]
fn what_is_not_there_names_the_nearest_that_is() {
    let (outer, root) = folder();
    for (path, meant) in [
        ("serverlog", Some("server.log")),
        ("Server.log", Some("server.log")),
        ("reports/2025/march.cvs", Some("reports/2025/march.csv")),
        ("report/2025/march.csv", Some("reports/2025/march.csv")),
        ("report/2025/zzz", Some("reports/2025")),
        ("reports/2024/march.csv", None),
        ("REPORTS/2025/March.CSV", Some("reports/2025/march.csv")),
        ("reports/2025/zzz", None),
        ("zzz", None),
        ("%2e%2e/secret.txt", None),
        (&"y".repeat(5_000), None),
        (&"y/".repeat(5_000), None),
    ] {
        let error = refused(&outer, &root, path);
        assert_eq!((error.code(), error.did_you_mean()), (Code::NotFound, meant), "{path}: {error}");
    }
}

#[test]
fn what_is_no_text_file_is_refused() {
    let (outer, root) = folder();
    let inner = outer.path().join("allowed");
    fs::write(inner.join("photo.jpg"), [0xff, 0xd8, 0xff, 0xe0]).unwrap();
    fs::write(inner.join("cut.txt"), &"é".as_bytes()[..1]).unwrap();
    for (path, said) in [
        ("reports", "is a folder"),
        (".", "is a folder"),
        ("reports/", "is a folder"),
        ("server.log/more", "goes on after a file"),
        ("photo.jpg", "is no text"),
        ("cut.txt", "is no text"),
    ] {
        let error = refused(&outer, &root, path);
        assert_eq!(error.code(), Code::InvalidArgs, "{path}: {error}");
        assert!(error.what().contains(said), "{path}: {error}");
    }
    fs::write(inner.join("late.txt"), b"good\nbad: \xff").unwrap();
    assert_eq!(root.slice("late.txt", ByteCursor::default(), 5).unwrap().text(), "good\n");
    assert_eq!(root.slice("late.txt", ByteCursor::at(5), 50).unwrap_err().code(), Code::InvalidArgs);
}

#[test]
fn a_cursor_that_no_slice_gave_out_is_refused() {
    let (outer, root) = folder();
    fs::write(outer.path().join("allowed/accent.txt"), "é").unwrap();
    for (offset, said) in [(1, "inside a character"), (3, "beyond the end"), (u64::MAX, "beyond the end")] {
        let error = root.slice("accent.txt", ByteCursor::at(offset), 10).unwrap_err();
        assert_eq!(error.code(), Code::InvalidArgs);
        assert!(error.what().contains(said), "{error}");
    }
}

#[test]
fn a_cursor_that_a_slice_gave_out_is_not_to_blame_for_bytes_that_are_no_text() {
    let (outer, root) = folder();
    fs::write(outer.path().join("allowed/broken.txt"), b"abc\x80\x80def").unwrap();
    let next = root.slice("broken.txt", ByteCursor::default(), 3).unwrap().next_cursor().unwrap();
    let error = root.slice("broken.txt", next, 3).unwrap_err();
    assert!(error.what().contains("is no text"), "{error}");
    fs::write(outer.path().join("allowed/crab.txt"), "é🦀").unwrap();
    for offset in [1, 3, 4, 5] {
        let error = root.slice("crab.txt", ByteCursor::at(offset), 3).unwrap_err();
        assert!(error.what().contains("inside a character"), "{offset}: {error}");
    }
}

#[test]
fn a_name_longer_than_any_file_has_is_like_none() {
    let (outer, root) = folder();
    fs::write(outer.path().join("allowed").join("n".repeat(250)), "").unwrap();
    let meant = |length| refused(&outer, &root, &"n".repeat(length)).did_you_mean().map(str::len);
    assert_eq!((meant(255), meant(256)), (Some(250), None));
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_link_is_followed_as_long_as_it_stays_inside() {
        let (outer, root) = folder();
        let inner = outer.path().join("allowed");
        symlink("server.log", inner.join("latest.log")).unwrap();
        symlink("../server.log", inner.join("reports/up.log")).unwrap();
        for path in ["latest.log", "reports/up.log"] {
            assert_eq!(read(&root, path).unwrap().text(), "started\nstopped\n", "{path}");
        }
        symlink("../secret.txt", inner.join("out.txt")).unwrap();
        symlink(outer.path().join("secret.txt"), inner.join("absolute.txt")).unwrap();
        symlink("..", inner.join("parent")).unwrap();
        symlink("out.txt", inner.join("chain.txt")).unwrap();
        symlink("../nowhere.txt", inner.join("nowhere.txt")).unwrap();
        for path in ["out.txt", "absolute.txt", "parent/secret.txt", "parent", "chain.txt", "nowhere.txt"] {
            let error = refused(&outer, &root, path);
            assert_eq!(error.code(), Code::Forbidden, "{path}: {error}");
            assert!(error.next().starts_with("stop"), "{error}");
        }
    }

    #[test]
    fn a_link_that_leads_nowhere_is_an_error_and_no_hang() {
        let (outer, root) = folder();
        let inner = outer.path().join("allowed");
        symlink("gone.log", inner.join("dangling.log")).unwrap();
        symlink("round.log", inner.join("round.log")).unwrap();
        let error = refused(&outer, &root, "dangling.log");
        assert_eq!((error.code(), error.did_you_mean()), (Code::NotFound, None));
        assert!(error.what().ends_with("is a link to a file that is not there"), "{error}");
        assert_eq!(refused(&outer, &root, "dangling.log/more").did_you_mean(), None);
        let error = refused(&outer, &root, "round.log");
        assert!(error.what().contains("links that lead in a circle"), "{error}");
    }

    #[test]
    fn a_pipe_is_refused_at_once() {
        let (outer, root) = folder();
        let pipe = outer.path().join("allowed/pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let error = refused(&outer, &root, "pipe");
        assert_eq!(error.code(), Code::InvalidArgs);
        assert!(error.what().contains("is no regular file"), "{error}");
        let _socket = std::os::unix::net::UnixListener::bind(outer.path().join("allowed/socket")).unwrap();
        let error = refused(&outer, &root, "socket");
        assert_eq!(error.code(), Code::InvalidArgs);
        assert!(error.what().contains("is no regular file"), "{error}");
        let device = Root::open("/dev").unwrap().slice("null", ByteCursor::default(), 10).unwrap_err();
        assert!(device.what().contains("is no regular file"), "{device}");
    }
}

#[test]
fn only_what_is_needed_of_a_large_file_is_read() {
    let (outer, root) = folder();
    let file = fs::File::create(outer.path().join("allowed/large.txt")).unwrap();
    file.set_len(1 << 40).unwrap();
    let slice = root.slice("large.txt", ByteCursor::at(1 << 39), 10).unwrap();
    assert_eq!((slice.text().len(), slice.total()), (10, 1 << 40));
}

#[test]
fn a_folder_that_is_not_there_is_not_opened() {
    assert!(Root::open(Path::new("/this folder does not exist")).is_err());
}

proptest! {
    #[test]
    fn slices_of_a_file_are_those_of_its_text(text in "([a-zé🦀]|\r?\n){0,60}", most in 0usize..40) {
        let (outer, root) = folder();
        fs::write(outer.path().join("allowed/text.txt"), &text).unwrap();
        let (mut whole, mut cursor) = (String::new(), Some(ByteCursor::default()));
        while let Some(from) = cursor {
            let slice = root.slice("text.txt", from, most).unwrap();
            prop_assert_eq!(&slice, &Slice::of(&text, from, most).unwrap());
            whole += slice.text();
            cursor = slice.next_cursor();
        }
        prop_assert_eq!(whole, text);
    }

    #[test]
    fn no_path_shows_what_is_outside(path in "(\\.|\\.\\.|/|a|reports|secret\\.txt|\\\\|\0|%2e){1,7}") {
        let (_outer, root) = folder();
        if let Ok(slice) = read(&root, &path) {
            prop_assert!(!slice.text().contains("sentinel"), "{}", path);
        }
    }
}
