//! Opens a file beneath a folder, and refuses symbolic links that lead out of it.

use std::fs::File;
use std::io;
use std::path::Path;

use super::regular_file;

/// Opens the file at `name`, a checked relative path, beneath `folder`. Symbolic links are followed
/// as long as they stay within the folder.
pub(super) fn open(folder: &Path, name: &str) -> io::Result<File> {
    #[cfg(target_os = "linux")]
    if let Some(opened) = open_by_kernel(folder, name) {
        return opened;
    }
    open_by_path(folder, name)
}

/// Lets the kernel resolve the path and refuse to leave the folder, so there is no race between
/// check and opening. `None` where the kernel does not support that.
#[cfg(target_os = "linux")]
fn open_by_kernel(folder: &Path, name: &str) -> Option<io::Result<File>> {
    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2};
    use rustix::io::Errno;
    let directory =
        match openat(CWD, folder, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()) {
            Ok(directory) => directory,
            Err(errno) => return Some(Err(errno.into())),
        };
    // Opening a pipe must not block until somebody writes to it.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    match openat2(directory, name, flags, Mode::empty(), resolve) {
        Ok(file) => Some(Ok(File::from(file))),
        Err(Errno::NOSYS | Errno::PERM) => None,
        Err(Errno::XDEV) => Some(Err(link_leaves_folder())),
        Err(errno) => Some(Err(errno.into())),
    }
}

fn open_by_path(folder: &Path, name: &str) -> io::Result<File> {
    let target = folder.join(name).canonicalize()?;
    if target.starts_with(folder.canonicalize()?) {
        regular_file::open(&target)
    } else {
        Err(link_leaves_folder())
    }
}

fn link_leaves_folder() -> io::Error {
    io::Error::other("a link that leads out of the folder")
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    use super::*;

    fn folder(name: &str) -> PathBuf {
        let outer = std::env::temp_dir().join(format!("sinew-io-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&outer);
        let inner = outer.join("asset");
        fs::create_dir_all(inner.join("sub")).unwrap();
        fs::write(inner.join("sub/a.bin"), "inside").unwrap();
        fs::write(outer.join("secret"), "outside").unwrap();
        symlink("sub/a.bin", inner.join("within")).unwrap();
        symlink("../secret", inner.join("without")).unwrap();
        symlink(outer.join("secret"), inner.join("absolute")).unwrap();
        symlink("..", inner.join("up")).unwrap();
        symlink("circle", inner.join("circle")).unwrap();
        inner
    }

    #[test]
    fn links_are_followed_only_within_the_folder() {
        let inner = folder("links");
        let openers: [fn(&Path, &str) -> io::Result<File>; 2] = [open_by_path, open];
        for open in openers {
            for name in ["sub/a.bin", "within"] {
                assert!(open(&inner, name).is_ok(), "{name}");
            }
            for name in ["without", "absolute", "up/secret", "circle", "missing"] {
                assert!(open(&inner, name).is_err(), "{name}");
            }
        }
        fs::remove_dir_all(inner.parent().unwrap()).unwrap();
    }
}
