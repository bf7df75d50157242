//! Programs and libraries of Linux as files: made lean, and which glibc they need.
//!
//! Only what the loader needs is kept: the bytes that program headers name.
//! Symbols and debugging sections stand behind them, and the table of sections
//! is for linkers. Files of another kind stay as they are.

/// Offsets in the header of a 64-bit little-endian file.
const PROGRAM_HEADERS: usize = 0x20;
const SECTIONS: usize = 0x28;
const PROGRAM_HEADER_SIZE: usize = 0x36;
const PROGRAM_HEADER_COUNT: usize = 0x38;
const SECTION_COUNT: usize = 0x3c;
const HEADER_SIZE: usize = 0x40;

fn number(bytes: &[u8], at: usize, size: usize) -> Option<usize> {
    let field = bytes.get(at..at.checked_add(size)?)?;
    let folded = field
        .iter()
        .rev()
        .fold(0, |sum, &byte| sum << 8 | u64::from(byte));
    usize::try_from(folded).ok()
}

/// The file without what the loader does not read.
pub(super) fn lean(mut file: Vec<u8>) -> Vec<u8> {
    let Some(end) = loaded_end(&file) else {
        return file;
    };
    file.truncate(end);
    file[SECTIONS..SECTIONS + 8].fill(0);
    // How many sections there are, and which of them has their names.
    file[SECTION_COUNT..SECTION_COUNT + 4].fill(0);
    file
}

/// Where the last byte ends that a program header names; `None` in files of another kind.
fn loaded_end(file: &[u8]) -> Option<usize> {
    if file.get(..6)? != b"\x7fELF\x02\x01" || file.len() < HEADER_SIZE {
        return None;
    }
    let table = number(file, PROGRAM_HEADERS, 8)?;
    let size = number(file, PROGRAM_HEADER_SIZE, 2)?;
    let count = number(file, PROGRAM_HEADER_COUNT, 2)?;
    let mut end = (table + size * count).max(HEADER_SIZE);
    for index in 0..count {
        let header = table + size * index;
        let offset = number(file, header + 8, 8)?;
        let length = number(file, header + 32, 8)?;
        end = end.max(offset.checked_add(length)?);
    }
    (count > 0 && end <= file.len()).then_some(end)
}

/// The newest version of glibc that a name in the file asks for, as (2, 34).
pub(super) fn glibc_needed(file: &[u8]) -> Option<(u32, u32)> {
    const MARK: &[u8] = b"\0GLIBC_";
    let starts = file.windows(MARK.len()).enumerate();
    let starts = starts.filter(|(_, window)| *window == MARK);
    starts
        .filter_map(|(at, _)| {
            let text = &file[at + MARK.len()..];
            let text = &text[..text.iter().take(12).position(|&byte| byte == 0)?];
            let mut parts = std::str::from_utf8(text).ok()?.split('.');
            let version = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
            Some(version)
        })
        .max()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own_program() -> Vec<u8> {
        std::fs::read(std::env::current_exe().unwrap()).unwrap()
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_lean_program_is_smaller_and_still_runs() {
        use std::os::unix::fs::PermissionsExt;
        let whole = own_program();
        let lean = lean(whole.clone());
        assert!(lean.len() < whole.len());
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lean");
        std::fs::write(&path, &lean).unwrap();
        std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
        let listed = std::process::Command::new(&path)
            .arg("--list")
            .output()
            .unwrap();
        assert!(String::from_utf8_lossy(&listed.stdout).contains("a_lean_program"));
    }

    #[test]
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn the_glibc_that_a_program_needs_is_read() {
        let (major, minor) = glibc_needed(&own_program()).unwrap();
        assert!(major == 2 && (2..200).contains(&minor), "{major}.{minor}");
    }

    #[test]
    fn other_files_stay_as_they_are() {
        for file in [
            &b""[..],
            b"MZ and more",
            b"\x7fELF\x02\x01",
            &[b'\x7f'; 100],
        ] {
            assert_eq!(lean(file.to_vec()), file);
            assert_eq!(glibc_needed(file), None);
        }
        let mut torn = own_program();
        torn.truncate(5000);
        assert_eq!(lean(torn.clone()), torn);
    }
}
