//! Palettes of the caller's own matrices, and palettes for the caller.

use sinew::mesh::Attributes;
use sinew::skinning::Skinned;
use sinew::{Matrix, Palette, SkinOptions};

use crate::support::scene_cache::scene_model;

#[test]
fn an_instance_gives_the_palettes_that_it_skins_with() {
    let model = scene_model("@figure:300");
    let mut instance = model.instance();
    instance.start(0);
    instance.step(0.3);
    let matrices = instance.palettes()[0].matrices().to_vec();
    let mesh = &model.primitive(0).mesh;
    let mut found = Skinned::new(mesh, Attributes::Positions).unwrap();
    let palette = Palette::from_matrices(matrices.clone());
    mesh.skin(&palette, &SkinOptions::default(), &mut found).unwrap();
    for vertex in 0..mesh.len() {
        assert_eq!(found.position(mesh, vertex), instance.skin().position(0, vertex));
    }

    let mut copied = Palette::new(&model.skins()[0]);
    copied.copy_from_matrices(&matrices).unwrap();
    assert_eq!(copied, palette);
    let error = copied.copy_from_matrices(&matrices[1..]).unwrap_err().to_string();
    assert_eq!(error, format!("palette: expected {}, found {}", matrices.len(), matrices.len() - 1));
}

#[test]
fn matrices_of_four_rows_are_column_major() {
    let rows = [[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0]];
    let palette = Palette::from_matrices(vec![Matrix { rows }]);
    let mut to = [[0.0; 16]];
    palette.copy_to_4x4(&mut to).unwrap();
    assert_eq!(to[0], [1.0, 5.0, 9.0, 0.0, 2.0, 6.0, 10.0, 0.0, 3.0, 7.0, 11.0, 0.0, 4.0, 8.0, 12.0, 1.0]);
    let error = palette.copy_to_4x4(&mut []).unwrap_err().to_string();
    assert_eq!(error, "4x4 matrices: expected 1, found 0");
    let mut back = Palette::from_matrices(vec![Matrix::IDENTITY]);
    back.copy_from_4x4(&to).unwrap();
    assert_eq!(back, palette);
    let error = back.copy_from_4x4(&[[0.0; 16]; 2]).unwrap_err().to_string();
    assert_eq!(error, "4x4 matrices: expected 1, found 2");
    assert_eq!(back, palette);
}
