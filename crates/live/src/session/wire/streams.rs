//! Lines out and lines in, over a pair of byte streams: the two tasks beside a connection that is none of HTTP. What a line
//! means is for `shared`.

use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::mpsc;
use tokio::time::sleep;

use super::super::lines::{ENDLESS, MAX_LINE_BYTES, next_line_telling};
use super::super::shared::{Ours, Shared};
use super::{CLOSED_OUTPUT, LAST_WORDS, STOPPED_READING, offer};

/// Writes each line as it comes, until the connection or the server ends it.
pub(super) async fn write_lines(
    mut writer: impl AsyncWrite + Unpin,
    mut lines: mpsc::Receiver<String>,
    shared: Arc<Shared>,
) {
    while let Some(line) = lines.recv().await {
        let Ours { index, frame } = shared.writing(line);
        let line = format!("{}\n", frame.line());
        if writer.write_all(line.as_bytes()).await.is_err() || writer.flush().await.is_err() {
            drop(lines);
            // What it answered before it stopped reading may still be on its way.
            sleep(LAST_WORDS).await;
            return shared.end(STOPPED_READING);
        }
        shared.written(index);
    }
}

/// Reads each line, and answers what the server asks for itself, until its output ends.
pub(super) async fn read_lines(
    reader: impl AsyncRead + Send + Unpin,
    shared: Arc<Shared>,
    outgoing: mpsc::WeakSender<String>,
) {
    let mut reader = BufReader::new(reader);
    while let Some(line) =
        next_line_telling(&mut reader, MAX_LINE_BYTES, |bytes| shared.is_under_way(bytes)).await
    {
        if line.is_endless() {
            return shared.end(ENDLESS);
        }
        match shared.receive(line) {
            Ok(Some(reply)) => offer(outgoing.upgrade().as_ref(), &reply),
            Ok(None) => {}
            Err(why) => return shared.end(why),
        }
    }
    shared.end(CLOSED_OUTPUT);
}
