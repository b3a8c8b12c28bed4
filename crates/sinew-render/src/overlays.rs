//! Lines drawn over the skin: wireframe, bones, normals, silhouettes and bounds.

use sinew::{JointId, Model};
use sinew_io::BakedModel;
use sinew_raster::{Canvas, DepthTest, Dots, Lines};

use crate::Error;
use crate::bounds_lines::BoundsLines;
use crate::camera::CameraView;
use crate::layer::Layer;
use crate::model_renderer::RenderSettings;
use crate::posed_model::PosedModel;
use crate::silhouette_lines::add_silhouette_lines;

const WIRE: [f32; 3] = [0.05, 0.06, 0.08];
const BONES: [f32; 3] = [0.85, 0.42, 0.04];
const JOINTS: [f32; 3] = [0.30, 0.09, 0.01];
const SILHOUETTE: [f32; 3] = [0.70, 0.10, 0.03];
const NORMALS: [f32; 3] = [0.05, 0.25, 0.60];
const BOUNDS: [f32; 3] = [0.04, 0.17, 0.07];
const JOINT_BOUNDS: [f32; 3] = [0.10, 0.45, 0.25];

/// How much nearer to the eye lines on a surface are drawn, as a fraction of their distance.
const DEPTH_BIAS: f32 = 0.003;
/// The picture height for which line widths are given, in pixels.
const REFERENCE_HEIGHT: f32 = 600.0;
/// The length of normals, relative to the model's radius.
const NORMAL_LENGTH: f64 = 0.03;

/// Draws the line layers, with reusable memory.
pub(crate) struct Overlays {
    layers: Vec<Layer>,
    /// The vertices of each edge of the wireframe.
    edges: Vec<[u32; 2]>,
    /// The joints to draw, each with its parent if that is drawn too.
    bones: Vec<(usize, Option<usize>)>,
    bounds_lines: BoundsLines,
    model_radius: f64,
    scale: f32,
    clip_positions: Vec<[f32; 4]>,
    joints: Vec<[f32; 4]>,
    lines: Vec<[[f32; 4]; 2]>,
}

impl Overlays {
    pub(crate) fn new(settings: &RenderSettings<'_>, baked: &BakedModel) -> Self {
        let wire = settings.layers.contains(&Layer::Wire);
        let scale = settings.size.height() as f32 / REFERENCE_HEIGHT;
        Self {
            layers: settings.layers.to_vec(),
            edges: if wire { edges(baked.triangles()) } else { Vec::new() },
            bones: bones(settings.model),
            bounds_lines: BoundsLines::new(settings.model),
            model_radius: settings.framing.radius(),
            scale: if scale > 0.6 { scale } else { 0.6 },
            clip_positions: Vec::new(),
            joints: Vec::new(),
            lines: Vec::new(),
        }
    }

    pub(crate) fn draw(
        &mut self,
        camera: &CameraView,
        posed: &mut PosedModel,
        canvas: &mut Canvas,
    ) -> Result<(), Error> {
        let up = posed.baked().model().up_axis();
        for layer in self.layers.clone() {
            match layer {
                Layer::Wire => self.wire(camera, posed.baked(), canvas),
                Layer::Normals => self.normals(camera, posed.baked(), canvas),
                Layer::Bones => {
                    self.joints.clear();
                    self.joints.extend(
                        posed.joints().map(|joint| camera.view.transform_point(up.y_up_from_model(joint))),
                    );
                    self.skeleton(canvas);
                }
                Layer::Bounds => self.bounds(camera, posed, canvas),
                Layer::Silhouette => self.silhouette(camera, posed, canvas)?,
                Layer::Skin | Layer::Shadow | Layer::Weights => {}
            }
        }
        Ok(())
    }

    fn silhouette(
        &mut self,
        camera: &CameraView,
        posed: &mut PosedModel,
        canvas: &mut Canvas,
    ) -> Result<(), Error> {
        self.lines.clear();
        add_silhouette_lines(posed, camera, &mut self.lines)?;
        self.draw_lines(canvas, SILHOUETTE, 2.2, DepthTest::Biased(DEPTH_BIAS));
        Ok(())
    }

    fn wire(&mut self, camera: &CameraView, baked: &BakedModel, canvas: &mut Canvas) {
        let up = baked.model().up_axis();
        self.clip_positions.clear();
        self.clip_positions.extend(
            baked
                .positions()
                .iter()
                .map(|&position| camera.view.transform_point(up.y_up_from_model(position))),
        );
        self.lines.clear();
        self.lines
            .extend(self.edges.iter().map(|edge| edge.map(|vertex| self.clip_positions[vertex as usize])));
        self.draw_lines(canvas, WIRE, 0.9, DepthTest::Biased(DEPTH_BIAS));
    }

    fn normals(&mut self, camera: &CameraView, baked: &BakedModel, canvas: &mut Canvas) {
        let up = baked.model().up_axis();
        let ends = normal_tips(baked, self.model_radius)
            .map(|(foot, tip)| [foot, tip].map(|end| camera.view.transform_point(up.y_up_from_model(end))));
        self.lines.clear();
        self.lines.extend(ends);
        self.draw_lines(canvas, NORMALS, 1.0, DepthTest::Biased(DEPTH_BIAS));
    }

    fn skeleton(&mut self, canvas: &mut Canvas) {
        let ends = self.bones.iter().filter_map(|&(joint, parent)| Some([joint, parent?]));
        self.lines.clear();
        self.lines.extend(ends.map(|ends| ends.map(|joint| self.joints[joint])));
        self.draw_lines(canvas, BONES, 3.0, DepthTest::Always);
        let joints: Vec<[f32; 4]> = self.bones.iter().map(|&(joint, _)| self.joints[joint]).collect();
        canvas.add_dots(&Dots {
            positions: &joints,
            color: JOINTS,
            width: 6.0 * self.scale,
            depth_test: DepthTest::Always,
        });
    }

    fn bounds(&mut self, camera: &CameraView, posed: &mut PosedModel, canvas: &mut Canvas) {
        self.lines.clear();
        self.bounds_lines.add_joints(posed, camera, &mut self.lines);
        self.draw_lines(canvas, JOINT_BOUNDS, 0.9, DepthTest::Biased(0.0));
        self.lines.clear();
        self.bounds_lines.add_model(posed, camera, &mut self.lines);
        self.draw_lines(canvas, BOUNDS, 1.8, DepthTest::Biased(0.0));
    }

    fn draw_lines(&self, canvas: &mut Canvas, color: [f32; 3], width: f32, depth_test: DepthTest) {
        canvas.add_lines(&Lines { ends: &self.lines, color, width: width * self.scale, depth_test });
    }
}

/// The foot and the tip of each drawn normal, in model space.
pub(crate) fn normal_tips(
    baked: &BakedModel,
    model_radius: f64,
) -> impl Iterator<Item = ([f32; 3], [f32; 3])> {
    let length = (NORMAL_LENGTH * model_radius) as f32;
    let vertices = baked.positions().iter().zip(baked.normals());
    vertices.map(move |(&foot, &normal)| (foot, [0, 1, 2].map(|i| foot[i] + normal[i] * length)))
}

/// The edges of all triangles, each once.
fn edges(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let sides = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
    let sorted = |[a, b]: [u32; 2]| [a.min(b), a.max(b)];
    let mut edges: Vec<[u32; 2]> = triangles.iter().flat_map(sides).map(sorted).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// The joints of skins with more than one joint; all joints if there are no such skins.
fn bones(model: &Model) -> Vec<(usize, Option<usize>)> {
    let skeleton = model.skeleton();
    let any_skinned = model.skins().iter().any(|skin| skin.len() > 1);
    let mut used = vec![!any_skinned; skeleton.len()];
    for skin in model.skins().iter().filter(|skin| skin.len() > 1) {
        for joint in skin.joints() {
            used[joint.index()] = true;
        }
    }
    let bone = |joint: JointId| {
        let parent = skeleton.parent(joint).filter(|parent| used[parent.index()]);
        (joint.index(), parent.map(JointId::index))
    };
    skeleton.joints().filter(|joint| used[joint.index()]).map(bone).collect()
}
