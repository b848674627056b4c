//! Clothes are even sheets that lie outside the body and outside each other, held where they should be.

use std::collections::HashMap;

use dancer::field;
use dancer::garments::{Garment, garments};
use dancer::mesh::{area_normal, edges};
use glam::Vec3;

fn lengths(garment: &Garment) -> Vec<f32> {
    let mesh = &garment.woven.mesh;
    let length = |(a, b): (u32, u32)| mesh.points[a as usize].distance(mesh.points[b as usize]);
    let mut all: Vec<f32> = mesh.triangles.iter().flat_map(|t| edges(*t)).map(length).collect();
    all.sort_by(f32::total_cmp);
    all
}

#[test]
fn edges_are_even_and_the_body_is_inside() {
    for garment in garments() {
        let all = lengths(&garment);
        let (short, long) = (all[all.len() / 100], all[all.len() - 1]);
        let clear = garment.woven.mesh.points.iter().map(|p| field::distance(*p)).fold(f32::MAX, f32::min);
        println!(
            "{}: {} points, edges from {} ({short} but for a hundredth) to {long} m, {clear} m off the skin",
            garment.name,
            garment.held.len(),
            all[0]
        );
        assert!(all[0] > 0.008 && short > 0.012 && long < 0.06, "{}: edges from {} to {long} m", garment.name, all[0]);
        assert!(clear > 0.015, "{} is {clear} m from the skin", garment.name);
    }
}

#[test]
fn they_are_whole_sheets_that_turn_outward() {
    for (garment, rims) in garments().iter().zip([2, 1]) {
        let mesh = &garment.woven.mesh;
        let mut sides: HashMap<(u32, u32), i32> = HashMap::new();
        for (a, b) in mesh.triangles.iter().flat_map(|t| edges(*t)) {
            *sides.entry((a.min(b), a.max(b))).or_default() += if a < b { 1 } else { 3 };
        }
        // Once either way inside, once at a rim.
        assert!(sides.values().all(|n| [1, 3, 4].contains(n)), "{}: an edge is crowded or twisted", garment.name);
        let euler = mesh.points.len() as i32 - sides.len() as i32 + mesh.triangles.len() as i32;
        assert_eq!(euler, 2 - rims, "{}: a disc has one rim, a tube two", garment.name);
        let outward = |t: &&[u32; 3]| {
            let corners = mesh.corners(**t);
            let middle = corners.iter().sum::<Vec3>() / 3.0;
            area_normal(corners).dot(field::normal(middle)) > 0.0
        };
        let share = mesh.triangles.iter().filter(outward).count() as f32 / mesh.triangles.len() as f32;
        assert!(share > 0.95, "{}: {share} of the triangles look outward", garment.name);
    }
}

#[test]
fn the_skirt_hangs_on_the_waist_and_the_cape_on_the_collar() {
    let [skirt, cape] = garments();
    let held = |g: &Garment| -> Vec<Vec3> {
        let points = g.woven.mesh.points.iter().zip(&g.held);
        points.filter(|(_, held)| **held).map(|(p, _)| *p).collect()
    };
    assert!(held(&skirt).iter().all(|p| p.y > 1.0) && held(&skirt).len() > 40);
    assert!(held(&cape).iter().all(|p| p.y > 1.43 && p.x.abs() < 0.15) && held(&cape).len() >= 9);
    for garment in [&skirt, &cape] {
        for shares in &garment.influences {
            assert!((shares.iter().map(|s| s.1).sum::<f32>() - 1.0).abs() < 1e-5);
        }
    }
}
