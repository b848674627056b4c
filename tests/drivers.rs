//! All adapters of a machine take one scene along the same way, as far as the scene is not chaotic.

mod effort;

use glam::Vec3;
use sinew::demos::stage_for;
use sinew::gpu::{AdapterInfo, Choice, Context};
use sinew::solver::Solver;

/// Demos, and how far apart two adapters may have things after 30 frames, or 60 in the long run [m].
struct Case {
    demo: &'static str,
    sets: &'static [(&'static str, &'static str)],
    /// A particle, in the mean.
    apart: f32,
    /// The center of all particles.
    center: f32,
}

const fn case(demo: &'static str, sets: &'static [(&'static str, &'static str)], apart: f32, center: f32) -> Case {
    Case { demo, sets, apart, center }
}

/// Drops go ways of their own, but the whole must not. A rope and rubber meet their ends a substep sooner or later.
const CASES: [Case; 13] = [
    case("joints", &[("bodies", "4"), ("kind", "ball")], 1e-5, 1e-5),
    case("joints", &[("bodies", "4"), ("kind", "hinge")], 1e-5, 1e-5),
    case("joints", &[("bodies", "4"), ("kind", "stiff")], 1e-5, 1e-5),
    case("joints", &[("bodies", "4"), ("kind", "universal")], 1e-5, 1e-5),
    case("joints", &[("bodies", "4"), ("kind", "cylindrical")], 1e-5, 1e-5),
    case("joints", &[("bodies", "4"), ("kind", "slider")], 1e-5, 1e-5),
    case("joints", &[("bodies", "4"), ("kind", "distance")], 5e-3, 5e-3),
    case("joints", &[("bodies", "4"), ("kind", "generic")], 1e-2, 1e-2),
    case("spin", &[], 1e-5, 1e-5),
    case("slope", &[], 1e-5, 1e-5),
    case("beam", &[("layers", "2")], 1e-5, 1e-5),
    case("flag", &[("fine", "12")], 1e-3, 1e-3),
    case("dam", &[("count", "300")], 0.1, 0.01),
];

/// One context for each adapter that is good enough; two of one name differ by their backend.
fn contexts() -> Vec<Context> {
    let mut found: Vec<Context> = Vec::new();
    for AdapterInfo { name, backend, .. } in Context::adapters() {
        for adapter in [name, backend] {
            let context = Context::headless_as(&Choice { adapter: Some(adapter), ..Choice::default() });
            found.extend(context.ok().filter(|new| found.iter().all(|old| old.info() != new.info())));
        }
    }
    found
}

fn places(context: &Context, demo: &str, sets: &[(&str, &str)]) -> Vec<Vec3> {
    let sets: Vec<_> = sets.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let mut solver = Solver::new(context, &stage_for(demo, &sets).unwrap().scene).unwrap();
    let frames = if effort::is_long() { 60 } else { 30 };
    (0..frames).for_each(|_| solver.step());
    let health = solver.read_health().unwrap();
    assert!(health.is_good(), "{demo} on {:?}: {health:?}", context.info());
    solver.read_particles().unwrap().iter().map(|p| Vec3::from_slice(p)).collect()
}

#[test]
fn one_scene_goes_the_same_way_on_every_adapter() {
    let contexts = contexts();
    assert!(!contexts.is_empty());
    if contexts.len() == 1 {
        println!("one adapter only, {}: nothing to compare with", contexts[0].info().name);
        return;
    }
    for Case { demo, sets, apart: most, center: center_most } in CASES {
        let first = places(&contexts[0], demo, sets);
        // Mesa compiles each way to solve constraints for a quarter of a minute on OpenGL; the flag is the shorter one to run.
        let is_left_out = |context: &&Context| demo == "beam" && context.info().backend == "gl" && !effort::is_long();
        for context in contexts[1..].iter().filter(|context| !is_left_out(context)) {
            let second = places(context, demo, sets);
            let apart = first.iter().zip(&second).map(|(a, b)| a.distance(*b));
            let (mean, worst) = (apart.clone().sum::<f32>() / first.len() as f32, apart.fold(0.0, f32::max));
            let [a, b] = [&contexts[0], context].map(|c| format!("{} ({})", c.info().name, c.info().backend));
            let center = (first.iter().sum::<Vec3>() - second.iter().sum::<Vec3>()).length() / first.len() as f32;
            println!("{demo}: {a} and {b}: {mean:.1e} m apart in the mean, {worst:.1e} at most, centers {center:.1e}");
            assert!(mean <= most && center <= center_most, "{demo}: {a} and {b} are {mean} m apart, centers {center}");
        }
    }
}
