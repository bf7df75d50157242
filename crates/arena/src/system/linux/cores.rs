//! Processor cores: which ones there are for us, and a thread kept on some of them.

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;

/// The cores that this process may use, lowest first.
pub(crate) fn allowed_cores() -> Vec<usize> {
    let Ok(set) = sched_getaffinity(Pid::from_raw(0)) else {
        return Vec::new();
    };
    let is_allowed = |&core: &usize| set.is_set(core).unwrap_or(false);
    (0..CpuSet::count()).filter(is_allowed).collect()
}

/// Keeps the calling thread, and all that it starts from now on, on these cores.
pub(crate) fn keep_on_cores(cores: &[usize]) {
    let mut set = CpuSet::new();
    if cores.iter().all(|&core| set.set(core).is_ok()) {
        // Refused, the games go on wherever the system puts them.
        let _ = sched_setaffinity(Pid::from_raw(0), &set);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_and_all_that_it_starts_stay_on_their_cores() {
        let core = *allowed_cores().last().unwrap();
        let of_child = std::thread::spawn(move || {
            keep_on_cores(&[core]);
            std::thread::spawn(allowed_cores).join().unwrap()
        });
        assert_eq!(of_child.join().unwrap(), [core]);
    }
}
