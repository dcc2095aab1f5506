//! A Redis for servers that talk to one: on a free port of this machine, in memory, ended with its guard.

use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use std::{path::Path, thread};

use anyhow::{Context, bail};

use super::places::Places;
use super::sandbox;

const PATIENCE: Duration = Duration::from_secs(10);

/// A running Redis.
#[derive(Debug)]
#[must_use = "dropping it ends the Redis"]
pub struct Redis {
    child: Child,
    /// The port that it listens on.
    pub port: u16,
}

impl Redis {
    /// Starts one, and waits until it listens.
    pub fn start(places: &Places) -> anyhow::Result<Self> {
        let port = free_port()?;
        let mut command = sandbox::command(Path::new("redis-server"), places);
        // It is no part of the server, so it must not look like what a server left behind.
        command.env_remove("HOME").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.args([
            "--port",
            &port.to_string(),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
        ]);
        let mut redis = Self { child: command.spawn().context("failed to start redis-server")?, port };
        redis.wait()?;
        Ok(redis)
    }

    fn wait(&mut self) -> anyhow::Result<()> {
        let began = Instant::now();
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, self.port));
        while TcpStream::connect_timeout(&address, Duration::from_millis(200)).is_err() {
            if let Some(status) = self.child.try_wait().context("failed to look at redis-server")? {
                bail!("redis-server ended: {status}");
            }
            if began.elapsed() > PATIENCE {
                bail!("redis-server does not listen");
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// What empties it.
    pub fn reset(&self) -> Vec<String> {
        ["redis-cli", "-p", &self.port.to_string(), "FLUSHALL"].map(str::to_owned).into()
    }
}

impl Drop for Redis {
    fn drop(&mut self) {
        // Whoever ended already needs no ending.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn free_port() -> anyhow::Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("failed to find a free port")?;
    Ok(listener.local_addr().context("failed to find a free port")?.port())
}
