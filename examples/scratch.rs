use glam::*;
use sinew::{gpu::Context, scene::*, solver::*};
fn main() {
    let n: u32 = std::env::args().nth(1).map(|s| s.parse().unwrap()).unwrap_or(5);
    let every: u32 = std::env::args().nth(2).map(|s| s.parse().unwrap()).unwrap_or(30);
    let mut scene = Scene::default();
    scene.params.sleep_time = 0.0;
    for a in std::env::args().skip(3) {
        let (k, v) = a.split_once('=').unwrap();
        scene.params.set(k, v).unwrap().unwrap();
    }
    scene.add_collider(Collider::ground(0.0)).unwrap();
    for i in 0..n {
        let turn = Quat::from_rotation_y(0.05 * i as f32);
        let at = Vec3::new(0.004 * (i % 3) as f32, 0.15 + 0.3 * i as f32, 0.003 * (i % 2) as f32);
        scene.add_body(BodyDesc::cuboid(Vec3::splat(0.15), 0.05).at(at).rotated(turn)).unwrap();
    }
    let context = Context::headless(None).unwrap();
    let mut s = Solver::new(&context, &scene).unwrap();
    let mut start = Vec::new();
    for f in 0..=600 {
        if f % every == 0 {
            let b = s.read_bodies().unwrap();
            if start.is_empty() {
                start = b.clone();
            }
            let row: Vec<String> = b
                .iter()
                .zip(&start)
                .map(|(b, st)| {
                    let c = Vec4::from(b.center);
                    let d = (c - Vec4::from(st.center)).truncate() * 1e3;
                    format!(
                        "[{:.2} {:.2} {:.2} |v|{:.4} w{:.3}]",
                        d.x,
                        d.y,
                        d.z,
                        Vec4::from(b.velocity).truncate().length(),
                        Vec4::from(b.angular_velocity).truncate().length()
                    )
                })
                .collect();
            println!("{f}: {}", row.join(" "));
        }
        s.step();
    }
    println!("{:?}", s.read_health());
}
