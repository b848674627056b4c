//! Bytes as base64 (RFC 4648, section 4).

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// What is no letter.
const NONE: u8 = 0xff;
/// The number of each letter.
const NUMBERS: [u8; 256] = {
    let mut numbers = [NONE; 256];
    let mut i = 0;
    while i < 64 {
        numbers[LETTERS[i] as usize] = i as u8;
        i += 1;
    }
    numbers
};

/// `bytes` in letters, filled up with `=` to groups of four.
pub(super) fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let byte = |i: usize| u32::from(three.get(i).copied().unwrap_or(0));
        let all = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            let letter = LETTERS[(all >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= three.len() { char::from(letter) } else { '=' });
        }
    }
    text
}

/// The bytes of a text; none if it is not what [`encode`] writes.
pub(super) fn decode(text: &str) -> Option<Vec<u8>> {
    let (groups, rest) = text.as_bytes().as_chunks::<4>();
    if !rest.is_empty() {
        return None;
    }
    let mut bytes = Vec::with_capacity(3 * groups.len());
    for (index, group) in groups.iter().enumerate() {
        let last = index + 1 == groups.len();
        let filled = group.iter().rev().take_while(|letter| last && **letter == b'=').count();
        let mut all = 0;
        for (place, letter) in group.iter().enumerate() {
            let number = if place + filled >= 4 { 0 } else { NUMBERS[usize::from(*letter)] };
            if number == NONE || filled > 2 {
                return None;
            }
            all = all << 6 | u32::from(number);
        }
        bytes.extend_from_slice(&all.to_be_bytes()[1..4 - filled]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_standard() {
        for (plain, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(encode(plain.as_bytes()), text);
            assert_eq!(decode(text).as_deref(), Some(plain.as_bytes()));
        }
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(&encode(&all)), Some(all));
        for bad in ["Zg", "Zg=", "Z===", "Zm9v!===", "Zg==Zg==", "====", "ä"] {
            assert_eq!(decode(bad), None, "{bad}");
        }
    }
}
