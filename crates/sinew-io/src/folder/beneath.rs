//! Opening a file below a folder, wherever symbolic links lead.

use std::fs::File;
use std::io;
use std::path::Path;

use super::regular;

/// Opens the file at `name`, a checked relative path, below `folder`. Links may lead anywhere within.
pub(super) fn open(folder: &Path, name: &str) -> io::Result<File> {
    #[cfg(target_os = "linux")]
    if let Some(opened) = by_kernel(folder, name) {
        return opened;
    }
    by_name(folder, name)
}

/// The kernel follows the path and refuses to leave the folder, so nothing can change between check and opening.
/// `None` where it cannot.
#[cfg(target_os = "linux")]
fn by_kernel(folder: &Path, name: &str) -> Option<io::Result<File>> {
    use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2};
    use rustix::io::Errno;
    let below = match openat(CWD, folder, OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty()) {
        Ok(below) => below,
        Err(errno) => return Some(Err(errno.into())),
    };
    // Opening a pipe must not wait for somebody to write.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    match openat2(below, name, flags, Mode::empty(), resolve) {
        Ok(file) => Some(Ok(File::from(file))),
        Err(Errno::NOSYS | Errno::PERM) => None,
        Err(Errno::XDEV) => Some(Err(leads_outside())),
        Err(errno) => Some(Err(errno.into())),
    }
}

fn by_name(folder: &Path, name: &str) -> io::Result<File> {
    let whole = folder.join(name).canonicalize()?;
    if whole.starts_with(folder.canonicalize()?) { regular::open(&whole) } else { Err(leads_outside()) }
}

fn leads_outside() -> io::Error {
    io::Error::other("a link that leads outside")
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
    fn links_within_are_followed_and_links_outside_are_not() {
        let inner = folder("links");
        let ways: [fn(&Path, &str) -> io::Result<File>; 2] = [by_name, open];
        for open in ways {
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
