//! Rays against a figure as it is posed, and boxes around it.

use std::hint::black_box;

use sinew::{Attributes, BoundsOptions, Matrix, Palette, Points, Ray, SkinOptions, Skinned, Tree, backend};
use sinew_testkit::random::Random;

use super::contest::{Contest, Context};
use super::frames::figure;
use super::plan::Job;
use super::row::{Amount, Row};
use crate::Failure;

const RAYS: &str = "rays";
const BOUNDS: &str = "bounds";

/// Enough that not all of them go the same way.
const COUNT: usize = 1024;

const CHECKED: &str = "all of it was made for this figure";

pub(super) fn jobs() -> Vec<Job> {
    vec![
        Job { tables: &[RAYS], routines: &["refit", "closest", "any"], run: Box::new(rays) },
        Job { tables: &[BOUNDS], routines: &["box", "sphere", "exact"], run: Box::new(bounds) },
    ]
}

fn rays(context: &Context) -> Result<Vec<Row>, Failure> {
    let model = figure()?;
    let mesh = &model.surface(0).mesh;
    let mut skinned = Skinned::new(mesh, Attributes::Positions)?;
    mesh.skin(&Palette::new(&model.skins()[0]), &SkinOptions::default(), &mut skinned)?;
    let mut tree = Tree::new(mesh);
    let points = Points::Blocks { blocks: skinned.blocks(), vectors: 1 };
    tree.refit(points)?;
    let (mut refitted, rays) = (tree.clone(), some_rays());
    let mut contest = Contest::default();
    let row = |routine, elements| Row { elements, ..Row::new(RAYS, routine, "sinew", Some(in_use())) };
    contest.add(row("refit", mesh.triangles().len()), move || refitted.refit(points).expect(CHECKED));
    let (tree, rays) = (&tree, rays.as_slice());
    let mut hits = vec![None; COUNT];
    contest.add(row("closest", COUNT), move || tree.closest_hits(rays, &mut hits).expect(CHECKED));
    let mut hit = vec![false; COUNT];
    contest.add(row("any", COUNT), move || tree.any_hits(rays, &mut hit).expect(CHECKED));
    let mut rows = contest.run(context);
    for row in &mut rows {
        row.amount = Some(match row.routine {
            "refit" => Amount { value: row.seconds() * 1e6, unit: "us a figure" },
            _ => Amount { value: 1e3 / row.ns, unit: "million rays/s" },
        });
    }
    Ok(rows)
}

/// From around the figure to places near its middle: some hit, some miss.
fn some_rays() -> Vec<Ray> {
    let random = &mut Random::new(7);
    let ray = |_| {
        let [x, y, z] = random.vector(0.5);
        let [a, b, c] = random.vector(3.0);
        Ray::between([a, b + 1.0, c], [x, y + 1.0, z])
    };
    (0..COUNT).map(ray).collect()
}

/// From joints alone, and from all vertices.
fn bounds(context: &Context) -> Result<Vec<Row>, Failure> {
    let model = figure()?;
    let (mesh, skin) = (&model.surface(0).mesh, &model.skins()[0]);
    let mut palette = Palette::new(skin);
    let mut model_from_joint: Vec<Matrix> = model.skeleton().model_matrices();
    model.skeleton().to_model(model.skeleton().rest(), .., &mut model_from_joint)?;
    palette.update(&model_from_joint, skin)?;
    let mut skinned = Skinned::new(mesh, Attributes::Positions)?;
    mesh.skin(&palette, &SkinOptions::default(), &mut skinned)?;
    let (palette, skinned, options) = (&palette, &skinned, BoundsOptions::default());
    let row = |routine, elements| Row { elements, ..Row::new(BOUNDS, routine, "sinew", Some(in_use())) };
    let mut contest = Contest::default();
    contest.add(row("box", skin.len()), || {
        black_box(mesh.bounds(black_box(palette), &options).expect(CHECKED));
    });
    contest.add(row("sphere", skin.len()), || {
        black_box(mesh.sphere(black_box(palette), &options).expect(CHECKED));
    });
    contest.add(row("exact", mesh.len()), || {
        black_box(black_box(skinned).bounds());
    });
    let mut rows = contest.run(context);
    for row in &mut rows {
        row.amount = Some(Amount { value: row.seconds() * 1e6, unit: "us a figure" });
    }
    Ok(rows)
}

fn in_use() -> &'static str {
    backend::default().unwrap_or(backend::baseline()).name()
}
