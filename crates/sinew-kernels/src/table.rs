//! The list of kernels, and the table of backends with their compiled kernels.
//!
//! A variant is a kernel's body compiled for one backend and one float mode. The list below
//! generates the safe methods that call variants, and the variants of every backend, so that no
//! backend can miss a kernel. AVX-512 reuses AVX2's variants except for the kernels it names.
//!
//! Each kernel has an array of its variants that only its method knows. A program that is linked
//! without unused functions has only the kernels that it calls.

use crate::VertexWriter;
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

/// Which floating-point operations a kernel may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FloatMode {
    /// Fused multiply-add where the hardware has it. The bits are the same on every backend that
    /// [fuses](Backend::fuses), and equal to those of `Reproducible` on every other.
    #[default]
    Fast,
    /// The same bits on every instruction set, target, batch size and number of threads.
    Reproducible,
}

/// All kernels, compiled for one instruction set.
pub struct Backend {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    pub(crate) fuses: bool,
    pub(crate) lanes: usize,
    /// The CPU features that this backend needs and this machine lacks. Empty: the backend is
    /// available.
    pub(crate) missing_features: fn() -> Vec<&'static str>,
    fast: Kernels,
    reproducible: Kernels,
}

impl Backend {
    /// The name that `SINEW_ISA` and [`backend::get`](crate::backend::get) take.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Instruction set, register width and number of lanes, as text.
    #[must_use]
    pub fn description(&self) -> &'static str {
        self.description
    }

    /// Whether [`FloatMode::Fast`] uses fused multiply-add on this backend.
    #[must_use]
    pub fn fuses(&self) -> bool {
        self.fuses
    }

    /// The number of `f32` in a register.
    #[must_use]
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// The kernels for a float mode.
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

/// Passes the list of kernels to a macro, after the macro's own arguments.
macro_rules! with_kernels {
    ($macro:ident $([$($first:tt)*])?) => { $macro! { $([$($first)*])?
        /// Converts joints, with scales if given, to matrices.
        joints_to_matrices: JointsToMatrices = joints_to_matrices::body;
        /// Converts rigid matrices to joints.
        matrices_to_joints: MatricesToJoints = matrices_to_joints::body;
        /// Decomposes any matrices into joints, scales and the remaining shear.
        matrices_to_scaled_joints: MatricesToScaledJoints = matrices_to_scaled_joints::body;
        /// Local to model space, in place, over a range of joints.
        local_to_model: LocalToModel = local_to_model::body;
        /// Model to local space, in place, over a range of joints without scale.
        rigid_model_to_local: ModelToLocal = rigid_model_to_local::body;
        /// Model to local space, in place, over a range of joints with any scale.
        model_to_local: ModelToLocal = model_to_local::body;
        /// Computes a skin's palette: model x inverse bind.
        palette: ToPalette = palette::body;
        /// Interpolates two poses; rotations by slerp, at constant angular speed.
        slerp_poses: SlerpPoses = slerp_poses::body;
        /// Blends several poses: their weighted mean.
        blend_poses: BlendPoses = blend_poses::body;
        /// Blends two poses, with the same weights for all joints.
        blend_two_poses: BlendTwoPoses = blend_two_poses::body;
        /// Adds the difference between two poses to a third.
        add_poses: AddPoses = add_poses::body;
        /// Adds a decaying offset to a pose.
        add_pose_offsets: AddPoseOffsets = add_pose_offsets::body;
        /// Computes model matrices from a pose, over a range of joints.
        pose_to_model: PoseToModel = pose_to_model::body;
        /// Interpolates rotation keys along their arcs.
        sample_rotations: SampleRotations = sample_keys::rotations;
        /// Interpolates rotation keys along their chords and normalizes.
        nlerp_rotations: NlerpRotations = sample_keys::nlerp_rotations;
        /// Interpolates keys of translations or scales linearly.
        sample_vectors: SampleVectors = sample_keys::vectors;
        /// Interpolates rotation keys of a few joints of a block along their arcs.
        sample_packed_rotations: SamplePackedRotations = sample_packed_keys::rotations;
        /// Interpolates rotation keys of a few joints of a block along their chords and normalizes.
        nlerp_packed_rotations: NlerpPackedRotations = sample_packed_keys::nlerp_rotations;
        /// Interpolates keys of translations or scales of a few joints of a block linearly.
        sample_packed_vectors: SamplePackedVectors = sample_packed_keys::vectors;
        /// Finds the tracks whose current pair of keys does not hold a time.
        find_stale_keys: FindStaleKeys = sample_keys::find_stale;
        /// Simulates the spring bones of up to eight characters.
        simulate_springs: SimulateSprings = simulate_springs::body;
        /// Applies morph targets to vertices, before skinning.
        morph_blocks: MorphBlocks = morph_blocks::body;
        /// Skins runs of vertices that share a joint set.
        skin_shared_joints: SkinSharedJoints = skin_shared_joints::body;
        /// Skins runs or segments directly into a vertex layout, or into blocks.
        skin_into_layout: SkinIntoLayout = skin_into_layout::body;
        /// Skins positions and stores each for any number of vertices.
        skin_unique_positions: SkinUniquePositions = skin_unique_positions::body;
        /// Stores skinned blocks in a vertex layout; computes bitangents and the AABB.
        store_vertices: StoreVertices = store_vertices::body;
        /// Computes the AABB of skinned blocks.
        block_bounds: BlockBounds = block_bounds::body;
        /// Computes the AABB of positions in a vertex buffer.
        position_bounds: PositionBounds = position_bounds::body;
        /// Skins vertices that have joints of their own, the same number each.
        skin_per_vertex_joints: SkinPerVertexJoints = skin_per_vertex_joints::body;
        /// Skins vertices stored once per joint of their run, multiplied by the joint's weight.
        skin_pre_weighted: SkinPreWeighted = skin_pre_weighted::body;
        /// Decomposes palette matrices into dual quaternions and the scale, shear and mirrors left
        /// over.
        palette_to_dual_quaternions: PaletteToDualQuaternions = palette_to_dual_quaternions::body;
        /// Skins vertices by dual quaternions.
        skin_dual_quaternions: SkinDualQuaternions = skin_dual_quaternions::body;
        /// Computes the planes of triangles.
        planes: ToPlanes = planes::body;
        /// Computes the corner angles of triangles.
        corner_angles: ToAngles = corner_angles::body;
        /// Computes which planes face a light.
        facing: ToFacing = facing::body;
        /// Runs a few instructions to power up wide SIMD registers before they are needed.
        warm_up: WarmUp = warm_up::body;
    } };
}

/// A backend in one float mode. Each kernel's array has its variants in this order.
#[derive(Clone, Copy)]
enum Column {
    #[cfg(any(
        feature = "oracle",
        not(any(
            target_arch = "x86_64",
            target_arch = "aarch64",
            all(target_arch = "wasm32", target_feature = "simd128")
        ))
    ))]
    Plain,
    #[cfg(feature = "oracle")]
    FusedPlain,
    #[cfg(target_arch = "x86_64")]
    Sse2,
    #[cfg(target_arch = "x86_64")]
    Avx2Fast,
    #[cfg(target_arch = "x86_64")]
    Avx2Exact,
    #[cfg(target_arch = "x86_64")]
    Avx512Fast,
    #[cfg(target_arch = "aarch64")]
    NeonFast,
    #[cfg(target_arch = "aarch64")]
    NeonExact,
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Simd128,
}

impl Column {
    /// Whether skinning stores numbers smaller than floats straight from registers.
    #[inline(always)]
    const fn stores_formats_directly(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx2Fast | Self::Avx512Fast => <Ymm<Avx2, Fast>>::DIRECT_FORMATS,
            _ => false,
        }
    }
}

/// Every kernel, compiled for one instruction set and one float mode.
pub struct Kernels(Column);

impl Kernels {
    /// Whether [`skin_into_layout`](Self::skin_into_layout) takes runs in any order for packed
    /// arrays. Without loops of their own for them, in small builds (`--cfg sinew_fewer_variants`),
    /// a vertex is stored with four bytes behind it, which the next one must overwrite.
    #[inline(always)]
    #[must_use]
    pub fn packs_in_any_order(&self) -> bool {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Column::Sse2 => Xmm::PACKED_LOOPS,
            #[cfg(target_arch = "x86_64")]
            Column::Avx2Exact => <Ymm<Avx2, Exact>>::PACKED_LOOPS,
            _ => true,
        }
    }
}

macro_rules! define_kernels {
    ($($(#[$doc:meta])* $name:ident: $contract:ident = $module:ident::$body:ident;)*) => {
        impl Kernels {
            /// Whether [`skin_into_layout`](Self::skin_into_layout) takes these buffers.
            #[inline(always)]
            #[must_use]
            pub fn stores_directly(&self, writer: &VertexWriter<'_>) -> bool {
                writer.is_direct() || self.0.stores_formats_directly() && writer.is_direct_format()
            }

            $($(#[$doc])*
            /// # Panics
            ///
            /// When the slices' lengths break the contract.
            pub fn $name(&self, mut contract: $contract<'_>) {
                static VARIANTS: &[unsafe fn(&mut $contract<'_>)] = &[
                    #[cfg(any(
                        feature = "oracle",
                        not(any(
                            target_arch = "x86_64",
                            target_arch = "aarch64",
                            all(target_arch = "wasm32", target_feature = "simd128")
                        ))
                    ))]
                    plain_backend::$name::variant::<plain::Plain<false>>,
                    #[cfg(feature = "oracle")]
                    plain_backend::$name::variant::<plain::Plain<true>>,
                    #[cfg(target_arch = "x86_64")]
                    sse2_backend::$name::variant::<Xmm>,
                    #[cfg(target_arch = "x86_64")]
                    if never_fuses(stringify!($name)) {
                        avx2_backend::$name::variant::<Ymm<Avx2, Exact>>
                    } else {
                        avx2_backend::$name::variant::<Ymm<Avx2, Fast>>
                    },
                    #[cfg(target_arch = "x86_64")]
                    if takes_sse2_for_exact(stringify!($name)) {
                        sse2_backend::$name::variant::<Xmm>
                    } else {
                        avx2_backend::$name::variant::<Ymm<Avx2, Exact>>
                    },
                    #[cfg(target_arch = "x86_64")]
                    if gains_from_avx512(stringify!($name)) {
                        avx512_backend::$name::variant::<Ymm<Avx512, Fast>>
                    } else if never_fuses(stringify!($name)) {
                        avx2_backend::$name::variant::<Ymm<Avx2, Exact>>
                    } else {
                        avx2_backend::$name::variant::<Ymm<Avx2, Fast>>
                    },
                    #[cfg(target_arch = "aarch64")]
                    if never_fuses(stringify!($name)) {
                        neon_backend::$name::variant::<Neon<Exact>>
                    } else {
                        neon_backend::$name::variant::<Neon<Fast>>
                    },
                    #[cfg(target_arch = "aarch64")]
                    neon_backend::$name::variant::<Neon<Exact>>,
                    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
                    simd128_backend::$name::variant::<Simd128>,
                ];
                // SAFETY: `backend` returns a backend only where the CPU has all the features it
                // needs, and the variants are in the order of `Column`.
                unsafe { VARIANTS[self.0 as usize](&mut contract) }
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

/// The variants of a backend: each enables the CPU features, creates the token and calls the body.
macro_rules! variants {
    ([$token:ty, $gate:meta] $($(#[$doc:meta])* $name:ident: $contract:ident = $module:ident::$body:ident;)*) => {
        // One module per kernel, because modules are the compiler's units of code generation and
        // reuse.
        $(pub(super) mod $name {
            use super::super::*;

            #[$gate]
            pub(in crate::table) fn variant<L: Lanes<Token = $token>>(contract: &mut $contract<'_>) {
                // With one body broken on purpose, compiling the others would only take time.
                #[cfg(sinew_broken_body)]
                if const { !matches!(stringify!($name).as_bytes(), b"palette") } {
                    return;
                }
                $module::$body::<L>(<$token>::new(), contract);
            }
        })*
    };
}

#[allow(dead_code, reason = "not every target has the backend")]
mod plain_backend {
    with_kernels!(variants [plain::Token, inline(never)]);
}

#[cfg(target_arch = "x86_64")]
mod sse2_backend {
    with_kernels!(variants [xmm::Token, target_feature(enable = "sse2")]);
}

#[cfg(target_arch = "x86_64")]
mod avx2_backend {
    with_kernels!(variants [Avx2, target_feature(enable = "avx2,fma,f16c")]);
}

#[cfg(target_arch = "x86_64")]
mod avx512_backend {
    with_kernels!(variants [Avx512, target_feature(enable = "avx2,fma,f16c,avx512f,avx512vl,avx512dq,avx512bw")]);
}

#[cfg(target_arch = "aarch64")]
mod neon_backend {
    with_kernels!(variants [neon::Token, target_feature(enable = "neon")]);
}

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128_backend {
    with_kernels!(variants [simd128::Token, inline(never)]);
}

/// Whether a kernel has no fused multiply-add, and so one variant for both float modes.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
const fn never_fuses(kernel: &str) -> bool {
    matches!(kernel.as_bytes(), b"position_bounds" | b"simulate_springs" | b"store_vertices")
}

/// Whether AVX2's reproducible mode takes a kernel of SSE2, which gives the same bits. Only in
/// small builds (`--cfg sinew_fewer_variants`), and for kernels that are rare there: 50 kB, and
/// dual quaternions take 1.65 times as long.
#[cfg(target_arch = "x86_64")]
const fn takes_sse2_for_exact(kernel: &str) -> bool {
    cfg!(sinew_fewer_variants)
        && matches!(
            kernel.as_bytes(),
            b"skin_dual_quaternions"
                | b"skin_pre_weighted"
                | b"palette_to_dual_quaternions"
                | b"matrices_to_scaled_joints"
                | b"skin_per_vertex_joints"
                | b"morph_blocks"
                | b"add_poses"
                | b"add_pose_offsets"
                | b"skin_unique_positions"
        )
}

/// Whether a kernel gains from more registers and from broadcasts embedded in arithmetic; the
/// figures are in docs/performance.md. The others gain nothing on Intel's or AMD's CPUs, or lose up
/// to a fifth, where the compiler splits shuffles into halves. Their variants are not compiled, and
/// none in small builds (`--cfg sinew_fewer_variants`): 37 kB.
#[cfg(target_arch = "x86_64")]
const fn gains_from_avx512(kernel: &str) -> bool {
    !cfg!(sinew_fewer_variants) && matches!(kernel.as_bytes(), b"skin_shared_joints" | b"skin_pre_weighted")
}

/// The features of the list that this CPU lacks.
#[cfg(target_arch = "x86_64")]
macro_rules! missing_features {
    ($($feature:tt),+) => {
        || [$(($feature, std::is_x86_feature_detected!($feature))),+]
            .into_iter().filter(|(_, there)| !there).map(|(feature, _)| feature).collect()
    };
}

/// Every backend compiled into this program, slowest first. Every machine of the target can run the
/// first one.
pub(crate) static BACKENDS: &[Backend] = &[
    // Compiled only where there is no other backend, or where tests compare with it: it would never
    // be the default elsewhere, and it takes a third of the compile time.
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
        lanes: plain::Plain::<false>::LEN,
        missing_features: Vec::new,
        fast: Kernels(Column::Plain),
        reproducible: Kernels(Column::Plain),
    },
    #[cfg(target_arch = "x86_64")]
    Backend {
        name: "sse2",
        description: "SSE2, 128-bit registers, 4 lanes",
        fuses: false,
        lanes: Xmm::LEN,
        missing_features: Vec::new,
        fast: Kernels(Column::Sse2),
        reproducible: Kernels(Column::Sse2),
    },
    #[cfg(target_arch = "x86_64")]
    Backend {
        name: "avx2",
        description: "AVX2 and FMA, 256-bit registers, 8 lanes",
        fuses: true,
        lanes: <Ymm<Avx2, Fast>>::LEN,
        missing_features: missing_features!("avx2", "fma", "f16c"),
        fast: Kernels(Column::Avx2Fast),
        reproducible: Kernels(Column::Avx2Exact),
    },
    #[cfg(target_arch = "x86_64")]
    Backend {
        name: "avx512",
        description: "AVX-512 F, VL, DQ, BW, 256-bit registers, 8 lanes",
        fuses: true,
        lanes: <Ymm<Avx512, Fast>>::LEN,
        missing_features: missing_features!(
            "avx2", "fma", "f16c", "avx512f", "avx512vl", "avx512dq", "avx512bw"
        ),
        fast: Kernels(Column::Avx512Fast),
        // Variants of its own would be a seventh of all code.
        reproducible: Kernels(Column::Avx2Exact),
    },
    #[cfg(target_arch = "aarch64")]
    Backend {
        name: "neon",
        description: "NEON, 128-bit registers, 4 lanes",
        fuses: true,
        lanes: <Neon<Fast>>::LEN,
        missing_features: Vec::new,
        fast: Kernels(Column::NeonFast),
        reproducible: Kernels(Column::NeonExact),
    },
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    Backend {
        name: "simd128",
        description: "WebAssembly simd128, 4 lanes",
        fuses: false,
        lanes: Simd128::LEN,
        missing_features: Vec::new,
        fast: Kernels(Column::Simd128),
        reproducible: Kernels(Column::Simd128),
    },
];

/// Plain lanes with fused multiply-add in software.
#[cfg(feature = "oracle")]
pub(crate) static FUSED_ORACLE: Kernels = Kernels(Column::FusedPlain);
