//! Coarser triangles of models that bend, over the same vertices: details smaller than a pixel need not be drawn.

use std::collections::{HashMap, HashSet};

use super::geometry::normal;
use crate::scene::Primitive;

/// Widths of the cells whose vertices become one [m].
pub(super) const CELLS: [f32; 3] = [0.012, 0.024, 0.048];

/// How far apart in their texture vertices that become one may be, in what a cell's width is of it there: less than two sides of a
/// seam are, more than what is in a cell.
const SAME_PLACE: f32 = 2.0;

/// The triangles of `primitive` that are left when all vertices in a cell of this width [m] that face the same eighth of all
/// directions, follow the same bone and are near one another in the texture are one of them; each once. That one is of the
/// primitive's border, if any is, and chosen by its place: then primitives that meet there still do.
pub(super) fn triangles(primitive: &Primitive, cell: f32) -> Vec<u32> {
    let kept = kept(primitive, cell);
    let mut seen = HashSet::new();
    let mut left = Vec::new();
    for corners in primitive.indices.as_chunks::<3>().0 {
        let triangle = corners.map(|i| kept[i as usize]);
        let mut sorted = triangle;
        sorted.sort_unstable();
        if sorted[0] != sorted[1] && sorted[1] != sorted[2] && seen.insert(sorted) {
            left.extend(triangle);
        }
    }
    left
}

/// The vertex that each becomes.
fn kept(primitive: &Primitive, cell: f32) -> Vec<u32> {
    let border = border(&primitive.indices);
    let stretch = stretch(primitive);
    let key = |i: u32| {
        let facing = normal(primitive, i as usize).to_array().map(|part| part > 0.0);
        ((primitive.positions[i as usize] / cell).floor().as_ivec3().to_array(), facing, bone(primitive, i as usize))
    };
    let near = |i: u32, j: u32| {
        let [i, j] = [i, j].map(|i| i as usize);
        let reach = SAME_PLACE * cell * stretch[i].max(stretch[j]);
        primitive.uvs.is_empty() || primitive.uvs[i].distance(primitive.uvs[j]) <= reach
    };
    let rank = |i: &u32| (!border.contains(i), primitive.positions[*i as usize].to_array().map(f32::to_bits), *i);
    let mut order: Vec<u32> = (0..primitive.positions.len() as u32).collect();
    order.sort_by_cached_key(rank);
    let mut chosen: HashMap<_, Vec<u32>> = HashMap::new();
    let mut kept: Vec<u32> = (0..order.len() as u32).collect();
    for i in order {
        let there = chosen.entry(key(i)).or_default();
        match there.iter().find(|one| near(i, **one)) {
            Some(one) => kept[i as usize] = *one,
            None => there.push(i),
        }
    }
    kept
}

/// The bone that a vertex follows most.
fn bone(primitive: &Primitive, vertex: usize) -> u16 {
    let own = primitive.influences.get(vertex).into_iter().flatten();
    own.max_by(|a, b| a.weight.total_cmp(&b.weight).then(b.bone.cmp(&a.bone))).map_or(0, |most| most.bone)
}

/// How much of the texture a meter is at each vertex, along the edges there [1/m]; 0 of what has none.
fn stretch(primitive: &Primitive) -> Vec<f32> {
    let mut sums = vec![(0.0, 0.0); primitive.positions.len()];
    if primitive.uvs.is_empty() {
        return vec![0.0; sums.len()];
    }
    for [a, b, c] in primitive.indices.as_chunks::<3>().0.iter().map(|t| t.map(|i| i as usize)) {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let texture = primitive.uvs[from].distance(primitive.uvs[to]);
            let length = primitive.positions[from].distance(primitive.positions[to]);
            [from, to].into_iter().for_each(|i| sums[i] = (sums[i].0 + texture, sums[i].1 + length));
        }
    }
    sums.into_iter().map(|(texture, length): (f32, f32)| if length > 0.0 { texture / length } else { 0.0 }).collect()
}

/// Vertices of edges that only one triangle has.
fn border(indices: &[u32]) -> HashSet<u32> {
    let mut uses: HashMap<[u32; 2], u32> = HashMap::new();
    for [a, b, c] in indices.as_chunks::<3>().0 {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *uses.entry([*from.min(to), *from.max(to)]).or_default() += 1;
        }
    }
    uses.into_iter().filter(|(_, uses)| *uses == 1).flat_map(|(edge, _)| edge).collect()
}

/// Which of the meshes, the full one and one for each of [`CELLS`], shows all that is as wide as `finest` [m].
pub(super) fn level(finest: f32) -> usize {
    CELLS.iter().take_while(|cell| **cell <= finest).count()
}

#[cfg(test)]
mod tests {
    use glam::{Quat, Vec2, Vec3, Vec4};

    use super::*;
    use crate::scene::{Influence, MAX_INFLUENCES};

    #[test]
    fn meshes_that_meet_still_do() {
        let place = |x: f32, z: f32| 0.01 * Vec3::new(x + 0.3, 0.5, z + 0.3);
        // Two strips of 20 by 4 squares, 1 cm wide each, that share the line z = 0.
        let strip = |side: f32| {
            let mut strip = Primitive::default();
            for i in 0..21 * 5u32 {
                strip.positions.push(place((i % 21) as f32, side * (i / 21) as f32));
            }
            for i in (0..21 * 4u32).filter(|i| i % 21 < 20) {
                strip.indices.extend([i, i + 21, i + 1, i + 1, i + 21, i + 22]);
            }
            strip
        };
        let line = |strip: &Primitive| -> HashSet<u32> {
            let used: HashSet<u32> = triangles(strip, 0.024).into_iter().collect();
            used.into_iter().filter(|i| *i < 21).collect()
        };
        let [ahead, back] = [1.0, -1.0].map(|side| line(&strip(side)));
        assert!(ahead.len() < 15 && ahead == back, "{ahead:?} {back:?}");
    }

    /// A sheet of 20 by 20 squares, 1 cm wide each, of two halves that follow a bone each, or whose textures are far apart.
    fn halves(bones: bool) -> Primitive {
        let mut sheet = Primitive::default();
        for side in 0..2u32 {
            let first = sheet.positions.len() as u32;
            for (x, z) in (0..21).flat_map(|z| (0..11).map(move |x| (x + 10 * side, z))) {
                sheet.positions.push(0.01 * Vec3::new(x as f32 + 0.3, 0.5, z as f32 + 0.5));
                sheet.normals.push(Vec3::Y);
                let place = 0.01 * Vec2::new((x + 60 * side) as f32, z as f32);
                sheet.uvs.extend((!bones).then_some(place));
                let [one, other] = [0.6, 0.4].map(|weight| Influence { bone: 0, weight });
                let mut own = [Influence { weight: 0.0, ..one }; MAX_INFLUENCES];
                own[..2].copy_from_slice(&[Influence { bone: side as u16, ..one }, Influence { bone: 2, ..other }]);
                sheet.influences.extend(bones.then_some(own));
            }
            for i in (0..20 * 10u32).map(|i| first + i / 10 * 11 + i % 10) {
                sheet.indices.extend([i, i + 11, i + 1, i + 1, i + 11, i + 12]);
            }
        }
        sheet
    }

    #[test]
    fn both_sides_of_a_seam_keep_their_texture_and_their_bones() {
        for bones in [false, true] {
            let sheet = halves(bones);
            for cell in CELLS {
                let coarse = triangles(&sheet, cell);
                for corners in coarse.as_chunks::<3>().0 {
                    let sides = corners.map(|i| i / (11 * 21));
                    assert!(sides[0] == sides[1] && sides[1] == sides[2], "{corners:?} have corners of both sides");
                }
                let (whole, left) = (sheet.indices.len() as f32, coarse.len() as f32);
                let most = 2.0 * (0.01 / cell).powi(2).min(0.5);
                assert!(left / whole < most, "{left} of {whole} at {cell} m");
            }
        }
    }

    #[test]
    fn a_character_has_far_fewer_triangles_from_far_away() {
        let mut scene = crate::scene::Scene::default();
        let dancer = crate::spawn::Character::dancer().unwrap();
        dancer.add_to(&mut scene, Vec3::ZERO, Quat::IDENTITY, Vec4::ONE).unwrap();
        let mut parts = scene.instances[0].model.primitives.clone();
        for part in &mut parts {
            part.uvs = part.positions.iter().map(|p| 0.5 * Vec2::new(p.x + 3.0 * p.z, p.y)).collect();
        }
        assert!(parts.iter().all(|part| !part.influences.is_empty()));
        let count = |cell: f32, parts: &[Primitive]| parts.iter().map(|p| triangles(p, cell).len() / 3).sum::<usize>();
        let whole: usize = parts.iter().map(|part| part.indices.len() / 3).sum();
        let left = CELLS.map(|cell| count(cell, &parts));
        parts.iter_mut().for_each(|part| part.uvs.clear());
        let bones = CELLS.map(|cell| count(cell, &parts));
        parts.iter_mut().for_each(|part| part.influences.clear());
        let places = CELLS.map(|cell| count(cell, &parts));
        println!("{whole} triangles become {left:?}, {bones:?} by bones alone, {places:?} without them");
        assert!((0..3).all(|i| left[i] * [1, 2, 4][i] < whole), "{left:?} of {whole}");
    }

    #[test]
    fn fine_meshes_lose_triangles_and_coarse_ones_none() {
        // A sheet of 20 by 20 squares, 1 cm wide each.
        let mut sheet = Primitive::default();
        for i in 0..21 * 21u32 {
            sheet.positions.push(0.01 * Vec3::new((i % 21) as f32 + 0.5, 0.5, (i / 21) as f32 + 0.5));
            sheet.normals.push(Vec3::Y);
        }
        for i in (0..20 * 21u32).filter(|i| i % 21 < 20) {
            sheet.indices.extend([i, i + 21, i + 1, i + 1, i + 21, i + 22]);
        }
        assert_eq!(triangles(&sheet, 0.009).len(), sheet.indices.len());
        let coarse = triangles(&sheet, 0.048);
        assert!(coarse.len() < sheet.indices.len() / 8, "{}", coarse.len());
        let area = |t: &[u32; 3]| {
            let [a, b, c] = t.map(|i| sheet.positions[i as usize]);
            0.5 * (b - a).cross(c - a).y
        };
        let covered: f32 = coarse.as_chunks::<3>().0.iter().map(area).sum();
        assert!((0.8..1.05).contains(&(covered / 0.04)), "nothing is folded and little lost: {covered} m²");
        assert_eq!([0.001, 0.012, 0.03, 9.0].map(level), [0, 1, 2, 3]);
    }
}
