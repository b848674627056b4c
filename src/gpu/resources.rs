//! What is bound to shader variables: group layouts as a shader declares them, and resources found by name.

use super::reflect::{Access, Binding};
use super::{GpuError, textures};

/// What a variable of a shader is given.
#[derive(Clone, Copy, Debug)]
pub enum Resource<'a> {
    /// A whole buffer.
    Buffer(&'a wgpu::Buffer),
    /// A texture, as this view shows it.
    Texture(&'a wgpu::TextureView),
    /// How textures are interpolated or compared.
    Sampler(&'a wgpu::Sampler),
}

impl<'a> From<&'a wgpu::Buffer> for Resource<'a> {
    fn from(buffer: &'a wgpu::Buffer) -> Self {
        Self::Buffer(buffer)
    }
}

impl<'a> From<&'a wgpu::TextureView> for Resource<'a> {
    fn from(view: &'a wgpu::TextureView) -> Self {
        Self::Texture(view)
    }
}

impl<'a> From<&'a wgpu::Sampler> for Resource<'a> {
    fn from(sampler: &'a wgpu::Sampler) -> Self {
        Self::Sampler(sampler)
    }
}

/// Resources by the names of the variables that they are for.
pub type Given<'a> = [(&'a str, Resource<'a>)];

/// The resource that is given for a variable.
pub(super) fn given_for<'a>(given: &Given<'a>, binding: &Binding) -> Result<Resource<'a>, String> {
    let found = given.iter().find(|(name, _)| *name == binding.name);
    found.map(|(_, resource)| *resource).ok_or_else(|| "nothing of this name is given".into())
}

impl Binding {
    /// The entry of a group that gives this variable `resource`.
    fn entry<'a>(&self, resource: Resource<'a>) -> Result<wgpu::BindGroupEntry<'a>, String> {
        let resource = match (self.access, resource) {
            (Access::Uniform | Access::Read | Access::ReadWrite, Resource::Buffer(buffer)) => self.buffer(buffer)?,
            (Access::Texture(..) | Access::WriteTexture, Resource::Texture(view)) => {
                wgpu::BindingResource::TextureView(view)
            }
            (Access::Sampler(_), Resource::Sampler(sampler)) => wgpu::BindingResource::Sampler(sampler),
            (Access::Uniform | Access::Read | Access::ReadWrite, _) => return Err("it must be given a buffer".into()),
            (Access::Texture(..) | Access::WriteTexture, _) => return Err("it must be given a texture".into()),
            (Access::Sampler(_), _) => return Err("it must be given a sampler".into()),
        };
        Ok(wgpu::BindGroupEntry { binding: self.slot, resource })
    }

    fn buffer<'a>(&self, buffer: &'a wgpu::Buffer) -> Result<wgpu::BindingResource<'a>, String> {
        let uniform = self.access == Access::Uniform;
        let usage = if uniform { wgpu::BufferUsages::UNIFORM } else { wgpu::BufferUsages::STORAGE };
        if !buffer.usage().contains(usage) {
            return Err(format!("in WGSL it is {usage:?}, the buffer given is {:?}", buffer.usage()));
        }
        if buffer.size() < u64::from(self.least) {
            return Err(format!("it needs {} bytes, the buffer given has {}", self.least, buffer.size()));
        }
        let size = uniform.then(|| wgpu::BufferSize::new(u64::from(self.least))).flatten();
        Ok(wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset: 0, size }))
    }

    fn ty(&self, dynamic: bool) -> wgpu::BindingType {
        let buffer = |ty| wgpu::BindingType::Buffer {
            ty,
            has_dynamic_offset: dynamic,
            min_binding_size: wgpu::BufferSize::new(u64::from(self.least)),
        };
        let view_dimension = wgpu::TextureViewDimension::D2;
        match self.access {
            Access::Uniform => buffer(wgpu::BufferBindingType::Uniform),
            Access::Read => buffer(wgpu::BufferBindingType::Storage { read_only: true }),
            Access::ReadWrite => buffer(wgpu::BufferBindingType::Storage { read_only: false }),
            Access::Texture(sample_type, multisampled) => {
                wgpu::BindingType::Texture { sample_type, view_dimension, multisampled }
            }
            Access::WriteTexture => wgpu::BindingType::StorageTexture {
                access: wgpu::StorageTextureAccess::WriteOnly,
                format: textures::FORMAT,
                view_dimension,
            },
            Access::Sampler(kind) => wgpu::BindingType::Sampler(kind),
        }
    }
}

/// Layouts of the groups of a shader.
#[derive(Clone, Debug)]
pub(super) struct Layouts {
    /// Empty for a number that no variable has.
    groups: Vec<wgpu::BindGroupLayout>,
    bindings: Vec<Binding>,
}

/// Resources of one group, at its number among those of the shader.
#[derive(Clone, Debug)]
pub struct Group {
    pub(super) index: u32,
    pub(super) group: wgpu::BindGroup,
}

impl Group {
    /// Gives them to all that is drawn from here on whose shader declares the same group.
    pub fn set(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_bind_group(self.index, &self.group, &[]);
    }
}

impl Layouts {
    /// For stages that see `bindings`; the uniform called `dynamic` is bound at an offset of its own in every call.
    pub(super) fn new(
        device: &wgpu::Device,
        bindings: Vec<Binding>,
        visibility: wgpu::ShaderStages,
        dynamic: Option<&str>,
    ) -> Self {
        let count = bindings.iter().map(|b| b.group + 1).max().unwrap_or(0);
        let entry = |binding: &Binding| wgpu::BindGroupLayoutEntry {
            binding: binding.slot,
            visibility,
            ty: binding.ty(dynamic == Some(binding.name.as_str())),
            count: None,
        };
        let layout = |group| {
            let entries: Vec<_> = bindings.iter().filter(|b| b.group == group).map(entry).collect();
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries })
        };
        Self { groups: (0..count).map(layout).collect(), bindings }
    }

    /// The layout of a pipeline with all of these groups.
    pub(super) fn pipeline(&self, device: &wgpu::Device, label: &str) -> wgpu::PipelineLayout {
        let groups: Vec<_> = self.groups.iter().map(Some).collect();
        device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(label),
            bind_group_layouts: &groups,
            immediate_size: 0,
        })
    }

    /// Numbers of the groups.
    pub(super) fn numbers(&self) -> std::ops::Range<u32> {
        0..self.groups.len() as u32
    }

    /// The empty groups.
    pub(super) fn gaps(&self, device: &wgpu::Device) -> Vec<Group> {
        let empty = self.numbers().filter(|index| !self.bindings.iter().any(|b| b.group == *index));
        let group = |index| Group { index, group: bind_group(device, "gap", &self.groups[index as usize], &[]) };
        empty.map(group).collect()
    }

    /// The variable called `name`.
    pub(super) fn variable(&self, name: &str) -> Option<&Binding> {
        self.bindings.iter().find(|b| b.name == name)
    }

    /// Names of all variables.
    pub(super) fn variables(&self) -> impl Iterator<Item = &str> {
        self.bindings.iter().map(|b| b.name.as_str())
    }

    /// Group `index`, one of [`Layouts::numbers`], with what `find` has for each of its variables.
    pub(super) fn group<'a>(
        &self,
        device: &wgpu::Device,
        shader: &str,
        index: u32,
        find: impl Fn(&Binding) -> Result<Resource<'a>, String>,
    ) -> Result<Group, GpuError> {
        let entry = |binding: &Binding| {
            let refuse = |reason| GpuError::Binding { shader: shader.into(), binding: binding.name.clone(), reason };
            find(binding).and_then(|resource| binding.entry(resource)).map_err(refuse)
        };
        let of_it = self.bindings.iter().filter(|b| b.group == index);
        let entries = of_it.map(entry).collect::<Result<Vec<_>, _>>()?;
        Ok(Group { index, group: bind_group(device, shader, &self.groups[index as usize], &entries) })
    }
}

fn bind_group(
    device: &wgpu::Device,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    entries: &[wgpu::BindGroupEntry<'_>],
) -> wgpu::BindGroup {
    device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout, entries })
}
