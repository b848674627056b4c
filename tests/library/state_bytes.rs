//! A state as bytes is put back to the bit by another solver, and bytes that are none are refused.

use glam::Vec3;
use sinew::demos::stage_for;
use sinew::gpu::Context;
use sinew::report::state_hash;
use sinew::scene::{BodyDesc, Collider, Scene, Walker};
use sinew::solver::{Solver, SolverError, State};

fn scene_of(demo: &str, sets: &[(&str, &str)]) -> Scene {
    let sets: Vec<(String, String)> = sets.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    stage_for(demo, &sets).unwrap().scene
}

fn run(solver: &mut Solver, frames: usize) -> u64 {
    (0..frames).for_each(|_| solver.step());
    state_hash(&solver.read_bodies().unwrap(), &solver.read_particles().unwrap())
}

fn refusal(bytes: &[u8], solver: &Solver) -> SolverError {
    State::from_bytes(bytes, solver).map(|_| ()).expect_err("these bytes are no state of this world")
}

#[test]
fn another_solver_goes_on_to_the_bit() {
    let context = Context::shared().expect("adapter");
    // Bodies, what is emitted and flesh; the rest in the long run.
    let demos: [(&str, &[(&str, &str)]); 6] = [
        ("pairs", &[("count", "8")]),
        ("fountain", &[("radius", "0.05")]),
        ("jelly", &[("count", "2"), ("particles", "400")]),
        ("flag", &[("fine", "20")]),
        ("dam", &[("count", "500")]),
        ("sand", &[("count", "200")]),
    ];
    let count = if crate::effort::is_long() { demos.len() } else { 3 };
    for (demo, sets) in demos.into_iter().take(count) {
        let scene = scene_of(demo, sets);
        let mut solver = Solver::new(&context, &scene).unwrap();
        run(&mut solver, 12);
        let (state, time) = (solver.save().unwrap(), solver.view().time);
        let first = run(&mut solver, 12);
        let bytes = state.to_bytes(&solver).unwrap();
        let mut other = Solver::new(&Context::headless(None).expect("adapter"), &scene).unwrap();
        let read = State::from_bytes(&bytes, &other).unwrap();
        other.restore(&read).unwrap();
        assert_eq!(other.view().time.to_bits(), time.to_bits(), "{demo}");
        assert_eq!(run(&mut other, 12), first, "{demo}");
        assert_eq!(read.to_bytes(&other).unwrap(), bytes, "{demo}: the same bytes again");
    }
}

#[test]
fn bytes_that_are_no_state_are_refused() {
    let context = Context::shared().expect("adapter");
    let scene = scene_of("pairs", &[("count", "2")]);
    let mut solver = Solver::new(&context, &scene).unwrap();
    let before = run(&mut solver, 5);
    let bytes = solver.save().unwrap().to_bytes(&solver).unwrap();
    let unreadable = |bytes: &[u8], why: &str| {
        let told = refusal(bytes, &solver);
        assert!(matches!(&told, SolverError::Unreadable(text) if text.contains(why)), "{told} should tell {why:?}");
    };
    unreadable(b"", "do not begin");
    unreadable(b"glTF and more", "do not begin");
    unreadable(&bytes[..20], "cut off");
    unreadable(&bytes[..bytes.len() - 1], "cut off or altered");
    unreadable(&[&bytes[..], &[0]].concat(), "cut off or altered");
    for at in (0..bytes.len()).step_by(bytes.len() / 60) {
        let mut altered = bytes.clone();
        altered[at] ^= 1 << (at % 8);
        assert!(matches!(refusal(&altered, &solver), SolverError::Unreadable(_)), "byte {at}");
    }
    // Of another world: with one body more, and with a finer particle. What can be edited may differ.
    let mut grown = scene.clone();
    grown.add_body(BodyDesc::sphere(0.1, 0.05)).unwrap();
    let grown = Solver::new(&context, &grown).unwrap();
    let told = refusal(&bytes, &grown).to_string();
    assert!(told.contains("bodies") && told.contains("another world"), "{told}");
    let mut finer = scene.clone();
    finer.particles[0].radius *= 0.5;
    let finer = Solver::new(&context, &finer).unwrap();
    assert!(matches!(refusal(&bytes, &finer), SolverError::OtherWorld(_)));
    assert_eq!(state_hash(&solver.read_bodies().unwrap(), &solver.read_particles().unwrap()), before);
}

#[test]
fn a_walker_comes_with_its_state() {
    let context = Context::shared().expect("adapter");
    let mut scene = Scene::default();
    scene.add_collider(Collider::ground(0.0)).unwrap();
    let walker = Walker::default();
    let body = scene.add_body(walker.body(Vec3::ZERO)).unwrap();
    let mut solver = Solver::new(&context, &scene).unwrap();
    solver.add_walker(body, walker).unwrap();
    solver.walk(body, Vec3::X).unwrap();
    run(&mut solver, 20);
    let bytes = solver.save().unwrap().to_bytes(&solver).unwrap();
    let expected = run(&mut solver, 20);
    let mut other = Solver::new(&context, &scene).unwrap();
    let state = State::from_bytes(&bytes, &other).unwrap();
    other.restore(&state).unwrap();
    assert_eq!(run(&mut other, 20), expected);
}
