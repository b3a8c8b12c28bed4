//! Baking allocates only at the start. This test needs a process of its own, because all
//! allocations of the process are counted.

use sinew_io::{BakedModel, MddWriter, Pc2Writer};

#[test]
fn baking_a_frame_allocates_nothing() {
    let model =
        sinew_figures::scene("@figure:2000").expect("a generated scene").model().expect("a valid model");
    let mut instance = model.instance();
    instance.start(0);
    let mut baked = BakedModel::new(&model).expect("few vertices");
    let points = baked.positions().len();
    let mut pc2 = Pc2Writer::new(std::io::sink(), points, 3, 0.0, 1.0).expect("a sink takes all");
    let mut mdd = MddWriter::new(std::io::sink(), points, &[0.0, 0.1, 0.2]).expect("a sink takes all");
    instance.step(0.1);
    instance.skin();
    let counted = allocation_counter::measure(|| {
        for _ in 0..3 {
            instance.step(0.1);
            baked.update(&mut instance).expect("the same model");
            pc2.write_frame(baked.positions()).expect("a sink takes all");
            mdd.write_frame(baked.positions()).expect("a sink takes all");
        }
    });
    assert_eq!(counted.count_total, 0);
}
