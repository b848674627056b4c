//! Connected components, by union and find.

/// For each of `count` nodes the lowest of its connected component, where `edges` connect two nodes each.
///
/// # Panics
/// If an edge names a node that is not there.
pub(crate) fn components(count: usize, edges: impl IntoIterator<Item = [u32; 2]>) -> Vec<u32> {
    let mut parents: Vec<u32> = (0..count as u32).collect();
    for [a, b] in edges {
        let (a, b) = (find(&mut parents, a), find(&mut parents, b));
        parents[a.max(b) as usize] = a.min(b);
    }
    (0..count as u32).map(|node| find(&mut parents, node)).collect()
}

/// The lowest node of the component of `node` so far; what is passed on the way moves up by half.
fn find(parents: &mut [u32], mut node: u32) -> u32 {
    while parents[node as usize] != node {
        parents[node as usize] = parents[parents[node as usize] as usize];
        node = parents[node as usize];
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_node_gets_the_lowest_of_its_component() {
        assert_eq!(components(3, []), [0, 1, 2]);
        assert_eq!(components(7, [[6, 4], [2, 5], [4, 2], [1, 1], [3, 0]]), [0, 1, 2, 0, 2, 2, 2]);
    }
}
