//! Pictures without a window: every method draws the same, and every layer changes the picture.
//!
//! They need EGL with OpenGL 3.3, for instance Mesa. Without it they are skipped, with a message.

#![cfg(target_os = "linux")]

use std::io::Write as _;
use std::sync::Once;

use sinew::runtime::backend;
use sinew_viewer::methods::MethodKind;
use sinew_viewer::offscreen::{Offscreen, render_frames};
use sinew_viewer::settings::{Layer, Settings, Threads, Weights};

const SIZE: [u32; 2] = [320, 240];

/// Whether OpenGL is available.
fn can_draw() -> bool {
    static PRINTED: Once = Once::new();
    match Offscreen::new() {
        Ok(_) => true,
        Err(reason) => {
            PRINTED.call_once(|| {
                // Written directly, because the test harness would capture `eprintln!`.
                let _ = writeln!(std::io::stderr(), "skipped: pictures ({reason})");
            });
            false
        }
    }
}

/// Few copies, paused in the middle of a motion, without antialiasing.
fn settings(model: &str) -> Settings {
    let mut settings = Settings { playing: false, ..Settings::default() };
    for (name, value) in [("model", model), ("copies", "4"), ("at", "0.61"), ("samples", "0")] {
        settings.set(name, value).expect("a known option");
    }
    settings
}

fn draw(settings: Settings) -> Vec<u8> {
    render_frames(settings, SIZE, 1).expect("a picture")
}

/// The share of pixels in which a channel differs by more than one.
fn share_different(a: &[u8], b: &[u8]) -> f64 {
    assert_eq!(a.len(), 4 * SIZE[0] as usize * SIZE[1] as usize);
    assert_eq!(a.len(), b.len());
    let different = |(a, b): (&[u8], &[u8])| a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > 1);
    let count = a.chunks(4).zip(b.chunks(4)).filter(|&pair| different(pair)).count();
    count as f64 / (a.len() / 4) as f64
}

#[test]
fn the_vertex_shader_draws_the_same_pose_as_the_cpu() {
    if !can_draw() {
        return;
    }
    for model in ["@cylinders", "@figure:2000"] {
        for weights in [1, 4].map(Weights::AtMost) {
            let own = Settings { weights, ..settings(model) };
            let skinned = draw(own.clone());
            let shaded = draw(Settings { method: MethodKind::Gpu, ..own.clone() });
            let different = share_different(&skinned, &shaded);
            assert!(different <= 0.001, "{model}, {weights:?}: {different}");
            let wrong = draw(Settings { method: MethodKind::Gpu, seconds: own.seconds + 0.05, ..own });
            let different = share_different(&skinned, &wrong);
            assert!(different > 0.01, "{model}, {weights:?}, a wrong pose: {different}");
        }
    }
}

#[test]
fn all_linear_methods_draw_the_same_picture() {
    if !can_draw() {
        return;
    }
    let base = settings("@figure:800");
    let expected = draw(base.clone());
    for method in MethodKind::ALL {
        // Dual quaternions move vertices differently by design, and weighted positions have no
        // normals.
        let is_linear = !matches!(method, MethodKind::DualQuaternions | MethodKind::Weighted(_));
        if let (true, Ok(found)) = (is_linear, render_frames(Settings { method, ..base.clone() }, SIZE, 1)) {
            let different = share_different(&expected, &found);
            assert!(different <= 0.001, "{}: {different}", method.name());
        }
    }
    for backend in backend::available() {
        let found = draw(Settings { backend, ..base.clone() });
        let different = share_different(&expected, &found);
        assert!(different <= 0.001, "{}: {different}", backend.name());
    }
    let duals = draw(Settings { method: MethodKind::DualQuaternions, ..base });
    assert!(share_different(&expected, &duals) > 0.0);
}

#[test]
fn threads_change_no_pixel() {
    if !can_draw() {
        return;
    }
    for model in ["@cylinders", "@figure:500"] {
        let own = Settings { playing: true, ..settings(model) };
        let render =
            |threads| render_frames(Settings { threads, ..own.clone() }, SIZE, 5).expect("a picture");
        let expected = render(Threads::Off);
        assert!(render(Threads::Data) == expected, "{model}, data");
        assert!(render(Threads::Task) == expected, "{model}, task");
    }
}

#[test]
fn the_same_settings_give_the_same_bytes() {
    if !can_draw() {
        return;
    }
    let own = Settings { playing: true, samples: 4, ..settings("@cylinders") };
    let render = || render_frames(own.clone(), SIZE, 3).expect("a picture");
    assert!(render() == render());
}

#[test]
fn every_layer_changes_the_picture() {
    if !can_draw() {
        return;
    }
    let mut base = settings("@figure:500");
    base.set("show", "surface").expect("a layer");
    let expected = draw(base.clone());
    for layer in Layer::ALL {
        let mut own = base.clone();
        own.layers.set(layer, !own.layers.contains(layer));
        assert!(share_different(&expected, &draw(own)) > 0.001, "{}", layer.name());
    }
}

#[test]
fn a_shadow_darkens_the_floor() {
    if !can_draw() {
        return;
    }
    let mut lit = settings("@cylinders");
    lit.set("show", "nothing").expect("no layer");
    let mut shaded = lit.clone();
    shaded.layers.set(Layer::Shadow, true);
    let (lit, shaded) = (draw(lit), draw(shaded));
    let darker = lit.iter().zip(&shaded).filter(|(lit, shaded)| shaded < lit).count();
    assert!(darker > lit.len() / 100, "{darker}");
    assert!(lit.iter().zip(&shaded).all(|(lit, shaded)| shaded <= lit), "nothing becomes brighter");
}
