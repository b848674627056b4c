//! Reads accessors: typed arrays in buffer views, dense or sparse, with every size checked before a byte is touched.

use std::cell::Cell;

use super::Fault;
use super::container::{Container, limit};

/// Most numbers read from one file, all accessors together.
const MAX_NUMBERS: u64 = 24 << 20;

/// Reads the accessors of a file and keeps count of what it has read.
pub(super) struct Reader<'a> {
    pub(super) container: &'a Container,
    read: Cell<u64>,
}

/// Numbers of an accessor, `width` per element.
pub(super) struct Array<T> {
    pub(super) width: usize,
    pub(super) data: Vec<T>,
}

impl<T> Array<T> {
    /// Elements of `width` numbers.
    pub(super) fn rows(&self) -> impl ExactSizeIterator<Item = &[T]> {
        self.data.chunks_exact(self.width)
    }
}

/// How numbers are stored.
#[derive(Clone, Copy, PartialEq)]
enum Number {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Number {
    fn from_code(element: &str, code: u32) -> Result<Self, Fault> {
        Ok(match code {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            _ => return Err(Fault::invalid(element, format!("component type {code} does not exist"))),
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// The number stored in `b`, which has at least [`Number::size`] bytes.
    fn read(self, b: &[u8]) -> f64 {
        match self {
            Self::I8 => f64::from(b[0] as i8),
            Self::U8 => f64::from(b[0]),
            Self::I16 => f64::from(i16::from_le_bytes([b[0], b[1]])),
            Self::U16 => f64::from(u16::from_le_bytes([b[0], b[1]])),
            Self::U32 => f64::from(u32::from_le_bytes([b[0], b[1], b[2], b[3]])),
            Self::F32 => f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]])),
        }
    }

    /// What 1.0 is stored as, in a normalized accessor.
    fn one(self) -> f64 {
        match self {
            Self::I8 => 127.0,
            Self::U8 => 255.0,
            Self::I16 => 32_767.0,
            Self::U16 => 65_535.0,
            Self::U32 => f64::from(u32::MAX),
            Self::F32 => 1.0,
        }
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(container: &'a Container) -> Self {
        Self { container, read: Cell::new(0) }
    }

    /// Finite numbers of accessor `index`, whose width must be one of `widths`; normalized integers are decoded.
    pub(super) fn floats(&self, index: usize, widths: &[usize]) -> Result<Array<f32>, Fault> {
        let element = format!("accessor {index}");
        let (number, array) = self.numbers(index, &element, widths)?;
        let normalized = self.container.root.accessors[index].normalized;
        let scale = if normalized { 1.0 / number.one() } else { 1.0 };
        let data: Vec<f32> =
            array.data.iter().map(|v| if normalized { (v * scale).max(-1.0) } else { *v } as f32).collect();
        match data.iter().position(|v| !v.is_finite()) {
            Some(at) => Err(Fault::invalid(
                element,
                format!("number {} of element {} is not finite", at % array.width, at / array.width),
            )),
            None => Ok(Array { width: array.width, data }),
        }
    }

    /// Unsigned integers of accessor `index`.
    pub(super) fn integers(&self, index: usize, widths: &[usize]) -> Result<Array<u32>, Fault> {
        let element = format!("accessor {index}");
        let (number, array) = self.numbers(index, &element, widths)?;
        if !matches!(number, Number::U8 | Number::U16 | Number::U32) {
            return Err(Fault::invalid(element, "must hold unsigned integers"));
        }
        Ok(Array { width: array.width, data: array.data.iter().map(|v| *v as u32).collect() })
    }

    /// Bytes of a buffer view.
    pub(super) fn view(&self, element: &str, index: usize) -> Result<&'a [u8], Fault> {
        let container = self.container;
        let views = &container.root.buffer_views;
        let view = views.get(index).ok_or_else(|| Fault::missing(element, "buffer view", index, views.len()))?;
        let name = format!("buffer view {index}");
        let buffer = container
            .buffers
            .get(view.buffer)
            .ok_or_else(|| Fault::missing(&name, "buffer", view.buffer, container.buffers.len()))?;
        let end = view.byte_offset.checked_add(view.byte_length);
        end.and_then(|end| buffer.get(view.byte_offset..end)).ok_or_else(|| Fault::Truncated {
            element: format!("{name} in buffer {}", view.buffer),
            need: view.byte_offset.saturating_add(view.byte_length) as u64,
            have: buffer.len() as u64,
        })
    }

    fn numbers(&self, index: usize, element: &str, widths: &[usize]) -> Result<(Number, Array<f64>), Fault> {
        let accessors = &self.container.root.accessors;
        let accessor =
            accessors.get(index).ok_or_else(|| Fault::missing("the file", "accessor", index, accessors.len()))?;
        let width = match accessor.shape.as_str() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            other => return Err(Fault::invalid(element, format!("type `{other}` is not used here"))),
        };
        if !widths.contains(&width) {
            return Err(Fault::invalid(element, format!("type {} does not fit its use", accessor.shape)));
        }
        let number = Number::from_code(element, accessor.component_type)?;
        let amount = (accessor.count as u64).saturating_mul(width as u64);
        self.read.set(self.read.get().saturating_add(amount));
        limit("the data of all accessors", self.read.get(), MAX_NUMBERS)?;
        if accessor.count == 0 {
            return Err(Fault::invalid(element, "has no elements"));
        }
        let mut data = vec![0.0; accessor.count * width];
        if let Some(view) = accessor.buffer_view {
            let bytes = self.view(element, view)?;
            let stride = self.container.root.buffer_views[view].byte_stride;
            gather(element, bytes, accessor.byte_offset, stride, number, width, &mut data)?;
        }
        if let Some(sparse) = &accessor.sparse {
            let count = sparse.count;
            if count > accessor.count {
                return Err(Fault::invalid(element, format!("replaces {count} of {} elements", accessor.count)));
            }
            let (mut places, mut values) = (vec![0.0; count], vec![0.0; count * width]);
            let kind = Number::from_code(element, sparse.indices.component_type)?;
            let bytes = self.view(element, sparse.indices.buffer_view)?;
            gather(element, bytes, sparse.indices.byte_offset, None, kind, 1, &mut places)?;
            let bytes = self.view(element, sparse.values.buffer_view)?;
            gather(element, bytes, sparse.values.byte_offset, None, number, width, &mut values)?;
            for (place, value) in places.iter().zip(values.chunks_exact(width)) {
                let row = data.chunks_exact_mut(width).nth(*place as usize).filter(|_| *place >= 0.0);
                row.ok_or_else(|| Fault::missing(element, "sparse element", *place as usize, accessor.count))?
                    .copy_from_slice(value);
            }
        }
        Ok((number, Array { width, data }))
    }
}

/// Fills `out` with elements of `width` numbers that start at `offset` and lie `stride` bytes apart.
fn gather(
    element: &str,
    bytes: &[u8],
    offset: usize,
    stride: Option<usize>,
    number: Number,
    width: usize,
    out: &mut [f64],
) -> Result<(), Fault> {
    let size = number.size() * width;
    let stride = stride.unwrap_or(size);
    if stride < size {
        return Err(Fault::invalid(element, format!("its stride of {stride} bytes is less than an element")));
    }
    let count = out.len() / width;
    let need = count.saturating_sub(1).checked_mul(stride).and_then(|n| n.checked_add(size)?.checked_add(offset));
    if need.is_none_or(|need| need > bytes.len()) {
        let need = need.map_or(u64::MAX, |n| n as u64);
        return Err(Fault::Truncated { element: element.into(), need, have: bytes.len() as u64 });
    }
    for (row, values) in out.chunks_exact_mut(width).enumerate() {
        let start = offset + row * stride;
        for (i, value) in values.iter_mut().enumerate() {
            *value = number.read(&bytes[start + i * number.size()..]);
        }
    }
    Ok(())
}
