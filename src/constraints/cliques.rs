//! Cliques of the graph of constraints, whose edges join constraints that share a vertex: by Bron and Kerbosch (1973) with pivots
//! (Tomita et al. 2006), from constraints in the order of their degeneracy (Eppstein et al. 2010), as algorithm 2 of paper 3 asks.

use super::coloring::smallest_last;

/// Steps of the search from one constraint: tetrahedra around a point can be in millions of cliques, of which the first do.
const MOST_STEPS: u32 = 20_000;

/// Maximal cliques of more than `least` constraints, the largest first. `vertices(i)` lists what constraint `i` writes, each below
/// `vertex_count`.
pub(super) fn large_cliques<'a>(
    count: usize,
    vertex_count: usize,
    vertices: impl Fn(usize) -> &'a [u32],
    least: usize,
) -> Vec<Vec<u32>> {
    let kept = core(count, vertex_count, &vertices, least);
    let own = |i: usize| vertices(kept[i] as usize);
    let mut at = vec![Vec::new(); vertex_count];
    for i in 0..kept.len() {
        own(i).iter().for_each(|v| at[*v as usize].push(i as u32));
    }
    let order = smallest_last(kept.len(), vertex_count, &own);
    let mut rank = vec![0; kept.len()];
    (0..).zip(&order).for_each(|(place, i): (u32, _)| rank[*i as usize] = place);
    let mut found = Vec::new();
    for first in order {
        let mut near: Vec<u32> = own(first as usize).iter().flat_map(|v| &at[*v as usize]).copied().collect();
        near.sort_unstable();
        near.dedup();
        near.retain(|i| *i != first);
        let later = near.iter().filter(|i| rank[**i as usize] > rank[first as usize]).count();
        if later < least {
            continue;
        }
        let mut search = Search::new(&near, own, least, MOST_STEPS);
        let mut candidates = Set::new(near.len());
        let mut excluded = Set::new(near.len());
        for (place, i) in near.iter().enumerate() {
            let side = if rank[*i as usize] > rank[first as usize] { &mut candidates } else { &mut excluded };
            side.insert(place);
        }
        search.extend(&mut Vec::new(), candidates, excluded);
        let name = |place: &usize| kept[near[*place] as usize];
        for clique in search.found {
            let mut members: Vec<u32> = clique.iter().map(name).chain([kept[first as usize]]).collect();
            members.sort_unstable();
            found.push(members);
        }
    }
    found.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    found
}

/// The constraints that can be in a clique of more than `least`: those that have as many neighbors among themselves.
fn core<'a>(count: usize, vertex_count: usize, vertices: &impl Fn(usize) -> &'a [u32], least: usize) -> Vec<u32> {
    let mut kept: Vec<u32> = (0..count as u32).collect();
    loop {
        let mut at = vec![0_usize; vertex_count];
        kept.iter().flat_map(|i| vertices(*i as usize)).for_each(|v| at[*v as usize] += 1);
        let before = kept.len();
        // Who shares two vertices counts twice, so that this is never too few.
        kept.retain(|i| vertices(*i as usize).iter().map(|v| at[*v as usize] - 1).sum::<usize>() >= least);
        if kept.len() == before {
            return kept;
        }
    }
}

/// Places in a list, a bit each.
#[derive(Clone)]
struct Set(Vec<u64>);

impl Set {
    fn new(room: usize) -> Self {
        Self(vec![0; room.div_ceil(64)])
    }

    fn insert(&mut self, place: usize) {
        self.0[place / 64] |= 1 << (place % 64);
    }

    fn remove(&mut self, place: usize) {
        self.0[place / 64] &= !(1 << (place % 64));
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    fn and(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    fn without(&self, other: &Self) -> Self {
        Self(self.0.iter().zip(&other.0).map(|(a, b)| a & !b).collect())
    }

    fn places(&self) -> impl Iterator<Item = usize> {
        let bits = |word: u64| (0..64).filter(move |bit| word >> bit & 1 == 1);
        self.0.iter().enumerate().flat_map(move |(i, word)| bits(*word).map(move |bit| 64 * i + bit))
    }
}

/// A search among the neighbors of one constraint, which are called by their places.
struct Search {
    adjacent: Vec<Set>,
    least: usize,
    steps: u32,
    /// Cliques without the constraint that the search began from.
    found: Vec<Vec<usize>>,
}

impl Search {
    fn new<'a>(near: &[u32], vertices: impl Fn(usize) -> &'a [u32], least: usize, steps: u32) -> Self {
        let touch = |a: u32, b: u32| vertices(a as usize).iter().any(|v| vertices(b as usize).contains(v));
        let mut adjacent = vec![Set::new(near.len()); near.len()];
        for (i, a) in near.iter().enumerate() {
            for (j, _) in near.iter().enumerate().filter(|(j, b)| i != *j && touch(*a, **b)) {
                adjacent[i].insert(j);
            }
        }
        Self { adjacent, least, steps, found: Vec::new() }
    }

    /// Adds to `members` each of the candidates that go with all of them in turn; `excluded` were in turn before.
    fn extend(&mut self, members: &mut Vec<usize>, mut candidates: Set, mut excluded: Set) {
        // The constraint that the search began from is one more.
        if members.len() + candidates.count() < self.least || self.steps == 0 {
            return;
        }
        self.steps -= 1;
        if candidates.is_empty() {
            if excluded.is_empty() {
                self.found.push(members.clone());
            }
            return;
        }
        let reach = |place: &usize| candidates.and(&self.adjacent[*place]).count();
        let pivot = candidates.places().chain(excluded.places()).max_by_key(|place| (reach(place), usize::MAX - place));
        let turns = pivot.map_or_else(|| candidates.clone(), |pivot| candidates.without(&self.adjacent[pivot]));
        for place in turns.places() {
            let (with, without) = (candidates.and(&self.adjacent[place]), excluded.and(&self.adjacent[place]));
            members.push(place);
            self.extend(members, with, without);
            members.pop();
            candidates.remove(place);
            excluded.insert(place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All maximal cliques by trying every subset.
    fn by_force(lists: &[Vec<u32>], least: usize) -> Vec<Vec<u32>> {
        let touch = |a: usize, b: usize| lists[a].iter().any(|v| lists[b].contains(v));
        let is_clique = |set: u32| {
            let members: Vec<usize> = (0..lists.len()).filter(|i| set >> i & 1 == 1).collect();
            members.iter().all(|a| members.iter().all(|b| touch(*a, *b)))
        };
        let cliques: Vec<u32> = (1..1_u32 << lists.len()).filter(|set| is_clique(*set)).collect();
        let maximal = |set: &&u32| !cliques.iter().any(|other| other != *set && other & **set == **set);
        let members = |set: &u32| (0..lists.len() as u32).filter(|i| set >> i & 1 == 1).collect::<Vec<_>>();
        let mut found: Vec<_> = cliques.iter().filter(maximal).map(members).filter(|c| c.len() > least).collect();
        found.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        found
    }

    #[test]
    fn cliques_are_those_of_all_subsets() {
        let mut state = 1_u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 33) % below
        };
        for round in 0..60 {
            let lists: Vec<Vec<u32>> = (0..11)
                .map(|_| {
                    let mut list: Vec<u32> = (0..2 + round % 3).map(|_| next(9) as u32).collect();
                    list.sort_unstable();
                    list.dedup();
                    list
                })
                .collect();
            for least in 0..5 {
                let found = large_cliques(lists.len(), 9, |i| &lists[i], least);
                assert_eq!(found, by_force(&lists, least), "{lists:?}, more than {least}");
            }
        }
    }

    #[test]
    fn nothing_has_no_cliques() {
        assert!(large_cliques(0, 0, |_| &[], 0).is_empty());
        assert_eq!(large_cliques(1, 2, |_| &[0, 1], 0), [[0]]);
    }
}
