//! `stoneline serve`: the page, for the browsers of this machine.
//!
//! Listens on 127.0.0.1 alone and opens nothing unless asked to. Owns the
//! listening and the lives of connections; who may ask what is decided in
//! [`gate`], how many searches run at once in [`slots`].

mod analyst;
mod api;
mod archive;
mod contest;
mod files;
mod free_puzzle;
mod gate;
mod puzzle;
mod refusal;
mod request;
mod review;
mod slots;
mod stream;
mod text;
mod threats;
mod view;

use crate::Verdict;
use crate::settings::Settings;
use anyhow::Context;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io::{ErrorKind, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;

const EXAMPLES: &str = "\
Examples:
  stoneline serve                  print the page's address, and serve it
  stoneline serve --port 0         on any free port; another one: that or none
  stoneline serve --open           show it in the browser, too

Only browsers of this machine reach the page, and only with the printed address,
which holds a token that is new at every start. Ctrl-C ends it. Tournaments that
are stored in the working folder (*.db) or in --store can be seen under Watch.";

/// The port that is tried first.
const PORT: u16 = 4747;
/// Connections at once; more wait until one ends.
const CONNECTIONS: usize = 4096;
/// Files that a process has open besides its connections.
const OTHER_FILES: u64 = 64;
/// How long a client may take to send a request's head, or to read a part of an answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long to wait when the system has no connection to give.
const SHORTAGE: Duration = Duration::from_millis(50);
/// Threads beside the searches that may block: engines are built and files read there.
const SPARE_THREADS: usize = 8;

/// Show the page: play, watch, analyse and learn in the browser
#[derive(clap::Args, Default)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The port; without it 4747, or a free one where that is taken
    #[arg(long, value_name = "P")]
    port: Option<u16>,

    /// Show the page in the browser
    #[arg(long)]
    open: bool,

    /// Stores of tournaments to browse on the page, beside those of the working folder
    #[arg(long, value_name = "FILE", num_args = 1..)]
    store: Vec<PathBuf>,
}

/// Serves until Ctrl-C ends the program.
pub(crate) fn run(
    args: &Args,
    settings: &Settings,
    out: &mut dyn Write,
) -> anyhow::Result<Verdict> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(cores)
        .max_blocking_threads(cores + SPARE_THREADS)
        .enable_all()
        .build()
        .context("no threads for the server")?;
    runtime.block_on(async {
        let listener = listen(args.port.or_else(|| settings.port())).await?;
        let address = listener.local_addr()?;
        // A store of matches that does not exist yet is nothing to browse.
        let kept = settings.store().filter(|path| path.exists());
        let stores: Vec<PathBuf> = args
            .store
            .iter()
            .cloned()
            .chain(kept.map(PathBuf::from))
            .collect();
        let archive = archive::Archive::new(&stores, Path::new("."))?;
        let token = gate::new_token()?;
        let link = format!("http://{address}/?token={token}");
        writeln!(out, "Stoneline is at {link}\nCtrl-C ends it.")?;
        out.flush()?;
        if args.open {
            show(&link, out)?;
        }
        serve(listener, api::router(address.port(), token, cores, archive)).await
    })
}

async fn listen(port: Option<u16>) -> anyhow::Result<TcpListener> {
    let at = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let wanted = port.unwrap_or(PORT);
    match TcpListener::bind(at(wanted)).await {
        Err(error) if port.is_none() && error.kind() == ErrorKind::AddrInUse => {
            TcpListener::bind(at(0)).await.context("no free port")
        }
        listener => listener.with_context(|| format!("port {wanted}")),
    }
}

/// Asks the desktop to show `link`; a machine without one is told how to go on.
fn show(link: &str, out: &mut dyn Write) -> std::io::Result<()> {
    let command = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let started = std::process::Command::new(command)
        .arg(link)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
    if started.is_err() {
        writeln!(
            out,
            "No browser could be started: open the address by hand."
        )?;
        out.flush()?;
    }
    Ok(())
}

async fn serve(listener: TcpListener, router: axum::Router) -> anyhow::Result<Verdict> {
    let connections = Arc::new(Semaphore::new(connection_limit()));
    loop {
        let permit = Arc::clone(&connections).acquire_owned().await?;
        match listener.accept().await {
            Ok((stream, peer)) => {
                let router = router.clone();
                tokio::spawn(async move {
                    converse(stream, peer, router).await;
                    drop(permit);
                });
            }
            // Too many open files, or a client that left at once: neither ends the server.
            Err(_) => tokio::time::sleep(SHORTAGE).await,
        }
    }
}

/// How many connections the system lets this process have, within our own bound.
fn connection_limit() -> usize {
    let files = rlimit::increase_nofile_limit(CONNECTIONS as u64 + OTHER_FILES);
    let most = files.map_or(CONNECTIONS as u64, |files| {
        files.saturating_sub(OTHER_FILES)
    });
    CONNECTIONS.min(most.max(1) as usize)
}

/// Answers the requests of one connection until it ends or is too slow.
async fn converse(stream: TcpStream, peer: SocketAddr, router: axum::Router) {
    // Small answers at once; where the system refuses, they only come later.
    let _ = stream.set_nodelay(true);
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(PATIENCE));
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(slots::Peer(peer));
        router.call(request)
    });
    // A connection that breaks off concerns nobody but its client.
    let _ = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .serve_connection(TokioIo::new(Box::pin(stream)), service)
        .await;
}
