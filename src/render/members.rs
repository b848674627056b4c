//! Which particles belong to which liquid or grains.

use std::ops::Range;

/// Every particle of the kinds whose blocks these are, with the index of its kind.
pub(super) fn members<'a>(kinds: impl Iterator<Item = &'a [Range<u32>]>) -> Vec<[u32; 2]> {
    let of_kind = |(kind, blocks): (u32, &'a [Range<u32>])| {
        blocks.iter().cloned().flatten().map(move |particle| [particle, kind])
    };
    (0..).zip(kinds).flat_map(of_kind).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_those_of_all_blocks_of_each_kind() {
        let blocks = [vec![3..5, 9..10], vec![], vec![0..1, 1..2]];
        let found = members(blocks.iter().map(|b| &b[..]));
        assert_eq!(found, [[3, 0], [4, 0], [9, 0], [0, 2], [1, 2]]);
    }
}
