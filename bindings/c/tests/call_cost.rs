//! What a call of the installed C library costs over the same call in Rust: alternating runs in one
//! process. Prints nanoseconds a call; the aim is at most 20 more, and 1 % for 3000 vertices.
//!
//!     c_call_cost PREFIX/lib/libsinew.so

#![expect(clippy::print_stdout, reason = "it prints what it measures")]
#![expect(clippy::unwrap_used, reason = "a failed call ends the program")]

use std::ffi::{CStr, CString, c_void};
use std::hint::black_box;
use std::time::Instant;

use sinew::skinning::{Target, VertexAttribute, VertexFormat, VertexLayout, VertexWriter};
use sinew_c::*;

const ROUNDS: usize = 301;

// The libraries of the system that every program of Rust is linked to.
#[cfg(not(windows))]
mod system {
    use std::ffi::{c_char, c_int, c_void};

    unsafe extern "C" {
        fn dlopen(path: *const c_char, flags: c_int) -> *mut c_void;
        pub(crate) fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    }

    const RTLD_NOW: c_int = 2;

    pub(crate) unsafe fn open(path: *const c_char) -> *mut c_void {
        // SAFETY: the caller's promise: a text that ends with zero.
        unsafe { dlopen(path, RTLD_NOW) }
    }
}

#[cfg(windows)]
mod system {
    use std::ffi::{c_char, c_void};

    #[link(name = "kernel32")]
    unsafe extern "system" {
        #[link_name = "LoadLibraryA"]
        pub(crate) fn open(path: *const c_char) -> *mut c_void;
        #[link_name = "GetProcAddress"]
        pub(crate) fn dlsym(library: *mut c_void, name: *const c_char) -> *mut c_void;
    }
}

/// Opens the library that the command line names.
fn open_library() -> *mut c_void {
    let path = CString::new(std::env::args().nth(1).expect("the path of libsinew.so")).unwrap();
    // SAFETY: a text that ends with zero; what the library runs when it is opened is ours.
    let library = unsafe { system::open(path.as_ptr()) };
    assert!(!library.is_null(), "{path:?} cannot be opened");
    library
}

/// A function of the library.
fn function(library: *mut c_void, name: &CStr) -> *mut c_void {
    // SAFETY: an open library, and a text that ends with zero.
    let found = unsafe { system::dlsym(library, name.as_ptr()) };
    assert!(!found.is_null(), "{name:?} is missing");
    found
}

/// A function of the library, with the type of the one of the same name in this crate.
macro_rules! function {
    ($library:expr, $name:ident, $type:ty) => {{
        let _: $type = $name;
        let found = function($library, &CString::new(stringify!($name)).unwrap());
        // SAFETY: the library was built from this crate, so the function has this type.
        black_box(unsafe { std::mem::transmute::<*mut c_void, $type>(found) })
    }};
}

type Load =
    unsafe extern "C" fn(*const u8, usize, *const ClipBytes, usize, *const LoadSettings, *mut Model) -> Code;
type New = unsafe extern "C" fn(Model, *const SkinSettings, *mut Instance) -> Code;
type Play = unsafe extern "C" fn(Instance, u32, *const PlaySettings) -> Code;
type Pose = unsafe extern "C" fn(Instance, u32, *mut Transform, usize) -> Code;
type Step = extern "C" fn(Instance, f32) -> Code;
type SkinInto = unsafe extern "C" fn(Instance, u32, *const Layout, *const Buffer, usize, *mut Bounds) -> Code;

fn main() {
    let library = open_library();
    let load = function!(library, sinew_load_bytes, Load);
    let new = function!(library, sinew_instance_new, New);
    let play = function!(library, sinew_instance_play, Play);
    let pose = function!(library, sinew_instance_pose, Pose);
    let step = function!(library, sinew_instance_step, Step);
    let skin = function!(library, sinew_instance_skin_into, SkinInto);
    let model = sinew_figures::scene("@figure:3000").unwrap().model().unwrap();
    let mut glb = Vec::new();
    sinew_io::write_model_glb(&mut glb, &model, sinew_io::UpAxisConversion::None).unwrap();
    let model = sinew_io::load_bytes(&glb, &sinew_io::ImportOptions::default()).unwrap().model;
    let (mut handle, mut foreign) = (Model { id: 0 }, Instance { id: 0 });
    // SAFETY: all pointers are to locals, with their lengths.
    let code =
        unsafe { load(glb.as_ptr(), glb.len(), std::ptr::null(), 0, std::ptr::null(), &raw mut handle) };
    assert_eq!(code, Code::Ok);
    // SAFETY: as above.
    let code = unsafe { new(handle, std::ptr::null(), &raw mut foreign) };
    assert_eq!(code, Code::Ok);
    let mut own = model.instance();
    own.start(0);
    // SAFETY: as above.
    assert_eq!(unsafe { play(foreign, 0, std::ptr::null()) }, Code::Ok);

    // A call that does almost nothing: the pose of one joint.
    let joint = sinew::JointId::new(0);
    let (mut transform, mut of_rust) = (Transform::IDENTITY, Transform::IDENTITY);
    report(
        "read a joint",
        20_000,
        &mut [&mut || of_rust = black_box(black_box(&own).pose().transform(joint)).into(), &mut || {
            // SAFETY: one transform is writable.
            black_box(unsafe { pose(foreign, 0, &raw mut transform, 1) });
        }],
    );
    report(
        "step",
        500,
        &mut [&mut || black_box(&mut own).step(0.01), &mut || {
            black_box(step(foreign, 0.01));
        }],
    );

    let vertices = model.primitive(0).mesh.len();
    let mut buffer = vec![[0.0_f32; 8]; vertices];
    let layout = VertexLayout::interleaved(32)
        .with(VertexAttribute::Position, VertexFormat::Float32x3, 0)
        .with(VertexAttribute::Normal, VertexFormat::Float32x3, 12);
    let record = Layout {
        stride: 32,
        position: Attribute { format: 1, ..Attribute::default() },
        normal: Attribute { format: 1, offset: 12, ..Attribute::default() },
        ..Layout::default()
    };
    let memory = Buffer { data: buffer.as_mut_ptr().cast(), length: 32 * vertices };
    println!("{vertices} vertices");
    report(
        "skin",
        100,
        &mut [
            &mut || {
                let writer = VertexWriter::new(&layout, [&mut buffer], vertices).unwrap();
                black_box(&mut own).skin_into(0, Target::vertices(writer)).unwrap();
            },
            &mut || {
                // SAFETY: the layout and one buffer with its length.
                let code = unsafe {
                    skin(foreign, 0, &raw const record, &raw const memory, 1, std::ptr::null_mut())
                };
                assert_eq!(black_box(code), Code::Ok);
            },
        ],
    );
}

/// Prints the fastest run and the median of two alternatives, and the median of their ratios.
fn report(what: &str, calls: usize, alternatives: &mut [&mut dyn FnMut(); 2]) {
    let mut times = [Vec::new(), Vec::new()];
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let mut pair = [0.0; 2];
        for (index, call) in alternatives.iter_mut().enumerate() {
            let start = Instant::now();
            (0..calls).for_each(|_| call());
            pair[index] = start.elapsed().as_nanos() as f64 / calls as f64;
            times[index].push(pair[index]);
        }
        ratios.push(pair[1] / pair[0]);
    }
    let [rust, c] = times.each_ref().map(|times| times.iter().copied().fold(f64::INFINITY, f64::min));
    let [rust_median, c_median] = times.map(median);
    println!(
        "{what}: fastest Rust {rust:.1} ns, C {c:.1} ns, {:+.1} ns; medians {rust_median:.1}, {c_median:.1}, \
         {:+.1} ns; ratio {:.4}",
        c - rust,
        c_median - rust_median,
        median(ratios)
    );
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers[numbers.len() / 2]
}
