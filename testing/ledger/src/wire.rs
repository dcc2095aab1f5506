//! Lies that no SDK would tell, since it writes the lines itself: a relay between the server and its standard input and
//! output, as a faulty program around it would be. What may not enter: what a tool answers.

mod liar;
mod message;

use std::time::Duration;

use tokio::io::{
    AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream, ReadHalf, Split,
    WriteHalf, duplex, split,
};
use tokio::task::{JoinHandle, JoinSet};

use crate::Faults;
use liar::{Liar, Passed};

/// How much the relay may hold between it and the server, in bytes.
const HELD: usize = 1 << 16;

/// The server's ends of a wire.
pub(crate) type Ends = (ReadHalf<DuplexStream>, WriteHalf<DuplexStream>);
/// The relay, which ends with what the server said to have died of, if anything.
pub(crate) type Relay = JoinHandle<Option<&'static str>>;

/// Lays a wire with these faults between a peer and a server.
pub(crate) fn lay<R, W>(faults: &Faults, reader: R, writer: W) -> (Ends, Relay)
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let (here, there) = duplex(HELD);
    let (answers, requests) = split(here);
    let wire = Wire {
        liar: Liar::new(faults.clone()),
        asked: BufReader::new(reader).split(b'\n'),
        answered: BufReader::new(answers).split(b'\n'),
        to_peer: writer,
        to_server: Some(requests),
        late: JoinSet::new(),
    };
    // What fails here is the peer's end, or the server's, and each sees that its own end is closed.
    let relay = tokio::spawn(async move { wire.run().await.unwrap_or_default() });
    (split(there), relay)
}

struct Wire<R, W> {
    liar: Liar,
    asked: Split<BufReader<R>>,
    answered: Split<BufReader<ReadHalf<DuplexStream>>>,
    to_peer: W,
    /// Until the peer closes its end.
    to_server: Option<WriteHalf<DuplexStream>>,
    /// Answers that are held back, as if the tool took its time.
    late: JoinSet<Vec<u8>>,
}

impl<R, W> Wire<R, W>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    async fn run(mut self) -> std::io::Result<Option<&'static str>> {
        let greeting = self.liar.greeting();
        self.to_peer.write_all(greeting.as_bytes()).await?;
        self.to_peer.flush().await?;
        loop {
            tokio::select! {
                // What was asked already is known before anything is answered.
                biased;
                line = self.asked.next_segment(), if self.to_server.is_some() => match line? {
                    Some(line) => match self.liar.asked(line) {
                        Passed::On(lines) => self.ask(&lines).await?,
                        Passed::Deadly(of) => return Ok(Some(of)),
                    },
                    None => self.close().await?,
                },
                Some(line) = self.late.join_next() => self.answer(&line.unwrap_or_default()).await?,
                line = self.answered.next_segment() => match line? {
                    Some(line) => match self.liar.patience(&line) {
                        Some(patience) => self.hold(line, patience),
                        None => self.answer(&line).await?,
                    },
                    None => return Ok(None),
                },
            }
        }
    }

    async fn ask(&mut self, lines: &[Vec<u8>]) -> std::io::Result<()> {
        let Some(server) = &mut self.to_server else { return Ok(()) };
        for line in lines {
            server.write_all(line).await?;
            server.write_all(b"\n").await?;
        }
        server.flush().await
    }

    fn hold(&mut self, line: Vec<u8>, patience: Duration) {
        self.late.spawn(async move {
            tokio::time::sleep(patience).await;
            line
        });
    }

    async fn answer(&mut self, line: &[u8]) -> std::io::Result<()> {
        let (written, asked) = self.liar.answered(line);
        self.to_peer.write_all(&written).await?;
        self.to_peer.flush().await?;
        self.ask(&asked).await
    }

    /// Nothing more is asked.
    async fn close(&mut self) -> std::io::Result<()> {
        match self.to_server.take() {
            Some(mut server) => server.shutdown().await,
            None => Ok(()),
        }
    }
}
