//! The machine of the measurements.

use std::fs;
use std::thread;

use sinew::runtime::backend;

use crate::routines::Implementation;

/// The machine and the settings of a measurement.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The name of the CPU.
    pub cpu: Option<String>,
    /// The number of hardware threads.
    pub threads: usize,
    /// The frequency of the time stamp counter.
    pub gigahertz: Option<f64>,
    /// The backends that this machine supports.
    pub isas: Vec<&'static str>,
    /// Backends and published methods that it does not support, each with the reason.
    pub absent: Vec<(String, String)>,
    /// The model of the table `models`.
    pub model: String,
    /// Whether measurements are brief.
    pub quick: bool,
}

impl Machine {
    pub(crate) fn detect(gigahertz: Option<f64>, model: String, quick: bool) -> Self {
        Self {
            cpu: cpu_name(),
            threads: thread::available_parallelism().map_or(1, usize::from),
            gigahertz,
            isas: backend::available().map(sinew::runtime::Backend::name).collect(),
            absent: unsupported(),
            model,
            quick,
        }
    }

    /// One line of text.
    #[must_use]
    pub fn summary(&self) -> String {
        let cpu = self.cpu.as_deref().unwrap_or("unknown CPU");
        let threads = format!("{} thread{}", self.threads, if self.threads == 1 { "" } else { "s" });
        let counter = match self.gigahertz {
            Some(gigahertz) => format!("time stamp counter at {gigahertz:.3} GHz"),
            None => "no time stamp counter, so no cycles".to_owned(),
        };
        let (arch, os) = (std::env::consts::ARCH, std::env::consts::OS);
        let brief = if self.quick { ", measured briefly" } else { "" };
        let version = env!("CARGO_PKG_VERSION");
        format!("{cpu}, {threads}, {arch} {os}; {counter}; sinew {version}{brief}")
    }
}

fn unsupported() -> Vec<(String, String)> {
    let mut absent = Vec::new();
    for implementation in [Implementation::Sse2, Implementation::Sse3]
        .into_iter()
        .filter(|implementation| !implementation.is_supported())
    {
        let reason = match cfg!(target_arch = "x86_64") {
            true => format!("this CPU lacks {}", implementation.isa()),
            false => format!("not in a program built for {}", std::env::consts::ARCH),
        };
        absent.push((implementation.name().to_owned(), reason));
    }
    for name in backend::NAMES {
        if let Err(why) = backend::find(name) {
            absent.push((format!("sinew {name}"), why.reason()));
        }
    }
    absent
}

fn cpu_name() -> Option<String> {
    let information = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = information.lines().find(|line| line.starts_with("model name"))?;
    let name = line.split(':').nth(1)?.trim();
    Some(name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect())
}
