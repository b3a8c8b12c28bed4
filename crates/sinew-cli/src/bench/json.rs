//! All numbers as JSON. Keys are stable: new ones may be added, existing ones do not change.

use sinew_bench::Machine;
use sinew_bench::tables::Measurement;

use crate::json::{Value, json};

/// The machine and all rows.
pub(super) fn document(machine: &Machine, rows: &[Measurement]) -> Value {
    json!({ "machine": machine_json(machine), "rows": rows.iter().map(row_json).collect::<Vec<_>>() })
}

fn machine_json(machine: &Machine) -> Value {
    let absent = machine.absent.iter().map(|(method, reason)| json!({ "method": method, "reason": reason }));
    json!({
        "cpu": machine.cpu,
        "arch": std::env::consts::ARCH,
        "os": std::env::consts::OS,
        "threads": machine.threads,
        "tsc_ghz": machine.gigahertz,
        "isas": machine.isas,
        "absent": absent.collect::<Vec<_>>(),
        "sinew": env!("CARGO_PKG_VERSION"),
        "model": machine.model,
        "quick": machine.quick,
    })
}

fn row_json(row: &Measurement) -> Value {
    json!({
        "table": row.table,
        "routine": row.routine,
        "method": row.method,
        "isa": row.isa,
        "elements": row.elements,
        "weights": row.weights,
        "ns": row.ns,
        "cycles": row.cycles,
        "ratio": row.ratio,
        "error": row.error,
        "spread": row.spread,
    })
}
