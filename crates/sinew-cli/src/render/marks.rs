//! Lines over the skin: wire, bones, normals and boxes.

use sinew::{Model, NO_PARENT};
use sinew_io::Baked;
use sinew_raster::{Canvas, Dots, Lines, Over};

use super::actor::Actor;
use super::arguments::Layer;
use super::boxes::Boxes;
use super::camera::{Shot, upright};
use super::outline::Outline;
use super::stage::Setting;
use crate::Failure;

const WIRE: [f32; 3] = [0.05, 0.06, 0.08];
const BONES: [f32; 3] = [0.85, 0.42, 0.04];
const JOINTS: [f32; 3] = [0.30, 0.09, 0.01];
const SILHOUETTE: [f32; 3] = [0.70, 0.10, 0.03];
const NORMALS: [f32; 3] = [0.05, 0.25, 0.60];
const BOXES: [f32; 3] = [0.04, 0.17, 0.07];
const JOINT_BOXES: [f32; 3] = [0.10, 0.45, 0.25];

/// How much nearer than the surface a line on it is taken for.
const NEARER: f32 = 0.003;
/// The height of the picture at which lines are as wide as they are said to be.
const USUAL_HEIGHT: f32 = 600.0;
/// How long normals are, as a share of the model's radius.
const NORMAL_LENGTH: f64 = 0.03;

/// What is needed to draw lines, with memory for them.
pub(super) struct Marks {
    layers: Vec<Layer>,
    /// Pairs of vertices.
    edges: Vec<[u32; 2]>,
    /// Joints, each with its parent where that is one of them too.
    bones: Vec<(usize, Option<usize>)>,
    boxes: Boxes,
    outline: Outline,
    normal_length: f32,
    scale: f32,
    places: Vec<[f32; 4]>,
    joints: Vec<[f32; 4]>,
    lines: Vec<[[f32; 4]; 2]>,
}

impl Marks {
    pub(super) fn new(setting: &Setting<'_>, baked: &Baked) -> Self {
        let wire = setting.layers.contains(&Layer::Wire);
        let scale = setting.size.height() as f32 / USUAL_HEIGHT;
        Self {
            layers: setting.layers.to_vec(),
            edges: if wire { edges(baked.triangles()) } else { Vec::new() },
            bones: bones(setting.model),
            boxes: Boxes::new(setting.model),
            outline: Outline::default(),
            normal_length: (NORMAL_LENGTH * setting.framing.radius()) as f32,
            scale: if scale > 0.6 { scale } else { 0.6 },
            places: Vec::new(),
            joints: Vec::new(),
            lines: Vec::new(),
        }
    }

    pub(super) fn draw(
        &mut self,
        shot: &Shot,
        actor: &mut Actor,
        canvas: &mut Canvas,
    ) -> Result<(), Failure> {
        let up = actor.baked().model().up();
        for layer in self.layers.clone() {
            match layer {
                Layer::Wire => self.wire(shot, actor.baked(), canvas),
                Layer::Normals => self.normals(shot, actor.baked(), canvas),
                Layer::Bones => {
                    self.joints.clear();
                    self.joints.extend(actor.joints().map(|joint| shot.view.point(upright(up, joint))));
                    self.skeleton(canvas);
                }
                Layer::Bounds => self.bounds(shot, actor, canvas),
                Layer::Silhouette => self.silhouette(shot, actor, canvas)?,
                Layer::Skin | Layer::Shadow | Layer::Weights => {}
            }
        }
        Ok(())
    }

    fn silhouette(&mut self, shot: &Shot, actor: &mut Actor, canvas: &mut Canvas) -> Result<(), Failure> {
        self.lines.clear();
        self.outline.of(actor, shot, &mut self.lines)?;
        self.put(canvas, SILHOUETTE, 2.2, Over::Farther(NEARER));
        Ok(())
    }

    fn wire(&mut self, shot: &Shot, baked: &Baked, canvas: &mut Canvas) {
        let up = baked.model().up();
        self.places.clear();
        self.places.extend(baked.positions().iter().map(|&position| shot.view.point(upright(up, position))));
        self.lines.clear();
        self.lines.extend(self.edges.iter().map(|edge| edge.map(|vertex| self.places[vertex as usize])));
        self.put(canvas, WIRE, 0.9, Over::Farther(NEARER));
    }

    fn normals(&mut self, shot: &Shot, baked: &Baked, canvas: &mut Canvas) {
        let up = baked.model().up();
        let length = self.normal_length;
        let ends = baked.positions().iter().zip(baked.normals()).map(|(&position, &normal)| {
            let tip = [0, 1, 2].map(|i| position[i] + normal[i] * length);
            [position, tip].map(|end| shot.view.point(upright(up, end)))
        });
        self.lines.clear();
        self.lines.extend(ends);
        self.put(canvas, NORMALS, 1.0, Over::Farther(NEARER));
    }

    fn skeleton(&mut self, canvas: &mut Canvas) {
        let ends = self.bones.iter().filter_map(|&(joint, parent)| Some([joint, parent?]));
        self.lines.clear();
        self.lines.extend(ends.map(|ends| ends.map(|joint| self.joints[joint])));
        self.put(canvas, BONES, 3.0, Over::All);
        let places: Vec<[f32; 4]> = self.bones.iter().map(|&(joint, _)| self.joints[joint]).collect();
        canvas.dots(&Dots { places: &places, colour: JOINTS, width: 6.0 * self.scale, over: Over::All });
    }

    fn bounds(&mut self, shot: &Shot, actor: &mut Actor, canvas: &mut Canvas) {
        self.lines.clear();
        self.boxes.of_joints(actor, shot, &mut self.lines);
        self.put(canvas, JOINT_BOXES, 0.9, Over::Farther(0.0));
        self.lines.clear();
        self.boxes.of_all(actor, shot, &mut self.lines);
        self.put(canvas, BOXES, 1.8, Over::Farther(0.0));
    }

    fn put(&self, canvas: &mut Canvas, colour: [f32; 3], width: f32, over: Over) {
        canvas.lines(&Lines { ends: &self.lines, colour, width: width * self.scale, over });
    }
}

/// Each pair of vertices that triangles have side by side, once.
fn edges(triangles: &[[u32; 3]]) -> Vec<[u32; 2]> {
    let sides = |&[a, b, c]: &[u32; 3]| [[a, b], [b, c], [c, a]];
    let sorted = |[a, b]: [u32; 2]| [a.min(b), a.max(b)];
    let mut edges: Vec<[u32; 2]> = triangles.iter().flat_map(sides).map(sorted).collect();
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// The joints that something hangs on: those of skins.
fn bones(model: &Model) -> Vec<(usize, Option<usize>)> {
    let skeleton = model.skeleton();
    let real = model.skins().iter().any(|skin| skin.len() > 1);
    let mut used = vec![!real; skeleton.len()];
    for skin in model.skins().iter().filter(|skin| skin.len() > 1) {
        for &joint in skin.joints() {
            used[joint as usize] = true;
        }
    }
    let parent = |joint: usize| {
        let parent = skeleton.parents()[joint];
        (parent != NO_PARENT && used[parent as usize]).then_some(parent as usize)
    };
    (0..skeleton.len()).filter(|&joint| used[joint]).map(|joint| (joint, parent(joint))).collect()
}
