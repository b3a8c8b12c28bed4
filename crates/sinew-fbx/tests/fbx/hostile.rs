//! Small files that ask for much memory or time: what they repeat without storing it again.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use sinew_io::{Error, Import, ImportOptions};

use crate::generated::TEXT;
use crate::support::load_measured;

/// Far more than any of the files needs, even on a busy machine without optimization.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The generated file with other vertices and faces, more objects and more connections.
#[derive(Default)]
pub(crate) struct File {
    pub(crate) geometry: String,
    objects: String,
    pub(crate) connections: String,
}

impl File {
    pub(crate) fn text(&self) -> String {
        let objects = format!("Objects:  {{\n{}", self.objects);
        let connections = format!("Connections:  {{\n{}", self.connections);
        let text = TEXT.replace("Objects:  {\n", &objects).replace("Connections:  {\n", &connections);
        let Some((start, rest)) =
            text.split_once("        Vertices: *9").filter(|_| !self.geometry.is_empty())
        else {
            return text;
        };
        let (_, end) = rest.split_once("a: 0,1,-3\n        }\n").expect("the faces of the triangle");
        format!("{start}{}{end}", self.geometry)
    }

    pub(crate) fn object(&mut self, class: &str, id: usize, name: &str, kind: &str, properties: &str) {
        let _ = writeln!(self.objects, "{class}: {id}, \"{class}::{name}\", \"{kind}\" {{\n{properties}}}");
    }

    pub(crate) fn connect(&mut self, child: usize, parent: usize) {
        let _ = writeln!(self.connections, "C: \"OO\",{child},{parent}");
    }

    /// Adds nodes with the triangle.
    fn add_instances(&mut self, count: usize) {
        for id in 1000..1000 + count {
            self.object("Model", id, "", "Mesh", "");
            self.connect(id, 0);
            self.connect(1, id);
        }
    }

    /// Triangles that share no points, and points that no triangle uses.
    pub(crate) fn set_triangles(&mut self, triangles: usize, unused_points: usize) {
        let points = 3 * triangles + unused_points;
        let faces =
            (0..triangles).map(|face| format!("{},{},{}", 3 * face, 3 * face + 1, -3 - 3 * face as i64));
        self.geometry = array("Vertices", 3 * points, (0..3 * points).map(|_| "0".to_owned()))
            + &array("PolygonVertexIndex", 3 * triangles, faces);
    }

    /// Gives each triangle a material of its own.
    fn add_materials(&mut self, triangles: usize) {
        let materials = array("Materials", triangles, (0..triangles).map(|face| face.to_string()));
        self.geometry += &layer("LayerElementMaterial", 0, "ByPolygon", "IndexToDirect", &materials);
        for id in 100_000..100_000 + triangles - 1 {
            self.object("Material", id, "", "", "");
            self.connect(id, 2);
        }
    }
}

fn array(name: &str, len: usize, values: impl Iterator<Item = String>) -> String {
    format!("{name}: *{len} {{\na: {}\n}}\n", values.collect::<Vec<_>>().join(","))
}

pub(crate) fn layer(class: &str, index: usize, mapping: &str, reference: &str, values: &str) -> String {
    format!(
        "{class}: {index} {{\nMappingInformationType: \"{mapping}\"\n\
        ReferenceInformationType: \"{reference}\"\n{values}}}\n"
    )
}

/// Imports a file with a memory budget in megabytes, and checks that it was kept, up to a megabyte
/// for the error and its place.
#[track_caller]
pub(crate) fn import(text: &str, megabytes: u64) -> Result<Import, Error> {
    let budget = megabytes << 20;
    let options = ImportOptions::default().memory_budget(Some(budget));
    let (import, memory) = load_measured(text.as_bytes(), &options);
    assert!(
        memory <= budget + (1 << 20),
        "{memory} of {budget} bytes, {import:?}",
        import = import.map(|_| ())
    );
    import
}

/// Imports a file that does not fit in a memory budget.
#[track_caller]
fn assert_refused(text: &str, megabytes: u64) {
    let error = import(text, megabytes).map(drop).expect_err("too much memory").to_string();
    assert!(error.contains("the rest of the memory budget"), "{}", &error[..error.len().min(200)]);
}

#[test]
fn sets_of_one_value_count_at_every_corner() {
    let values = ["UV: *2 {\na: 0,0\n}\n", "Colors: *4 {\na: 1,1,1,1\n}\n"];
    for (class, values) in ["LayerElementUV", "LayerElementColor"].into_iter().zip(values) {
        let mut file = File::default();
        file.set_triangles(1000, 0);
        for set in 0..1000 {
            file.geometry += &layer(class, set, "AllSame", "Direct", values);
        }
        assert_refused(&file.text(), 24);
    }
}

#[test]
fn clusters_of_a_skin_count_in_every_instance() {
    let mut file = File::default();
    file.add_instances(1000);
    for id in 10_000..11_000 {
        file.object("Deformer", id, "", "Cluster", "");
        file.connect(id, 4);
        file.connect(3, id);
    }
    assert_refused(&file.text(), 32);
}

#[test]
fn animated_weights_count_in_every_instance() {
    let mut file = File::default();
    file.add_instances(1000);
    let keys = 10_000;
    let times = array("KeyTime", keys, (0..keys).map(|key| (key * 1_000_000_000).to_string()));
    let values = array("KeyValueFloat", keys, (0..keys).map(|key| (key % 100).to_string()));
    let (start, weights) = file.text().split_once("AnimationCurve: 14,").map(own_both).expect("a curve");
    let weights = weights.replace("KeyTime: *2 {\n            a: 0,46186158000\n        }\n", &times);
    let weights = weights.replace("KeyValueFloat: *2 {\n            a: 0,50\n        }\n", &values);
    let weights = weights.replace("            a: 2\n", "            a: 10000\n");
    assert_refused(&format!("{start}AnimationCurve: 14,{weights}").replace("C: \"OO\",4,1\n", ""), 32);
}

fn own_both((a, b): (&str, &str)) -> (String, String) {
    (a.to_owned(), b.to_owned())
}

/// Replaces a name by a long one. It is in the file once, but in the scene wherever it tells a
/// place or names a target.
pub(crate) fn with_long_name(file: &File, name: &str) -> String {
    let (class, _) = name.split_once("::").expect("a class");
    file.text().replace(name, &format!("{class}::{}", "n".repeat(100_000)))
}

#[test]
fn name_of_a_skin_counts_in_every_instance() {
    let mut file = File::default();
    file.add_instances(1000);
    assert_refused(&with_long_name(&file, "Deformer::skin"), 32);
}

#[test]
fn name_of_a_mesh_counts_in_every_part() {
    let mut file = File::default();
    file.set_triangles(1000, 0);
    file.add_materials(1000);
    assert_refused(&with_long_name(&file, "Geometry::shape"), 32);
}

#[test]
fn name_of_a_node_counts_in_every_mesh() {
    let mut file = File::default();
    for id in 1000..2000 {
        file.object("Geometry", id, "", "Mesh", TRIANGLE);
        file.connect(id, 2);
    }
    assert_refused(&with_long_name(&file, "Model::triangle"), 32);
}

#[test]
fn name_of_a_shape_counts_in_every_use() {
    let mut file = File::default();
    (0..1000).for_each(|_| file.connect(8, 7));
    assert_refused(&with_long_name(&file, "Geometry::wide"), 32);
}

#[test]
fn name_of_a_stack_is_in_memory_once_for_all_channels() {
    let mut file = File::default();
    for id in 1000..2000 {
        file.object("Model", id, "", "Null", "");
        file.connect(id, 0);
        let _ = writeln!(file.connections, "C: \"OP\",11,{id}, \"Lcl Translation\"");
    }
    let import = import(&with_long_name(&file, "AnimStack::rise"), 32);
    import.unwrap_or_else(|error| panic!("{}", &error.to_string()[..200]));
}

#[test]
fn animation_stacks_have_a_limit() {
    let mut file = File::default();
    (1000..6000).for_each(|id| file.object("AnimationStack", id, "more", "", ""));
    let import = import(&file.text(), 64).expect("a small scene");
    let report = import.report.to_string();
    assert!(report.contains("5001 of them; those after the first 4096 were left out"), "{report}");
}

#[test]
fn animation_stacks_count_for_every_node() {
    let mut file = File::default();
    (1000..4000).for_each(|id| file.object("AnimationStack", id, "more", "", ""));
    for id in 10_000..12_000 {
        file.object("Model", id, "", "Null", "");
        file.connect(id, 0);
    }
    // Whatever asks for the last bytes: the list of stacks, or the baking of one.
    let error = import(&file.text(), 32).map(drop).expect_err("too much memory").to_string();
    assert!(error.to_lowercase().contains("memory"), "{error}");
}

const TRIANGLE: &str = "Vertices: *9 {\na: 0,0,0,1,0,0,0,0,1\n}\nPolygonVertexIndex: *3 {\na: 0,1,-3\n}\n";

pub(crate) const POINT: &str = "Vertices: *3 {\na: 0,0,0\n}\nPolygonVertexIndex: *0 {\na: \n}\n";

/// Each part reads the offsets of its own points only.
#[test]
fn parts_and_shapes_do_not_multiply_the_points() {
    let (parts, shapes, points) = (400, 400, 200_000);
    let mut file = File::default();
    file.set_triangles(parts, points);
    file.add_materials(parts);
    let offsets = array("Indexes", points, (0..points).map(|point| point.to_string()))
        + &array("Vertices", 3 * points, (0..3 * points).map(|_| "1".to_owned()));
    file.object("Geometry", 1000, "", "Shape", &offsets);
    for id in 1001..1001 + shapes {
        file.object("Deformer", id, "", "BlendShapeChannel", "");
        file.connect(id, 6);
        file.connect(1000, id);
    }
    let start = Instant::now();
    let model =
        import(&file.text(), 1024).map(|import| import.model).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(model.primitives().len(), parts);
    assert_eq!(model.primitives()[0].mesh.morph_names().len(), shapes + 1);
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
}

/// Meshes may share a deformer with many channels, beside many other things that are animated.
#[test]
fn channels_do_not_multiply_the_animated_elements() {
    let mut file = File::default();
    for id in 1000..2500 {
        file.object("Deformer", id, "", "BlendShapeChannel", "");
        file.connect(id, 6);
        file.connect(8, id);
    }
    for id in 3000..7000 {
        file.object("Geometry", id, "", "Mesh", POINT);
        file.connect(6, id);
    }
    for id in 10_000..50_000 {
        file.object("Material", id, "", "", "");
        let _ = writeln!(file.connections, "C: \"OP\",11,{id}, \"DiffuseColor\"");
    }
    let start = Instant::now();
    let model =
        import(&file.text(), 1024).map(|import| import.model).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(model.clips().len(), 1);
    assert!(start.elapsed() < PATIENCE, "{:?}", start.elapsed());
}
