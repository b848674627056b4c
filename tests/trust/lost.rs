//! Devices that go away: a world goes on from the last moment that was kept, on another one.

use sinew::demos::stage_for;
use sinew::gpu::{Context, GpuError};
use sinew::report::state_hash;
use sinew::scene::{BodyDesc, Scene};
use sinew::solver::{Backup, Solver, SolverError};

use crate::world::{mixture, run};

fn hash(solver: &Solver) -> u64 {
    state_hash(&solver.read_bodies().unwrap(), &solver.read_particles().unwrap())
}

fn lose(context: &Context) {
    context.device.destroy();
    // The driver tells when it is asked, once what it had to do is done.
    let _ = context.device.poll(sinew::wgpu::PollType::wait_indefinitely());
    assert!(context.is_lost());
}

/// Runs a world, loses the device, and goes on: the bits are those of the world whose device was never lost.
fn goes_on(name: &str, scene: &Scene) {
    let whole = Context::headless(None).expect("adapter");
    let mut expected = Solver::new(&whole, scene).unwrap();
    run(&mut expected, 60);
    let lost = Context::headless(None).expect("adapter");
    let mut solver = Solver::new(&lost, scene).unwrap();
    let mut backup = Backup::new(10);
    for _ in 0..37 {
        backup.record(&solver).unwrap();
        solver.step();
    }
    lose(&lost);
    // Nothing of this is real any more, and nothing panics.
    run(&mut solver, 3);
    assert!(matches!(solver.read_particles(), Err(SolverError::Gpu(GpuError::Lost(_) | GpuError::Rejected { .. }))));
    drop(solver);
    let fresh = Context::headless(None).expect("adapter");
    let mut solver = backup.restore(&fresh).unwrap().expect("a moment was kept");
    let frame = backup.frame().unwrap();
    assert!((20..=36).contains(&frame), "{name}: frame {frame}");
    run(&mut solver, 60 - frame as u32);
    assert_eq!(hash(&solver), hash(&expected), "{name} from frame {frame} on");
    assert_eq!(fresh.take_errors(), Vec::<String>::new());
}

#[test]
fn a_world_goes_on_to_the_bit_on_another_device() {
    goes_on("mixture", &mixture(sinew::glam::Vec3::ZERO, 1.0));
    let sets = [("count".to_owned(), "6".to_owned())];
    goes_on("pairs", &stage_for("pairs", &sets).unwrap().scene);
}

#[test]
fn what_was_added_is_there_again_and_nothing_is_kept_before_the_first_moment() {
    let first = Context::headless(None).expect("adapter");
    let mut scene = Scene::default();
    scene.add_body(BodyDesc::sphere(0.1, 0.05)).unwrap();
    let mut solver = Solver::new(&first, &scene).unwrap();
    let mut backup = Backup::new(1);
    assert!(backup.restore(&first).unwrap().is_none() && backup.frame().is_none() && backup.bytes() == 0);
    scene.add_body(BodyDesc::sphere(0.1, 0.05).at(sinew::glam::Vec3::X)).unwrap();
    solver.spawn(&scene).unwrap();
    for _ in 0..8 {
        backup.record(&solver).unwrap();
        solver.step();
        first.wait().unwrap();
    }
    lose(&first);
    assert!(backup.record(&solver).is_err());
    let solver = backup.restore(&Context::shared().expect("adapter")).unwrap().expect("a moment was kept");
    assert_eq!(solver.read_bodies().unwrap().len(), 2);
    assert!(backup.bytes() > 0);
}
