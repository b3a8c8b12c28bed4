//! Baking takes its memory once. Alone in its process, because all that happens there is counted.

use sinew_io::{Baked, Mdd, Pc2};

#[test]
fn a_frame_of_a_bake_allocates_nothing() {
    let model =
        sinew_figures::scene("@figure:2000").expect("a scene by rule").model().expect("a sound model");
    let mut instance = model.instance();
    instance.start(0);
    let mut baked = Baked::new(&model).expect("few vertices");
    let points = baked.positions().len();
    let mut pc2 = Pc2::begin(std::io::sink(), points, 3, 0.0, 1.0).expect("a sink takes all");
    let mut mdd = Mdd::begin(std::io::sink(), points, &[0.0, 0.1, 0.2]).expect("a sink takes all");
    instance.step(0.1);
    instance.skin();
    let counted = allocation_counter::measure(|| {
        for _ in 0..3 {
            instance.step(0.1);
            baked.take(&mut instance).expect("the same model");
            pc2.frame(baked.positions()).expect("a sink takes all");
            mdd.frame(baked.positions()).expect("a sink takes all");
        }
    });
    assert_eq!(counted.count_total, 0);
}
