//! Bytes that are read from front to back.

/// Bytes of which some have been read.
pub(super) struct Stream<'a>(pub(super) &'a [u8]);

impl<'a> Stream<'a> {
    pub(super) fn take(&mut self, count: usize) -> Result<&'a [u8], &'static str> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or("its data ends early")?;
        self.0 = rest;
        Ok(taken)
    }

    /// A number of up to 32 bits, seven a byte from the low end.
    pub(super) fn varint(&mut self) -> Result<u32, &'static str> {
        let mut value = 0;
        for place in 0..5 {
            let byte = self.take(1)?[0];
            value |= u32::from(byte & 127) << (7 * place);
            if byte < 128 {
                return Ok(value);
            }
        }
        Err("it has a number of more than five bytes")
    }

    pub(super) fn ended(&self) -> bool {
        self.0.is_empty()
    }
}
