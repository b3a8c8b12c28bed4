//! Pictures without a window: the same from every method, and each control changes them.
//!
//! They need EGL with OpenGL 3.3, by Mesa for one. Where there is none they are skipped, and say so.

#![cfg(target_os = "linux")]

use std::io::Write as _;
use std::sync::Once;

use sinew::backend;
use sinew_viewer::methods::{KINDS, Kind};
use sinew_viewer::offscreen::{Offscreen, picture};
use sinew_viewer::settings::{Layer, Settings, Threads};

const SIZE: [u32; 2] = [320, 240];

/// Whether there is something to draw with.
fn can_draw() -> bool {
    static PRINTED: Once = Once::new();
    match Offscreen::new() {
        Ok(_) => true,
        Err(reason) => {
            PRINTED.call_once(|| {
                // Past the capture of the test harness: who reads the log must see it.
                let _ = writeln!(std::io::stderr(), "skipped: pictures ({reason})");
            });
            false
        }
    }
}

/// Few copies, paused in the middle of a motion, with hard edges.
fn settings(model: &str) -> Settings {
    let mut settings = Settings { playing: false, ..Settings::default() };
    for (name, value) in [("model", model), ("copies", "4"), ("at", "0.61"), ("samples", "0")] {
        settings.set(name, value).expect("a known option");
    }
    settings
}

fn drawn(settings: Settings) -> Vec<u8> {
    picture(settings, SIZE, 1).expect("a picture")
}

/// The share of pixels that differ by more than one step in a colour.
fn share_apart(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), 4 * SIZE[0] as usize * SIZE[1] as usize);
    assert_eq!(a.len(), b.len());
    let apart = |(a, b): (&[u8], &[u8])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 1);
    let count = a.chunks(4).zip(b.chunks(4)).filter(|&pair| apart(pair)).count();
    count as f64 / (a.len() / 4) as f64
}

#[test]
fn the_vertex_shader_draws_what_the_processor_skins_and_not_another_pose() {
    if !can_draw() {
        return;
    }
    for model in ["@cylinders", "@figure:2000"] {
        for weights in [1, 4] {
            let own = Settings { weights, ..settings(model) };
            let skinned = drawn(own.clone());
            let shaded = drawn(Settings { kind: Kind::Gpu, ..own.clone() });
            let apart = share_apart(&skinned, &shaded);
            assert!(apart <= 0.001, "{model}, {weights} weights: {apart}");
            let wrong = drawn(Settings { kind: Kind::Gpu, seconds: own.seconds + 0.05, ..own });
            let apart = share_apart(&skinned, &wrong);
            assert!(apart > 0.01, "{model}, {weights} weights, a wrong pose: {apart}");
        }
    }
}

#[test]
fn every_method_that_blends_linearly_draws_the_same_picture() {
    if !can_draw() {
        return;
    }
    let base = settings("@figure:800");
    let expected = drawn(base.clone());
    for kind in KINDS {
        // Dual quaternions move vertices elsewhere on purpose, and weighted positions have no normals.
        let alike = !matches!(kind, Kind::Duals | Kind::Weighted(_));
        if let (true, Ok(found)) = (alike, picture(Settings { kind, ..base.clone() }, SIZE, 1)) {
            let apart = share_apart(&expected, &found);
            assert!(apart <= 0.001, "{}: {apart}", kind.name());
        }
    }
    for row in backend::available() {
        let found = drawn(Settings { row, ..base.clone() });
        let apart = share_apart(&expected, &found);
        assert!(apart <= 0.001, "{}: {apart}", row.name());
    }
    let duals = drawn(Settings { kind: Kind::Duals, ..base });
    assert!(share_apart(&expected, &duals) > 0.0);
}

#[test]
fn threads_change_no_pixel() {
    if !can_draw() {
        return;
    }
    for model in ["@cylinders", "@figure:500"] {
        let own = Settings { playing: true, ..settings(model) };
        let of = |threads| picture(Settings { threads, ..own.clone() }, SIZE, 5).expect("a picture");
        let expected = of(Threads::Off);
        assert!(of(Threads::Data) == expected, "{model}, data");
        assert!(of(Threads::Task) == expected, "{model}, task");
    }
}

#[test]
fn the_same_settings_give_the_same_bytes() {
    if !can_draw() {
        return;
    }
    let own = Settings { playing: true, samples: 4, ..settings("@cylinders") };
    let of = || picture(own.clone(), SIZE, 3).expect("a picture");
    assert!(of() == of());
}

#[test]
fn every_layer_is_seen() {
    if !can_draw() {
        return;
    }
    let mut base = settings("@figure:500");
    base.set("show", "surface").expect("a layer");
    let expected = drawn(base.clone());
    for layer in Layer::ALL {
        let mut own = base.clone();
        own.shown.set(layer, !own.shown.has(layer));
        // Names are written by the window.
        let seen = share_apart(&expected, &drawn(own)) > 0.001;
        assert_eq!(seen, layer != Layer::Names, "{}", layer.name());
    }
}

#[test]
fn a_shadow_falls_on_the_floor_and_is_darker() {
    if !can_draw() {
        return;
    }
    let mut lit = settings("@cylinders");
    lit.set("show", "nothing").expect("no layer");
    let mut shaded = lit.clone();
    shaded.shown.set(Layer::Shadow, true);
    let (lit, shaded) = (drawn(lit), drawn(shaded));
    let darker = lit.iter().zip(&shaded).filter(|(lit, shaded)| shaded < lit).count();
    assert!(darker > lit.len() / 100, "{darker}");
    assert!(lit.iter().zip(&shaded).all(|(lit, shaded)| shaded <= lit), "nothing becomes brighter");
}
