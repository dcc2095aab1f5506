//! A signal ends `frankly` and everything it started.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::Place;

#[test]
fn a_signal_ends_the_server_too() {
    let place = Place::empty();
    let pid_file = place.path().join("pid");
    let script = format!(
        "trap 'echo ended > {0}.end; exit' TERM; echo $$ > {0}; while true; do sleep 1; done",
        pid_file.display()
    );
    let mut frankly = place
        .frankly(&["probe", "--", "sh", "-c", &script])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while !std::fs::read_to_string(&pid_file).is_ok_and(|text| text.ends_with('\n')) {
        assert!(start.elapsed() < Duration::from_secs(10), "the server did not start");
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(Command::new("kill").args(["-TERM", &frankly.id().to_string()]).status().unwrap().success());
    assert_eq!(frankly.wait().unwrap().code(), Some(143));
    assert_eq!(place.read("pid.end"), "ended\n");
}

#[test]
fn a_signal_is_heard_while_a_pipe_says_nothing() {
    let place = Place::empty();
    let pipe = place.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut frankly = place.frankly(&["lint", "pipe"]).stdout(Stdio::null()).spawn().unwrap();
    // Opens once frankly has opened it too.
    let (opened, waiting) = std::sync::mpsc::channel();
    std::thread::spawn(move || opened.send(std::fs::OpenOptions::new().write(true).open(pipe).unwrap()));
    let writer = waiting.recv_timeout(Duration::from_secs(10)).unwrap();
    assert!(Command::new("kill").args(["-TERM", &frankly.id().to_string()]).status().unwrap().success());
    assert_eq!(frankly.wait().unwrap().code(), Some(143));
    drop(writer);
}

#[test]
fn a_ledger_that_listens_says_where_and_ends_by_itself() {
    let mut frankly = Place::empty()
        .frankly(&["demo", "ledger", "--listen"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut line, mut rest) = (String::new(), String::new());
    let mut stderr = BufReader::new(frankly.stderr.take().unwrap());
    stderr.read_line(&mut line).unwrap();
    let address = line.strip_prefix("listening on http://").unwrap().strip_suffix("/mcp\n").unwrap();
    assert!(std::net::TcpStream::connect(address).is_ok(), "{address}");
    assert!(Command::new("kill").args(["-INT", &frankly.id().to_string()]).status().unwrap().success());
    stderr.read_to_string(&mut rest).unwrap();
    let output = frankly.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len(), &*rest), (Some(130), 0, ""));
}
