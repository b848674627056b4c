//! The state beside a scene file: which scene it is of, and the state itself, compressed, since most of it is room that nothing fills.

use std::io::{Read, Write};

use anyhow::{Context as _, Result, bail};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

/// What the compressed part begins with.
const MAGIC: [u8; 2] = [0x1f, 0x8b];
/// Most bytes of a state over those of its world as it begins, whose lists grow, and for what is not on the GPU.
const GROWN: u64 = 16;
const BESIDE: u64 = 64 << 20;

/// The file of a state, taken of the scene with this hash.
///
/// # Errors
/// There is no memory for it.
pub(super) fn packed(scene: u64, state: &[u8]) -> Result<Vec<u8>> {
    let mut packed = GzEncoder::new(scene.to_le_bytes().to_vec(), Compression::fast());
    packed.write_all(state)?;
    Ok(packed.finish()?)
}

/// The hash of the scene and the state in a file, for a world whose own state takes `expected` bytes as it begins.
///
/// # Errors
/// A file that is truncated or altered, or a state far larger than that world could have.
pub(super) fn unpacked(file: &[u8], expected: u64) -> Result<(u64, Vec<u8>)> {
    let Some((scene, rest)) = file.split_first_chunk() else { bail!("it is truncated") };
    let mut state = Vec::new();
    if rest.starts_with(&MAGIC) {
        let most = expected.saturating_mul(GROWN).saturating_add(BESIDE);
        GzDecoder::new(rest).take(most + 1).read_to_end(&mut state).context("it is truncated or altered")?;
        if state.len() as u64 > most {
            bail!("it is larger than any state of this scene");
        }
    } else {
        // Those of earlier versions are not compressed; what they are is told by who reads a state.
        state.extend(rest);
    }
    Ok((u64::from_le_bytes(*scene), state))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_takes_no_place_in_the_file_and_what_is_cut_off_or_too_large_is_refused() {
        let mut state = vec![0; 1 << 20];
        (0..1000).for_each(|i| state[i * 7] = i as u8);
        let file = packed(7, &state).unwrap();
        assert!(file.len() < 20_000, "{} bytes", file.len());
        assert_eq!(unpacked(&file, 0).unwrap(), (7, state));
        let refused = |file: &[u8]| format!("{:#}", unpacked(file, 0).unwrap_err());
        for length in [0, 7, 12, file.len() / 2, file.len() - 1] {
            let told = refused(&file[..length]);
            assert!(told.starts_with("it is truncated"), "{length}: {told}");
        }
        let mut altered = file;
        let middle = altered.len() / 2;
        altered[middle] ^= 0x55;
        assert!(refused(&altered).starts_with("it is truncated or altered"));
        let bomb = packed(7, &vec![0; BESIDE as usize + 1]).unwrap();
        assert!(refused(&bomb).contains("larger than any state"));
        let plain = [&7_u64.to_le_bytes()[..], b"sinew state\n"].concat();
        assert_eq!(unpacked(&plain, 0).unwrap(), (7, b"sinew state\n".to_vec()));
    }
}
