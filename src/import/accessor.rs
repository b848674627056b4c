//! Reads accessors: typed arrays in buffer views, dense or sparse, with every size checked before a byte is touched.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use gltf::accessor::util::ItemIter;
use gltf::accessor::{DataType, Item, Iter};
use gltf::json::accessor::{GenericComponentType, IndexComponentType, Type};
use gltf::json::validation::{Checked, USize64};

use super::Fault;
use super::container::Container;
use super::error::limit;

/// Most numbers read from one file, all accessors together.
const MAX_NUMBERS: u64 = 24 << 20;

/// Reads the accessors of a file and keeps count of what it has read.
pub(super) struct Reader<'a> {
    pub(super) container: &'a Container,
    read: Cell<u64>,
    /// Attributes of vertices by their accessor: primitives of one mesh often share them.
    vectors: RefCell<HashMap<usize, Rc<Array<f32>>>>,
    slots: RefCell<HashMap<usize, Rc<Array<u32>>>>,
}

/// Numbers of an accessor, `width` per element.
pub(super) struct Array<T> {
    pub(super) width: usize,
    pub(super) data: Vec<T>,
}

impl<T> Array<T> {
    /// Element `row`.
    pub(super) fn row(&self, row: u32) -> &[T] {
        &self.data[row as usize * self.width..][..self.width]
    }

    /// Elements of `width` numbers.
    pub(super) fn rows(&self) -> impl ExactSizeIterator<Item = &[T]> {
        self.data.chunks_exact(self.width)
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(container: &'a Container) -> Self {
        Self { container, read: Cell::new(0), vectors: RefCell::default(), slots: RefCell::default() }
    }

    /// As [`floats`](Self::floats), read and counted once: of those that share them later each counts the `taken` elements.
    pub(super) fn shared_floats(&self, index: usize, widths: &[usize], taken: usize) -> Result<Rc<Array<f32>>, Fault> {
        self.shared(&self.vectors, (index, widths, taken), || self.floats(index, widths))
    }

    /// As [`integers`](Self::integers), counted as [`shared_floats`](Self::shared_floats) are.
    pub(super) fn shared_integers(
        &self,
        index: usize,
        widths: &[usize],
        taken: usize,
    ) -> Result<Rc<Array<u32>>, Fault> {
        self.shared(&self.slots, (index, widths, taken), || self.integers(index, widths))
    }

    fn shared<T>(
        &self,
        known: &RefCell<HashMap<usize, Rc<Array<T>>>>,
        (index, widths, taken): (usize, &[usize], usize),
        read: impl FnOnce() -> Result<Array<T>, Fault>,
    ) -> Result<Rc<Array<T>>, Fault> {
        let same = known.borrow().get(&index).filter(|array| widths.contains(&array.width)).cloned();
        if let Some(same) = same {
            self.count(taken as u64 * same.width as u64)?;
            return Ok(same);
        }
        let read = Rc::new(read()?);
        known.borrow_mut().insert(index, Rc::clone(&read));
        Ok(read)
    }

    /// Counts `amount` more numbers toward the limit.
    pub(super) fn count(&self, amount: u64) -> Result<(), Fault> {
        self.read.set(self.read.get().saturating_add(amount));
        limit("the data of all accessors", self.read.get(), MAX_NUMBERS)
    }

    /// Finite numbers of accessor `index`, whose width must be one of `widths`; normalized integers are decoded.
    pub(super) fn floats(&self, index: usize, widths: &[usize]) -> Result<Array<f32>, Fault> {
        let element = format!("accessor {index}");
        let (number, array) = self.numbers(index, &element, widths)?;
        let one = match number {
            DataType::I8 => f64::from(i8::MAX),
            DataType::U8 => f64::from(u8::MAX),
            DataType::I16 => f64::from(i16::MAX),
            DataType::U16 => f64::from(u16::MAX),
            DataType::U32 => f64::from(u32::MAX),
            DataType::F32 => 1.0,
        };
        let normalized = self.container.root().accessors[index].normalized;
        let decoded = |v: &f64| if normalized { (v * (1.0 / one)).max(-1.0) } else { *v } as f32;
        let data: Vec<f32> = array.data.iter().map(decoded).collect();
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
        if !matches!(number, DataType::U8 | DataType::U16 | DataType::U32) {
            return Err(Fault::invalid(element, "must hold unsigned integers"));
        }
        Ok(Array { width: array.width, data: array.data.iter().map(|v| *v as u32).collect() })
    }

    /// Bytes of a buffer view.
    pub(super) fn view(&self, element: &str, index: usize) -> Result<&'a [u8], Fault> {
        let buffers = &self.container.buffers;
        let views = &self.container.root().buffer_views;
        let view = views.get(index).ok_or_else(|| Fault::missing(element, "buffer view", index, views.len()))?;
        let name = format!("buffer view {index}");
        let from = view.buffer.value();
        let buffer = buffers.get(from).ok_or_else(|| Fault::missing(&name, "buffer", from, buffers.len()))?;
        let offset = view.byte_offset.unwrap_or_default().0;
        let end = offset.saturating_add(view.byte_length.0);
        buffer.get(offset as usize..end as usize).ok_or_else(|| Fault::Truncated {
            element: format!("{name} in buffer {from}"),
            need: end,
            have: buffer.len() as u64,
        })
    }

    fn numbers(&self, index: usize, element: &str, widths: &[usize]) -> Result<(DataType, Array<f64>), Fault> {
        let accessors = &self.container.root().accessors;
        let accessor =
            accessors.get(index).ok_or_else(|| Fault::missing("the file", "accessor", index, accessors.len()))?;
        let written = |field: &str| self.container.written(&format!("/accessors/{index}/{field}"));
        let width = match &accessor.type_ {
            Checked::Valid(shape) if !matches!(shape, Type::Mat2 | Type::Mat3) => shape.multiplicity(),
            _ => return Err(Fault::invalid(element, format!("type {} is not used here", written("type")))),
        };
        if !widths.contains(&width) {
            return Err(Fault::invalid(element, format!("type {} does not fit its use", written("type"))));
        }
        let unknown = |field| Fault::invalid(element, format!("component type {} does not exist", written(field)));
        let Checked::Valid(GenericComponentType(number)) = accessor.component_type else {
            return Err(unknown("componentType"));
        };
        self.count(accessor.count.0.saturating_mul(width as u64))?;
        let (count, size) = (accessor.count.0 as usize, number.size() * width);
        if count == 0 {
            return Err(Fault::invalid(element, "has no elements"));
        }
        if let Some(view) = accessor.buffer_view {
            self.fits(element, view.value(), accessor.byte_offset.unwrap_or_default(), size, count)?;
        }
        if let Some(sparse) = &accessor.sparse {
            let Checked::Valid(IndexComponentType(kind)) = sparse.indices.component_type else {
                return Err(unknown("sparse/indices/componentType"));
            };
            let replaced = sparse.count.0 as usize;
            if !(1..=count).contains(&replaced) {
                return Err(Fault::invalid(element, format!("replaces {replaced} of {count} elements")));
            }
            let (places, values) = (&sparse.indices, &sparse.values);
            self.fits(element, values.buffer_view.value(), values.byte_offset, size, replaced)?;
            let (bytes, stride) =
                self.fits(element, places.buffer_view.value(), places.byte_offset, kind.size(), replaced)?;
            let places: Vec<usize> = match kind {
                DataType::U8 => ItemIter::<u8>::new(bytes, stride).map(usize::from).collect(),
                DataType::U16 => ItemIter::<u16>::new(bytes, stride).map(usize::from).collect(),
                _ => ItemIter::<u32>::new(bytes, stride).map(|p| p as usize).collect(),
            };
            // The crate leaves out, without a word, what does not rise or lies past the end.
            if let Some(&place) = places.iter().find(|p| **p >= count) {
                return Err(Fault::missing(element, "sparse element", place, count));
            }
            if places.windows(2).any(|p| p[1] <= p[0]) {
                return Err(Fault::invalid(element, "its sparse indices do not rise"));
            }
        }
        let data = match number {
            _ if accessor.buffer_view.is_none() && accessor.sparse.is_none() => Some(vec![0.0; count * width]),
            DataType::I8 => self.items::<i8>(index, width),
            DataType::U8 => self.items::<u8>(index, width),
            DataType::I16 => self.items::<i16>(index, width),
            DataType::U16 => self.items::<u16>(index, width),
            DataType::U32 => self.items::<u32>(index, width),
            DataType::F32 => self.items::<f32>(index, width),
        };
        let data = data.filter(|d| d.len() == count * width).ok_or(Fault::Defect)?;
        Ok((number, Array { width, data }))
    }

    /// Numbers of an accessor whose views have been checked. The crate's readers of vertices are not used: they take
    /// quantized positions for floats.
    fn items<C: Item + Copy + Into<f64>>(&self, index: usize, width: usize) -> Option<Vec<f64>> {
        let accessor = self.container.document.accessors().nth(index)?;
        let bytes = |buffer: gltf::Buffer<'a>| self.container.buffers.get(buffer.index()).map(Vec::as_slice);
        Some(match width {
            1 => Iter::<C>::new(accessor, bytes)?.map(Into::into).collect(),
            2 => Iter::<[C; 2]>::new(accessor, bytes)?.flatten().map(Into::into).collect(),
            3 => Iter::<[C; 3]>::new(accessor, bytes)?.flatten().map(Into::into).collect(),
            4 => Iter::<[C; 4]>::new(accessor, bytes)?.flatten().map(Into::into).collect(),
            _ => Iter::<[[C; 4]; 4]>::new(accessor, bytes)?.flatten().flatten().map(Into::into).collect(),
        })
    }

    /// The bytes of `count` elements of `size` bytes from `offset` on in a view, and how far they lie apart.
    fn fits(
        &self,
        element: &str,
        view: usize,
        offset: USize64,
        size: usize,
        count: usize,
    ) -> Result<(&'a [u8], usize), Fault> {
        let bytes = self.view(element, view)?;
        let stride = self.container.root().buffer_views[view].byte_stride.map_or(size, |s| s.0);
        if stride < size {
            return Err(Fault::invalid(element, format!("its stride of {stride} bytes is less than an element")));
        }
        let last = (count as u64 - 1).saturating_mul(stride as u64);
        let (start, need) = (offset.0, last.saturating_add(size as u64).saturating_add(offset.0));
        let found = bytes.get(start as usize..need as usize);
        let cut = || Fault::Truncated { element: element.into(), need, have: bytes.len() as u64 };
        found.map(|found| (found, stride)).ok_or_else(cut)
    }
}
