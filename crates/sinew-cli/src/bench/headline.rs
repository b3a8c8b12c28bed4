//! The first lines of `sinew bench`: what one animated character costs, and how many a game can
//! have.

use sinew_bench::tables::Measurement;

/// A game's frames per second.
const FRAME_RATE: f64 = 60.0;

/// The cost of one character alone and among many, of the rows of instances; `None` if they were
/// not measured.
pub(super) fn headline(rows: &[Measurement]) -> Option<[String; 2]> {
    let mut instances = rows.iter().filter(|row| row.table == "frames" && row.routine == "instance");
    let (one, many) = (instances.next()?, instances.next_back()?);
    let vertices = one.elements;
    let characters = (many.elements / vertices).max(1);
    let (alone, each) = (one.seconds(), many.seconds() / characters as f64);
    let count = (1.0 / FRAME_RATE / each).floor();
    Some([
        format!(
            "One character of {vertices} vertices and 64 joints, two clips blended, skinned with normals \
             and tangents:"
        ),
        format!(
            "{:.1} us a frame on one core; {:.1} us each among {characters}, so one core has time for \
             {count} of them at {FRAME_RATE} Hz.",
            alone * 1e6,
            each * 1e6,
        ),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instances(count: usize, ns: f64) -> Measurement {
        let row = Measurement::new("frames", "instance", "sinew", None);
        Measurement { elements: 5000 * count, ns, ..row }
    }

    #[test]
    fn the_headline_has_the_time_of_a_frame_and_the_number_at_60_hz() {
        let rows = [instances(1, 2.0), instances(100, 3.0), instances(1000, 4.0)];
        let [character, cost] = headline(&rows).expect("instances were measured");
        assert!(character.starts_with("One character of 5000 vertices and 64 joints"), "{character}");
        assert_eq!(
            cost,
            "10.0 us a frame on one core; 20.0 us each among 1000, so one core has time for 833 of them \
             at 60 Hz."
        );
        assert_eq!(headline(&[Measurement::new("papers", "instance", "sinew", None)]), None);
        assert_eq!(headline(&[instances(1, 2.0)]), None);
    }
}
