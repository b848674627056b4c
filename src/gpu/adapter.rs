//! The adapter that a device runs on, and what is requested of it.

/// What a device runs on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdapterInfo {
    /// Adapter name as the driver gives it.
    pub name: String,
    /// Graphics interface: "vulkan", "metal", "dx12" or "gl".
    pub backend: String,
    /// "discrete", "integrated", "virtual", "software" or "other".
    pub kind: String,
    /// Driver name and version.
    pub driver: String,
}

impl From<&wgpu::AdapterInfo> for AdapterInfo {
    fn from(info: &wgpu::AdapterInfo) -> Self {
        let kind = match info.device_type {
            wgpu::DeviceType::DiscreteGpu => "discrete",
            wgpu::DeviceType::IntegratedGpu => "integrated",
            wgpu::DeviceType::VirtualGpu => "virtual",
            wgpu::DeviceType::Cpu => "software",
            wgpu::DeviceType::Other => "other",
        };
        Self {
            name: info.name.clone(),
            backend: info.backend.to_str().to_string(),
            kind: kind.to_string(),
            driver: format!("{} {}", info.driver, info.driver_info).trim().to_string(),
        }
    }
}

/// How much of what an adapter offers is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Limits {
    /// As large buffers and textures as the adapter has.
    #[default]
    Adapter,
    /// The defaults of WebGPU, which every browser grants: 8 storage buffers a stage, 16 KB of workgroup memory, 256
    /// threads a group, 128 MB bound at once.
    WebGpu,
}

impl Limits {
    /// What the environment asks for: `SINEW_LIMITS=webgpu` runs tests with the least.
    pub(crate) fn asked() -> Self {
        let least = std::env::var_os("SINEW_LIMITS").is_some_and(|limits| limits == "webgpu");
        if least { Self::WebGpu } else { Self::Adapter }
    }
}

/// Which adapter to open, and how much of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Part of the adapter's name, or its whole backend ("vulkan", "gl", "metal", "dx12"), case ignored; the fastest
    /// kind there is without one.
    pub adapter: Option<String>,
    /// What to ask of it.
    pub limits: Limits,
}
