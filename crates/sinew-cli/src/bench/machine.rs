//! What the numbers were measured on.

use std::fs;
use std::thread;

use serde_json::{Value, json};
use sinew::backend;
use sinew_testkit::routines::Method;

/// The machine, as far as it tells.
pub(super) struct Machine {
    /// What the processor calls itself.
    pub(super) cpu: Option<String>,
    pub(super) threads: usize,
    /// Of the time stamp counter.
    pub(super) gigahertz: Option<f64>,
    /// Instruction sets that sinew can run on here.
    pub(super) isas: Vec<&'static str>,
    /// Those that it cannot, and methods of the papers, each with the reason.
    pub(super) absent: Vec<(String, String)>,
    /// What the table `models` is about.
    pub(super) model: String,
    pub(super) quick: bool,
}

impl Machine {
    pub(super) fn look(gigahertz: Option<f64>, model: String, quick: bool) -> Self {
        Self {
            cpu: cpu(),
            threads: thread::available_parallelism().map_or(1, usize::from),
            gigahertz,
            isas: backend::available().map(sinew::Backend::name).collect(),
            absent: absent(),
            model,
            quick,
        }
    }

    pub(super) fn json(&self) -> Value {
        let absent = self.absent.iter().map(|(method, reason)| json!({ "method": method, "reason": reason }));
        json!({
            "cpu": self.cpu,
            "arch": std::env::consts::ARCH,
            "os": std::env::consts::OS,
            "threads": self.threads,
            "tsc_ghz": self.gigahertz,
            "isas": self.isas,
            "absent": absent.collect::<Vec<_>>(),
            "sinew": env!("CARGO_PKG_VERSION"),
            "model": self.model,
            "quick": self.quick,
        })
    }

    /// In one line.
    pub(super) fn told(&self) -> String {
        let cpu = self.cpu.as_deref().unwrap_or("a processor without a name");
        let threads = crate::words::count(self.threads, "thread");
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

fn absent() -> Vec<(String, String)> {
    let mut absent = Vec::new();
    for method in [Method::Sse2, Method::Sse3].into_iter().filter(|method| !method.is_present()) {
        let reason = match cfg!(target_arch = "x86_64") {
            true => format!("this CPU lacks {}", method.isa()),
            false => format!("not in a program built for {}", std::env::consts::ARCH),
        };
        absent.push((method.name().to_owned(), reason));
    }
    for name in backend::NAMES {
        if let Err(why) = backend::find(name) {
            absent.push((format!("sinew {name}"), why.reason()));
        }
    }
    absent
}

fn cpu() -> Option<String> {
    let information = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = information.lines().find(|line| line.starts_with("model name"))?;
    Some(crate::words::one_line(line.split(':').nth(1)?.trim()))
}
