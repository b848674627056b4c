//! Attribute streams of `KHR_meshopt_compression`: differences between elements, byte by byte, in blocks of groups of 16.

use super::stream::Stream;

/// Elements of a group.
const GROUP: usize = 16;
/// Most elements of a block.
const MOST: usize = 256;

/// Bits of the differences of a group, by its two header bits.
const VERSION_0: [u32; 4] = [0, 2, 4, 8];
const CONTROL_0: [u32; 4] = [0, 1, 2, 4];
const CONTROL_1: [u32; 4] = [1, 2, 4, 8];

/// How the differences of one byte of all elements of a block are stored.
#[derive(Clone, Copy)]
enum Plane {
    Groups([u32; 4]),
    Zero,
    Literal,
}

/// How differences of four bytes become values.
#[derive(Clone, Copy)]
enum Channel {
    Bytes,
    Words,
    /// Differences by bit, turned by so many bits.
    Bits(u32),
}

/// `count` elements of `stride` bytes. The stride is a multiple of 4 from 4 to 256.
pub(super) fn decode(bytes: &[u8], count: usize, stride: usize) -> Result<Vec<u8>, &'static str> {
    let (version, rest) = match bytes.split_first() {
        Some((0xa0, rest)) => (0, rest),
        Some((0xa1, rest)) => (1, rest),
        _ => return Err("its attributes have an unknown header"),
    };
    let (tail, least) = if version == 0 { (stride, 32) } else { (stride + stride / 4, 24) };
    let end = rest.len().checked_sub(tail.max(least)).ok_or("its attributes end early")?;
    let (mut stream, (base, modes)) = (Stream(&rest[..end]), rest[rest.len() - tail..].split_at(stride));
    let channels: Vec<Channel> = match version {
        0 => vec![Channel::Bytes; stride / 4],
        _ => modes.iter().map(|mode| channel(*mode)).collect::<Result<_, _>>()?,
    };
    let mut last = base.to_vec();
    let mut out = Vec::with_capacity(count * stride);
    let block = (8192 / stride / GROUP * GROUP).min(MOST);
    while out.len() < count * stride {
        let elements = (count - out.len() / stride).min(block);
        let first = out.len();
        out.resize(first + elements * stride, 0);
        let controls = if version == 0 { &[][..] } else { stream.take(stride / 4)? };
        for (place, channel) in channels.iter().enumerate() {
            let mut planes = [[0; MOST]; 4];
            for (byte, plane) in planes.iter_mut().enumerate() {
                let kind = match controls.get(place).map(|control| control >> (2 * byte) & 3) {
                    None => Plane::Groups(VERSION_0),
                    Some(0) => Plane::Groups(CONTROL_0),
                    Some(1) => Plane::Groups(CONTROL_1),
                    Some(2) => Plane::Zero,
                    Some(_) => Plane::Literal,
                };
                differences(&mut stream, kind, &mut plane[..elements])?;
            }
            let last = last[4 * place..].first_chunk_mut().ok_or("its attributes end early")?;
            for (element, to) in out[first..].chunks_exact_mut(stride).enumerate() {
                *last = channel.next(*last, planes.map(|plane| plane[element]));
                to[4 * place..4 * place + 4].copy_from_slice(last);
            }
        }
    }
    stream.ended().then_some(out).ok_or("its attributes are longer than its count")
}

fn channel(mode: u8) -> Result<Channel, &'static str> {
    match (mode & 15, mode >> 4) {
        (0, 0) => Ok(Channel::Bytes),
        (1, 0) => Ok(Channel::Words),
        (2, turn) => Ok(Channel::Bits(u32::from(turn))),
        _ => Err("its attributes have an unknown channel mode"),
    }
}

impl Channel {
    /// The value after `last`.
    fn next(self, last: [u8; 4], difference: [u8; 4]) -> [u8; 4] {
        match self {
            Self::Bytes => std::array::from_fn(|i| {
                let v = difference[i];
                last[i].wrapping_add(if v & 1 == 1 { !(v >> 1) } else { v >> 1 })
            }),
            Self::Words => {
                let word = |bytes: [u8; 4], i: usize| u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]);
                let next = |i: usize| {
                    let v = word(difference, i);
                    word(last, i).wrapping_add(if v & 1 == 1 { !(v >> 1) } else { v >> 1 }).to_le_bytes()
                };
                let [low, high] = [next(0), next(1)];
                [low[0], low[1], high[0], high[1]]
            }
            Self::Bits(turn) => {
                (u32::from_le_bytes(last) ^ u32::from_le_bytes(difference).rotate_right(turn)).to_le_bytes()
            }
        }
    }
}

/// Differences of one byte of the elements of a block.
fn differences(stream: &mut Stream<'_>, kind: Plane, out: &mut [u8]) -> Result<(), &'static str> {
    let widths = match kind {
        Plane::Zero => return Ok(()),
        Plane::Literal => {
            out.copy_from_slice(stream.take(out.len())?);
            return Ok(());
        }
        Plane::Groups(widths) => widths,
    };
    let header = stream.take(out.len().div_ceil(GROUP).div_ceil(4))?;
    for (index, out) in out.chunks_mut(GROUP).enumerate() {
        let bits = widths[usize::from(header[index / 4] >> (2 * (index % 4)) & 3)];
        // The last group is stored whole, however few elements it has.
        out.copy_from_slice(&group(stream, bits)?[..out.len()]);
    }
    Ok(())
}

/// 16 differences of `bits` bits; those with all bits set follow as bytes.
fn group(stream: &mut Stream<'_>, bits: u32) -> Result<[u8; GROUP], &'static str> {
    let mut out = [0; GROUP];
    if bits == 0 {
        return Ok(out);
    }
    let packed = stream.take(2 * bits as usize)?;
    let (per_byte, all) = (8 / bits as usize, (0xff_u32 >> (8 - bits)) as u8);
    for (index, out) in out.iter_mut().enumerate() {
        let at = bits as usize * (index % per_byte);
        // Single bits begin at the low end, wider ones at the high end.
        let shift = if bits == 1 { at } else { 8 - bits as usize - at };
        let value = packed[index / per_byte] >> shift & all;
        *out = if bits < 8 && value == all { stream.take(1)?[0] } else { value };
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_of_four_bits_is_that_of_the_specification() {
        let bytes = [0x17, 0x5f, 0xf0, 0xbc, 0x77, 0xa9, 0x21, 0x00, 0x34, 0xb5];
        let group = group(&mut Stream(&bytes), 4).unwrap();
        let steps = group.map(|v| (if v & 1 == 1 { !(v >> 1) } else { v >> 1 }) as i8);
        assert_eq!(steps, [-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0]);
    }
}
