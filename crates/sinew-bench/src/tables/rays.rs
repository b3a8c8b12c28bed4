//! Ray casts against a posed figure, and its bounds.

use std::hint::black_box;

use sinew::bounds::BoundsOptions;
use sinew::geometry::PositionView;
use sinew::mesh::Attributes;
use sinew::query::MeshBvh;
use sinew::runtime::backend;
use sinew::skinning::Skinned;
use sinew::{Matrix, Palette, Ray, SkinOptions};

use super::bench_group::{BenchGroup, Context};
use super::frames::figure_model;
use super::job::Job;
use super::measurement::{Amount, Measurement};
use crate::Error;
use crate::workload::Random;

const RAYS: &str = "rays";
const BOUNDS: &str = "bounds";

/// Enough rays to take different paths through the BVH.
const COUNT: usize = 1024;

const CHECKED: &str = "poses, palettes and outputs were made for this figure";

pub(super) fn jobs() -> Vec<Job> {
    vec![
        Job { tables: &[RAYS], routines: &["refit", "closest", "any"], run: Box::new(rays) },
        Job { tables: &[BOUNDS], routines: &["box", "sphere", "exact"], run: Box::new(bounds) },
    ]
}

fn rays(context: &Context) -> Result<Vec<Measurement>, Error> {
    let model = figure_model()?;
    let mesh = &model.primitive(0).mesh;
    let mut skinned = Skinned::new(mesh, Attributes::Positions)?;
    mesh.skin(&Palette::new(&model.skins()[0]), &SkinOptions::default(), &mut skinned)?;
    let mut tree = MeshBvh::build(mesh);
    let points = PositionView::Blocks { blocks: skinned.blocks(), vectors: 1 };
    tree.refit(points)?;
    let (mut refitted, rays) = (tree.clone(), random_rays());
    let mut group = BenchGroup::default();
    let row = |routine, elements| Measurement {
        elements,
        ..Measurement::new(RAYS, routine, "sinew", Some(backend_name()))
    };
    group.add(row("refit", mesh.triangles().len()), move || refitted.refit(points).expect(CHECKED));
    let (tree, rays) = (&tree, rays.as_slice());
    let mut hits = vec![None; COUNT];
    group.add(row("closest", COUNT), move || tree.closest_hits(rays, &mut hits).expect(CHECKED));
    let mut hit = vec![false; COUNT];
    group.add(row("any", COUNT), move || tree.any_hits(rays, &mut hit).expect(CHECKED));
    let mut rows = group.run(context);
    for row in &mut rows {
        row.amount = Some(match row.routine {
            "refit" => Amount { value: row.seconds() * 1e6, unit: "us a figure" },
            _ => Amount { value: 1e3 / row.ns, unit: "million rays/s" },
        });
    }
    Ok(rows)
}

/// Rays from around the figure to points near its center: some hit, some miss.
fn random_rays() -> Vec<Ray> {
    let random = &mut Random::new(7);
    let ray = |_| {
        let [x, y, z] = random.vector(0.5);
        let [a, b, c] = random.vector(3.0);
        Ray::between([a, b + 1.0, c], [x, y + 1.0, z])
    };
    (0..COUNT).map(ray).collect()
}

/// Bounds from joints alone, and from all vertices.
fn bounds(context: &Context) -> Result<Vec<Measurement>, Error> {
    let model = figure_model()?;
    let (mesh, skin) = (&model.primitive(0).mesh, &model.skins()[0]);
    let mut palette = Palette::new(skin);
    let mut model_from_joint: Vec<Matrix> = model.skeleton().identity_matrices();
    model.skeleton().to_model(model.skeleton().rest(), .., &mut model_from_joint)?;
    palette.update(&model_from_joint, skin)?;
    let mut skinned = Skinned::new(mesh, Attributes::Positions)?;
    mesh.skin(&palette, &SkinOptions::default(), &mut skinned)?;
    let (palette, skinned, options) = (&palette, &skinned, BoundsOptions::default());
    let joint_bounds = model.joint_bounds(0);
    let row = |routine, elements| Measurement {
        elements,
        ..Measurement::new(BOUNDS, routine, "sinew", Some(backend_name()))
    };
    let mut group = BenchGroup::default();
    group.add(row("box", skin.len()), || {
        black_box(joint_bounds.aabb(black_box(palette), &options).expect(CHECKED));
    });
    group.add(row("sphere", skin.len()), || {
        black_box(joint_bounds.sphere(black_box(palette), &options).expect(CHECKED));
    });
    group.add(row("exact", mesh.len()), || {
        black_box(black_box(skinned).bounds());
    });
    let mut rows = group.run(context);
    for row in &mut rows {
        row.amount = Some(Amount { value: row.seconds() * 1e6, unit: "us a figure" });
    }
    Ok(rows)
}

fn backend_name() -> &'static str {
    backend::default().unwrap_or(backend::baseline()).name()
}
