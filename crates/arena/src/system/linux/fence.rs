//! The fence as Linux offers it: resource limits, Landlock, seccomp, and a
//! subreaper to which every orphan of the player comes back.

use crate::players::child::{CONFINE, SUPERVISE};
use crate::players::command::{Bounds, CommandLine};
use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr,
    Scope, path_beneath_rules,
};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl;
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{SigSet, Signal, kill};
use nix::sys::signalfd::{SfdFlags, SignalFd};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, dup2_stderr, dup2_stdin, dup2_stdout, getpid, getppid};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode};
use std::time::{Duration, Instant};

/// What a shell answers when a command can't be run.
const CANNOT_RUN: u8 = 127;
/// Added to a signal's number, as a shell does.
const BY_SIGNAL: i32 = 128;
/// How often a supervisor looks whether its arena is still there.
const LOOK_MS: u16 = 500;
/// How long the end of all processes may take; only those deep in the kernel take any time.
const END_TIME: Duration = Duration::from_secs(3);

/// What a player's process is told of its fence, as arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Fence {
    memory_bytes: u64,
    files: u64,
    file_bytes: u64,
    /// The only folder that may be written in.
    scratch: PathBuf,
}

impl Fence {
    fn new(bounds: &Bounds, scratch: &Path) -> Self {
        Self {
            memory_bytes: bounds.memory_bytes,
            files: bounds.files,
            file_bytes: bounds.file_bytes,
            scratch: scratch.to_path_buf(),
        }
    }

    fn arguments(&self) -> Vec<OsString> {
        let numbers = [self.memory_bytes, self.files, self.file_bytes];
        let mut arguments: Vec<OsString> = numbers.map(|number| number.to_string().into()).to_vec();
        arguments.push(self.scratch.clone().into_os_string());
        arguments
    }

    /// The fence that the first arguments tell, and those after them: the player's command.
    fn read(arguments: &[OsString]) -> Option<(Self, &[OsString])> {
        let (head, command) = arguments.split_at_checked(4)?;
        let number = |at: usize| head[at].to_str()?.parse().ok();
        let fence = Self {
            memory_bytes: number(0)?,
            files: number(1)?,
            file_bytes: number(2)?,
            scratch: PathBuf::from(&head[3]),
        };
        (!command.is_empty()).then_some((fence, command))
    }
}

/// The command that runs a player under supervision, not yet started.
pub(crate) fn supervised(line: &CommandLine, scratch: &Path) -> Command {
    let mut command = Command::new(line.host());
    command
        .arg(SUPERVISE)
        .args(Fence::new(&line.bounds, scratch).arguments())
        .args(&line.words)
        // Ctrl-C at a terminal is for the arena, which ends its players itself.
        .process_group(0);
    command
}

/// Ends a supervised player with all its processes.
pub(crate) fn end(supervisor: &mut Child) {
    let pid = Pid::from_raw(supervisor.id().cast_signed());
    if kill(pid, Signal::SIGTERM).is_err() {
        return;
    }
    let begun = Instant::now();
    while begun.elapsed() < END_TIME + Duration::from_secs(1) {
        match supervisor.try_wait() {
            Ok(None) => std::thread::sleep(Duration::from_millis(1)),
            Ok(Some(_)) | Err(_) => return,
        }
    }
    let _ = supervisor.kill();
    let _ = supervisor.wait();
}

/// The supervisor: `FENCE... COMMAND...`.
///
/// Ends when the player ends, when it is told to by SIGTERM, and when the
/// arena is gone, in each case with every process that descends from it.
pub(crate) fn supervise(arguments: &[OsString]) -> ExitCode {
    match watch(arguments) {
        Ok(code) => ExitCode::from(code),
        Err(error) => complain(&format!("the supervisor failed: {error}")),
    }
}

fn watch(arguments: &[OsString]) -> io::Result<u8> {
    let arena = getppid();
    prctl::set_child_subreaper(true)?;
    let mut signals = SigSet::empty();
    for signal in [
        Signal::SIGCHLD,
        Signal::SIGTERM,
        Signal::SIGINT,
        Signal::SIGHUP,
    ] {
        signals.add(signal);
    }
    signals.thread_block()?;
    let told = SignalFd::with_flags(&signals, SfdFlags::SFD_NONBLOCK | SfdFlags::SFD_CLOEXEC)?;
    let player = Command::new(std::env::current_exe()?)
        .arg(CONFINE)
        .args(arguments)
        .process_group(0)
        .spawn()?;
    let player = Pid::from_raw(player.id().cast_signed());
    let_go_of_streams()?;
    loop {
        let mut waiting = [PollFd::new(told.as_fd(), PollFlags::POLLIN)];
        match poll(&mut waiting, PollTimeout::from(LOOK_MS)) {
            Ok(_) | Err(Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
        }
        let mut ended = getppid() != arena;
        while let Ok(Some(signal)) = told.read_signal() {
            ended |= signal.ssi_signo != Signal::SIGCHLD as u32;
        }
        if let Some(code) = reap(player) {
            end_descendants();
            return Ok(code);
        }
        if ended {
            end_descendants();
            return Ok((BY_SIGNAL + Signal::SIGTERM as i32) as u8);
        }
    }
}

/// Closes the player's streams in this process, so that their other ends see the player's end.
fn let_go_of_streams() -> io::Result<()> {
    let nothing = fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open("/dev/null")?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    dup2_stderr(&nothing)?;
    Ok(())
}

/// Takes in every child that ended; the exit code of `player` if it is among them.
fn reap(player: Pid) -> Option<u8> {
    let mut code = None;
    loop {
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::Exited(pid, status)) if pid == player => code = Some(status as u8),
            Ok(WaitStatus::Signaled(pid, signal, _)) if pid == player => {
                code = Some((BY_SIGNAL + signal as i32) as u8);
            }
            Ok(WaitStatus::StillAlive) | Err(_) => return code,
            Ok(_) => {}
        }
    }
}

/// Kills until nothing is left that descends from this process.
fn end_descendants() {
    let begun = Instant::now();
    while begun.elapsed() < END_TIME {
        for pid in descendants(getpid()) {
            let _ = kill(pid, Signal::SIGKILL);
        }
        loop {
            match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Err(Errno::ECHILD) => return,
                Ok(WaitStatus::StillAlive) | Err(_) => break,
                Ok(_) => {}
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Every process that descends from `root`, by the parents that /proc tells.
fn descendants(root: Pid) -> Vec<Pid> {
    let parents: HashMap<i32, i32> = fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(|entry| {
            let pid: i32 = entry.ok()?.file_name().to_str()?.parse().ok()?;
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            // The name, in brackets, may hold anything; state and parent follow it.
            let parent = stat.rsplit_once(')')?.1.split_whitespace().nth(1)?;
            Some((pid, parent.parse().ok()?))
        })
        .collect();
    let descends = |mut pid: i32| {
        for _ in 0..parents.len() {
            match parents.get(&pid) {
                Some(&parent) if parent == root.as_raw() => return true,
                Some(&parent) => pid = parent,
                None => return false,
            }
        }
        false
    };
    let found = parents.keys().copied().filter(|&pid| descends(pid));
    found.map(Pid::from_raw).collect()
}

/// The process that becomes the player: `FENCE... COMMAND...`.
pub(crate) fn confine(arguments: &[OsString]) -> ExitCode {
    let Some((fence, command)) = Fence::read(arguments) else {
        return complain("confine-player: its arguments are not as the supervisor passes them");
    };
    // What this kernel lacks is told to the user by the arena, not by each player.
    let _ = forbid_writing(&fence.scratch);
    let _ = forbid_network();
    if let Err(error) = limit(&fence) {
        return complain(&format!("limits can't be set: {error}"));
    }
    let error = Command::new(&command[0])
        .args(&command[1..])
        .env("TMPDIR", &fence.scratch)
        .exec();
    complain(&format!("{}: {error}", command[0].display()))
}

fn complain(line: &str) -> ExitCode {
    use std::io::Write;
    let _ = writeln!(io::stderr(), "{line}");
    ExitCode::from(CANNOT_RUN)
}

fn limit(fence: &Fence) -> nix::Result<()> {
    for (resource, most) in [
        (Resource::RLIMIT_CORE, 0),
        (Resource::RLIMIT_NOFILE, fence.files),
        (Resource::RLIMIT_FSIZE, fence.file_bytes),
        (Resource::RLIMIT_AS, fence.memory_bytes),
    ] {
        setrlimit(resource, most, most)?;
    }
    Ok(())
}

/// From now on this process and its children write nowhere but in `scratch`, and signal nobody
/// outside.
fn forbid_writing(scratch: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let all = AccessFs::from_all(ABI::V5);
    let status = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(all)?
        .scope(Scope::Signal)?
        .create()?
        .add_rules(path_beneath_rules(["/"], AccessFs::from_read(ABI::V5)))?
        .add_rules(path_beneath_rules(["/dev/null", "/dev/zero"], all))?
        .add_rules(path_beneath_rules([scratch], all))?
        .restrict_self()?;
    debug_assert!(status.no_new_privs);
    Ok(())
}

/// From now on this process and its children open no socket.
fn forbid_network() -> Result<(), Box<dyn std::error::Error>> {
    prctl::set_no_new_privs()?;
    // io_uring opens sockets too, and no filter sees it.
    let calls = [nix::libc::SYS_socket, nix::libc::SYS_io_uring_setup];
    let filter = SeccompFilter::new(
        calls.into_iter().map(|call| (call, Vec::new())).collect(),
        SeccompAction::Allow,
        SeccompAction::Errno(nix::libc::EACCES.cast_unsigned()),
        TargetArch::try_from(std::env::consts::ARCH)?,
    )?;
    let program: BpfProgram = filter.try_into()?;
    seccompiler::apply_filter(&program)?;
    Ok(())
}

/// What can't be kept from a player on this kernel.
pub(crate) fn missing() -> Vec<&'static str> {
    let mut missing = Vec::new();
    let names = fs::read_to_string("/sys/kernel/security/lsm").unwrap_or_default();
    let can_fence = names.is_empty() || names.split(',').any(|name| name.trim() == "landlock");
    let can_ask = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_write(ABI::V1))
        .and_then(Ruleset::create);
    if !can_fence || can_ask.is_err() {
        missing.push("writing files");
    }
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let has_seccomp = status.lines().any(|line| line.starts_with("Seccomp:"));
    if !has_seccomp || TargetArch::try_from(std::env::consts::ARCH).is_err() {
        missing.push("using the network");
    }
    missing
}
