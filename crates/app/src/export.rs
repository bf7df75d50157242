//! `stoneline export`: submissions for the platforms where engines compete.
//!
//! The engine in a submission is this very program, or the course's library
//! that was built with it: what was tested here is what plays there.

mod elf;

use crate::Verdict;
use anyhow::{Context, bail};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use clap::ValueEnum;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::json;
use std::env;
use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use stoneline_search::Spec;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

const EXAMPLES: &str = "\
Examples:
  stoneline export kaggle submission      main.py with the engine, and a single file
  stoneline export gomocup brain          pbrain-stoneline

The rest needs the course's library. It is taken from beside this program, is
built if `cargo run` runs it, or is named by --library:

  stoneline export course upload          the shared library
  stoneline export saiblo upload          a zip for the online judge
  stoneline export course upload --library libstoneline_strategy.so

Where each file goes and what it needs is told at the end; more is in
docs/platforms.md.";

/// Write a submission, ready to upload
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Where it will play
    #[arg(value_enum)]
    platform: Platform,

    /// The folder for its files, made if it is missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,

    /// Who thinks, in kaggle: NAME[:key=value,...]
    #[arg(long, value_name = "E", default_value = "best")]
    engine: String,

    /// The course's library, for course and saiblo
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
}

/// A platform that takes submissions.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Platform {
    /// Kaggle's ConnectX
    Kaggle,
    /// The course's online judge
    Saiblo,
    /// The course's local judge
    Course,
    /// Gomocup's managers
    Gomocup,
}

/// A file of a submission.
struct File {
    name: String,
    bytes: Vec<u8>,
    runs: bool,
    about: &'static str,
}

/// The name of the course's library on this system.
const LIBRARY: &str = if cfg!(windows) {
    "stoneline_strategy.dll"
} else if cfg!(target_os = "macos") {
    "libstoneline_strategy.dylib"
} else {
    "libstoneline_strategy.so"
};

const KAGGLE_AGENT: &str = include_str!("export/kaggle.py");
const SAIBLO_AGENT: &str = include_str!("export/saiblo.py");

/// Writes the submission and tells what it is.
pub(crate) fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<Verdict> {
    args.engine
        .parse::<Spec>()
        .with_context(|| format!("engine {:?}", args.engine))?;
    let (files, binary) = match args.platform {
        Platform::Kaggle => kaggle(&args.engine)?,
        Platform::Gomocup => gomocup(&args.engine)?,
        Platform::Course => course(args)?,
        Platform::Saiblo => saiblo(args)?,
    };
    let folder = &args.folder;
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for file in &files {
        let path = folder.join(&file.name);
        write_file(&path, file).with_context(|| path.display().to_string())?;
        let size = file.bytes.len() as f64 / 1e6;
        writeln!(out, "{}  {size:.1} MB  {}", path.display(), file.about)?;
    }
    if let Some((major, minor)) = elf::glibc_needed(&binary) {
        writeln!(out, "needs Linux with glibc {major}.{minor} or newer")?;
    }
    if cfg!(target_feature = "avx2") {
        writeln!(out, "needs a processor with AVX2 and BMI2 (x86-64-v3)")?;
    }
    Ok(Verdict::Positive)
}

fn write_file(path: &Path, file: &File) -> anyhow::Result<()> {
    // A program that runs can't be written over, but it can be replaced.
    let _ = fs::remove_file(path);
    fs::write(path, &file.bytes)?;
    #[cfg(unix)]
    if file.runs {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}

/// This program, lean.
fn program() -> anyhow::Result<Vec<u8>> {
    let path = env::current_exe().context("where is this program?")?;
    let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
    Ok(elf::lean(bytes))
}

type Submission = (Vec<File>, Vec<u8>);

fn kaggle(engine: &str) -> anyhow::Result<Submission> {
    let program = program()?;
    let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
    packer.write_all(&program)?;
    let packed = BASE64_STANDARD.encode(packer.finish()?);
    let agent = KAGGLE_AGENT.replace("\"@ENGINE@\"", &json!(engine).to_string());
    let files = vec![
        File {
            name: "main.py".to_owned(),
            bytes: agent.clone().into_bytes(),
            runs: false,
            about: "the agent, with the program beside it",
        },
        File {
            name: "stoneline".to_owned(),
            bytes: program.clone(),
            runs: true,
            about: "the program; upload both as tar czf submission.tar.gz main.py stoneline",
        },
        File {
            name: "submission.py".to_owned(),
            bytes: agent.replace("@PACKED@", &packed).into_bytes(),
            runs: false,
            about: "both in a single file, to upload as it is",
        },
    ];
    Ok((files, program))
}

fn gomocup(engine: &str) -> anyhow::Result<Submission> {
    if engine != "best" {
        bail!("a brain is started without arguments and plays `best`; --engine is for kaggle");
    }
    let program = program()?;
    let file = File {
        name: format!("pbrain-stoneline{}", env::consts::EXE_SUFFIX),
        bytes: program.clone(),
        runs: true,
        about: "the brain: managers start it without arguments",
    };
    Ok((vec![file], program))
}

fn course(args: &Args) -> anyhow::Result<Submission> {
    let library = library(args)?;
    let file = File {
        name: LIBRARY.to_owned(),
        bytes: library.clone(),
        runs: true,
        about: "the library: getPoint and clearPoint",
    };
    Ok((vec![file], library))
}

fn saiblo(args: &Args) -> anyhow::Result<Submission> {
    let library = library(args)?;
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    for (name, bytes) in [("main.py", SAIBLO_AGENT.as_bytes()), (LIBRARY, &library)] {
        zip.start_file(name, options.unix_permissions(0o755))?;
        zip.write_all(bytes)?;
    }
    let file = File {
        name: "stoneline-saiblo.zip".to_owned(),
        bytes: zip.finish()?.into_inner(),
        runs: false,
        about: "to upload as a Python program: main.py and the library",
    };
    Ok((vec![file], library))
}

/// The course's library, lean: as named, beside this program, or built by the cargo that runs it.
fn library(args: &Args) -> anyhow::Result<Vec<u8>> {
    if let Some(path) = &args.library {
        let bytes = fs::read(path).with_context(|| path.display().to_string())?;
        return Ok(elf::lean(bytes));
    }
    let program = env::current_exe().context("where is this program?")?;
    let folder = program.parent().unwrap_or(Path::new("."));
    if let Some(cargo) = env::var_os("CARGO") {
        let profile = match folder.file_name().and_then(|name| name.to_str()) {
            Some("debug") | None => "dev",
            Some(name) => name,
        };
        let built = Command::new(cargo)
            .args([
                "build",
                "--quiet",
                "-p",
                "stoneline-strategy",
                "--profile",
                profile,
            ])
            .current_dir(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| ".".into()))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status();
        if !built.is_ok_and(|status| status.success()) {
            bail!("cargo could not build the library");
        }
    }
    let path = folder.join(LIBRARY);
    let bytes = fs::read(&path).with_context(|| {
        format!(
            "no {LIBRARY} beside this program: build it with \
             `cargo build --release -p stoneline-strategy`, or name it with --library"
        )
    })?;
    Ok(elf::lean(bytes))
}
