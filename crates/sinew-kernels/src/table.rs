//! One list of kernels, one row of compiled kernels per instruction set.
//!
//! A cell is a kernel's body compiled for one row and one rounding. The list below makes the struct, its safe
//! methods and every row, so a kernel that a row forgets does not compile. AVX-512 has AVX2's cells but for those it names.

use crate::kernels::*;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
use crate::lanes::intrinsics::{Exact, Fast};
#[cfg(target_arch = "aarch64")]
use crate::lanes::neon::{self, Neon};
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
use crate::lanes::simd128::{self, Simd128};
#[cfg(target_arch = "x86_64")]
use crate::lanes::xmm::{self, Xmm};
#[cfg(target_arch = "x86_64")]
use crate::lanes::ymm::{Avx2, Avx512, Ymm};
use crate::lanes::{Lanes, plain};

/// How a kernel may round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FloatMode {
    /// Multiply and add in one rounding where the hardware can. The same bits on every row that
    /// [fuses](Backend::fuses), and those of `Reproducible` on every other.
    #[default]
    Fast,
    /// The same bits on every instruction set, target, batch size and number of threads.
    Reproducible,
}

/// The kernels of one instruction set.
pub struct Backend {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) fuses: bool,
    /// Features this CPU lacks for the row, which is available when there are none.
    pub(crate) missing_features: fn() -> Vec<&'static str>,
    fast: Kernels,
    reproducible: Kernels,
}

impl Backend {
    /// The name that `SINEW_ISA` and [`backend::get`](crate::backend::get) know it by.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Registers and features, in words.
    #[must_use]
    pub fn description(&self) -> &'static str {
        self.description
    }

    /// Whether [`FloatMode::Fast`] multiplies and adds in one rounding here.
    #[must_use]
    pub fn fuses(&self) -> bool {
        self.fuses
    }

    /// The kernels that round as asked.
    #[must_use]
    pub fn kernels(&'static self, float_mode: FloatMode) -> &'static Kernels {
        match float_mode {
            FloatMode::Fast => &self.fast,
            FloatMode::Reproducible => &self.reproducible,
        }
    }
}

impl std::fmt::Debug for Backend {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Backend({})", self.name)
    }
}

/// Hands the list of kernels to a macro, after what the macro wants to see first.
macro_rules! with_kernels {
    ($macro:ident $([$($first:tt)*])?) => { $macro! { $([$($first)*])?
        /// Joints, and scales where given, to matrices.
        joints_to_matrices: JointsToMatrices = joints_to_matrices::body;
        /// Rigid matrices to joints.
        matrices_to_joints: MatricesToJoints = matrices_to_joints::body;
        /// Any matrices to joints, scales and what is left of them: shear.
        matrices_to_scaled_joints: MatricesToScaledJoints = matrices_to_scaled_joints::body;
        /// Local to model space, in place, over a range of joints.
        local_to_model: LocalToModel = local_to_model::body;
        /// Model to local space, in place, over a range of joints without scale.
        rigid_model_to_local: ModelToLocal = rigid_model_to_local::body;
        /// Model to local space, in place, over a range of any joints.
        model_to_local: ModelToLocal = model_to_local::body;
        /// Palette = model x inverse bind.
        palette: ToPalette = palette::body;
        /// Between two poses, rotations along the chord and normalised: fast, speed of turning varies.
        nlerp: Interpolate = interpolate::nlerp;
        /// Between two poses, rotations along the arc at even speed.
        slerp: Interpolate = interpolate::slerp;
        /// Between two arrays of rotations along the arc at even speed.
        slerp_rotations: SlerpRotations = slerp_rotations::body;
        /// The weighted mean of the joints of several layers.
        blend_joints: BlendJoints = blend_joints::body;
        /// Joints of up to eight instances to blocks of matrices.
        crowd_joints_to_matrices: CrowdJointsToMatrices = crowd::joints_to_matrices;
        /// Local to model space, in place, over a range of joints of eight instances at once.
        crowd_local_to_model: CrowdLocalToModel = crowd::local_to_model;
        /// Palettes of up to eight instances from their blocks of model matrices.
        crowd_palette: CrowdToPalette = crowd::palette;
        /// Vertices moved by morph targets, before skinning.
        morph_blocks: MorphBlocks = morph_blocks::body;
        /// Vertices of runs that share a set of joints, to where a palette takes them.
        skin_shared_joints: SkinSharedJoints = skin_shared_joints::body;
        /// The same, straight into packed arrays or interleaved vertices.
        skin_into_layout: SkinIntoLayout = skin_into_layout::body;
        /// Skinned blocks to other forms, with bitangents and bounds.
        store_vertices: StoreVertices = store_vertices::body;
        /// Vertices that have joints of their own, as many each, to where a palette takes them.
        skin_per_vertex_joints: SkinPerVertexJoints = skin_per_vertex_joints::body;
        /// Vertices given once for each joint of their run, times its weight, to where a palette takes them.
        skin_pre_weighted: SkinPreWeighted = skin_pre_weighted::body;
        /// Palette matrices to dual quaternions and what those cannot hold: scale, shear and mirrors.
        palette_to_dual_quaternions: PaletteToDualQuaternions = palette_to_dual_quaternions::body;
        /// Vertices to where a palette takes them by dual quaternions.
        skin_dual_quaternions: SkinDualQuaternions = skin_dual_quaternions::body;
        /// The planes of triangles.
        planes: ToPlanes = planes::body;
        /// The angles of triangles.
        corner_angles: ToAngles = corner_angles::body;
        /// Which planes a light is in front of.
        facing: ToFacing = facing::body;
        /// A little arithmetic, so that wide registers are awake when they are needed.
        warm_up: WarmUp = warm_up::body;
    } };
}

macro_rules! define_kernels {
    ($($(#[$doc:meta])* $name:ident: $contract:ident = $module:ident::$body:ident;)*) => {
        /// Every kernel, compiled for one instruction set and one rounding.
        pub struct Kernels {
            $($name: unsafe fn(&mut $contract<'_>),)*
        }

        impl Kernels {
            $($(#[$doc])*
            ///
            /// # Panics
            ///
            /// When the slices' lengths break the contract.
            pub fn $name(&self, mut contract: $contract<'_>) {
                // SAFETY: `isa` hands out a row only where the CPU has everything the row needs.
                unsafe { (self.$name)(&mut contract) }
            })*
        }
    };
}
with_kernels!(define_kernels);

impl std::fmt::Debug for Kernels {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Kernels")
    }
}

/// The cells of a row: opens the feature gate and enters the body with the proof.
macro_rules! variants {
    ([$token:ty, $gate:meta] $($(#[$doc:meta])* $name:ident: $contract:ident = $module:ident::$body:ident;)*) => {
        // A module each, since the compiler compiles, and compiles again, by modules.
        $(mod $name {
            use super::super::*;

            #[$gate]
            pub(super) fn variant<L: Lanes<Token = $token>>(contract: &mut $contract<'_>) {
                // Where one body is broken on purpose, the others would only take time to compile.
                #[cfg(sinew_broken_body)]
                if const { !matches!(stringify!($name).as_bytes(), b"palette") } {
                    return;
                }
                $module::$body::<L>(<$token>::new(), contract);
            }
        })*

        pub(super) const fn kernels<L: Lanes<Token = $token>>() -> Kernels {
            Kernels { $($name: $name::variant::<L>,)* }
        }
    };
}

#[allow(dead_code, reason = "not every target has the row")]
mod plain_backend {
    use super::*;
    with_kernels!(variants [plain::Token, inline(never)]);
}

#[cfg(target_arch = "x86_64")]
mod sse2_backend {
    use super::*;
    with_kernels!(variants [xmm::Token, target_feature(enable = "sse2")]);
}

#[cfg(target_arch = "x86_64")]
mod avx2_backend {
    use super::*;
    with_kernels!(variants [Avx2, target_feature(enable = "avx2,fma")]);
}

#[cfg(target_arch = "x86_64")]
mod avx512_backend {
    use super::*;
    with_kernels!(variants [Avx512, target_feature(enable = "avx2,fma,avx512f,avx512vl,avx512dq,avx512bw")]);
}

#[cfg(target_arch = "aarch64")]
mod neon_backend {
    use super::*;
    with_kernels!(variants [neon::Token, target_feature(enable = "neon")]);
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128_backend {
    use super::*;
    with_kernels!(variants [simd128::Token, inline(never)]);
}

/// The features of the list that this CPU does not report.
#[cfg(target_arch = "x86_64")]
macro_rules! missing_features {
    ($($feature:tt),+) => {
        || [$(($feature, std::is_x86_feature_detected!($feature))),+]
            .into_iter().filter(|(_, there)| !there).map(|(feature, _)| feature).collect()
    };
}

/// Every row compiled into this program, the slowest first. Every machine of the target can run the
/// first one.
pub(crate) static BACKENDS: &[Backend] = &[
    // Where no other row is, or a test compares with it. Nobody else would choose it, and it takes
    // a third of the time to compile.
    #[cfg(any(
        feature = "oracle",
        not(any(
            target_arch = "x86_64",
            target_arch = "aarch64",
            all(target_arch = "wasm32", target_feature = "simd128")
        ))
    ))]
    Backend {
        name: "plain",
        description: "plain Rust, 4 lanes",
        fuses: false,
        missing_features: Vec::new,
        fast: plain_backend::kernels::<plain::Plain<false>>(),
        reproducible: plain_backend::kernels::<plain::Plain<false>>(),
    },
    #[cfg(target_arch = "x86_64")]
    Backend {
        name: "sse2",
        description: "SSE2, 128-bit registers, 4 lanes",
        fuses: false,
        missing_features: Vec::new,
        fast: sse2_backend::kernels::<Xmm>(),
        reproducible: sse2_backend::kernels::<Xmm>(),
    },
    #[cfg(target_arch = "x86_64")]
    Backend {
        name: "avx2",
        description: "AVX2 and FMA, 256-bit registers, 8 lanes",
        fuses: true,
        missing_features: missing_features!("avx2", "fma"),
        fast: avx2_backend::kernels::<Ymm<Avx2, Fast>>(),
        reproducible: avx2_backend::kernels::<Ymm<Avx2, Exact>>(),
    },
    #[cfg(target_arch = "x86_64")]
    Backend {
        name: "avx512",
        description: "AVX-512 F, VL, DQ, BW, 256-bit registers, 8 lanes",
        fuses: true,
        missing_features: missing_features!("avx2", "fma", "avx512f", "avx512vl", "avx512dq", "avx512bw"),
        // Those that are faster with more registers, and with numbers spread to all lanes by the instruction that uses them. The
        // others would gain nothing; and where joints are put together from registers, lose up to a fifth, because the compiler
        // then makes the halves of a shuffle one by one.
        fast: Kernels {
            palette: AVX512.palette,
            crowd_local_to_model: AVX512.crowd_local_to_model,
            crowd_palette: AVX512.crowd_palette,
            skin_shared_joints: AVX512.skin_shared_joints,
            skin_into_layout: AVX512.skin_into_layout,
            skin_pre_weighted: AVX512.skin_pre_weighted,
            skin_dual_quaternions: AVX512.skin_dual_quaternions,
            ..avx2_backend::kernels::<Ymm<Avx2, Fast>>()
        },
        // Cells of its own would be a seventh of all code.
        reproducible: avx2_backend::kernels::<Ymm<Avx2, Exact>>(),
    },
    #[cfg(target_arch = "aarch64")]
    Backend {
        name: "neon",
        description: "NEON, 128-bit registers, 4 lanes",
        fuses: true,
        missing_features: Vec::new,
        fast: neon_backend::kernels::<Neon<Fast>>(),
        reproducible: neon_backend::kernels::<Neon<Exact>>(),
    },
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Backend {
        name: "simd128",
        description: "WebAssembly simd128, 4 lanes",
        fuses: false,
        missing_features: Vec::new,
        fast: simd128_backend::kernels::<Simd128>(),
        reproducible: simd128_backend::kernels::<Simd128>(),
    },
];

/// Every kernel with AVX-512's instructions; what the row does not name is not compiled.
#[cfg(target_arch = "x86_64")]
const AVX512: Kernels = avx512_backend::kernels::<Ymm<Avx512, Fast>>();

/// Plain lanes that fuse in software.
#[cfg(feature = "oracle")]
pub(crate) static FUSED_ORACLE: Kernels = plain_backend::kernels::<plain::Plain<true>>();
