//! Index streams of `KHR_meshopt_compression`: triangles by the edges and vertices that came shortly before, and plain
//! sequences by differences.

use super::stream::Stream;

/// What was seen last; reading what was never written is an error.
struct Recent<T> {
    seen: [Option<T>; 16],
    next: usize,
}

impl<T: Copy> Recent<T> {
    fn new() -> Self {
        Self { seen: [None; 16], next: 0 }
    }

    fn push(&mut self, value: T) {
        self.seen[self.next] = Some(value);
        self.next = (self.next + 1) % 16;
    }

    /// The value `back` before the last.
    fn get(&self, back: usize) -> Result<T, &'static str> {
        self.seen[(self.next + 15 - back) % 16].ok_or("its triangles refer to something before the first")
    }
}

/// State of a stream of triangles.
struct Triangles<'a> {
    extra: Stream<'a>,
    /// Index that comes next if it is a new one.
    next: u32,
    /// Last index that was written out.
    last: u32,
    edges: Recent<[u32; 2]>,
    vertices: Recent<u32>,
}

/// `count` indices of a list of triangles.
pub(super) fn triangles(bytes: &[u8], count: usize) -> Result<Vec<u32>, &'static str> {
    let early = "its triangles end early";
    let (&header, rest) = bytes.split_first().ok_or(early)?;
    if header != 0xe1 {
        return Err("its triangles have an unknown header");
    }
    let (rest, table) = rest.split_last_chunk::<16>().ok_or(early)?;
    let (codes, extra) = rest.split_at_checked(count / 3).ok_or(early)?;
    let mut state = Triangles { extra: Stream(extra), next: 0, last: 0, edges: Recent::new(), vertices: Recent::new() };
    let mut out = Vec::with_capacity(count);
    for &code in codes {
        let triangle = if code < 0xf0 { state.beside(code)? } else { state.apart(code, table)? };
        out.extend(triangle);
    }
    state.extra.ended().then_some(out).ok_or("its triangles are longer than its count")
}

impl Triangles<'_> {
    fn fresh(&mut self) -> u32 {
        let index = self.next;
        self.next = self.next.wrapping_add(1);
        index
    }

    fn explicit(&mut self) -> Result<u32, &'static str> {
        let v = self.extra.varint()?;
        self.last = self.last.wrapping_add(if v & 1 == 1 { !(v >> 1) } else { v >> 1 });
        Ok(self.last)
    }

    /// A triangle at a recent edge.
    fn beside(&mut self, code: u8) -> Result<[u32; 3], &'static str> {
        let [a, b] = self.edges.get(usize::from(code >> 4))?;
        let c = match code & 15 {
            0 => self.fresh(),
            back @ 1..=12 => self.vertices.get(usize::from(back))?,
            step @ 13..=14 => {
                self.last = if step == 13 { self.last.wrapping_sub(1) } else { self.last.wrapping_add(1) };
                self.last
            }
            _ => self.explicit()?,
        };
        if !(1..=12).contains(&(code & 15)) {
            self.vertices.push(c);
        }
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Ok([a, b, c])
    }

    /// A triangle of its own.
    fn apart(&mut self, code: u8, table: &[u8; 16]) -> Result<[u32; 3], &'static str> {
        let written = code >= 0xfe;
        let pair = if written { self.extra.take(1)?[0] } else { table[usize::from(code & 15)] };
        if written && pair == 0 {
            self.next = 0;
        }
        let a = if code == 0xff { self.explicit()? } else { self.fresh() };
        let [b, c] = [pair >> 4, pair & 15].map(|kind| match kind {
            0 => Ok((self.fresh(), true)),
            15 if written => self.explicit().map(|v| (v, true)),
            15 => Err("its triangles have a broken table"),
            back => self.vertices.get(usize::from(back - 1)).map(|v| (v, false)),
        });
        let ((b, new_b), (c, new_c)) = (b?, c?);
        self.edges.push([b, a]);
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        self.vertices.push(a);
        if new_b {
            self.vertices.push(b);
        }
        if new_c {
            self.vertices.push(c);
        }
        Ok([a, b, c])
    }
}

/// `count` indices of any kind.
pub(super) fn sequence(bytes: &[u8], count: usize) -> Result<Vec<u32>, &'static str> {
    let early = "its indices end early";
    let (&header, rest) = bytes.split_first().ok_or(early)?;
    if header != 0xd1 {
        return Err("its indices have an unknown header");
    }
    let (rest, _) = rest.split_last_chunk::<4>().ok_or(early)?;
    // Every index takes a byte at least.
    if rest.len() < count {
        return Err(early);
    }
    let (mut stream, mut last) = (Stream(rest), [0_u32; 2]);
    let mut out = Vec::with_capacity(count);
    for _ in 0..count {
        let v = stream.varint()?;
        let base = &mut last[(v & 1) as usize];
        *base = base.wrapping_add(if v & 2 == 2 { !(v >> 2) } else { v >> 2 });
        out.push(*base);
    }
    stream.ended().then_some(out).ok_or("its indices are longer than its count")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_baselines_and_long_numbers() {
        // 5 on the first baseline, 0x1fd005 / 4 on the second, and one back on the first.
        let bytes = [0xd1, 5 << 2, 0xd5, 0xa0, 0x05, 0b10, 0, 0, 0, 0];
        let second = (5_u32 << 14 | 0x20 << 7 | 0x55) >> 2;
        assert_eq!(sequence(&bytes, 3).unwrap(), [5, second, 4]);
        assert!(sequence(&bytes, 2).is_err() && sequence(&bytes, 4).is_err());
    }

    #[test]
    fn what_was_never_written_is_not_read() {
        let mut bytes = vec![0xe1, 0x10];
        bytes.extend([0; 16]);
        assert!(triangles(&bytes, 3).unwrap_err().contains("before the first"));
        // Three new vertices, and a triangle at the edge of the last two.
        let mut bytes = vec![0xe1, 0xf0, 0x10];
        bytes.extend([0; 16]);
        assert_eq!(triangles(&bytes, 6).unwrap(), [0, 1, 2, 2, 1, 3]);
    }
}
