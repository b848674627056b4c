//! The bandwidth of a kernel that only copies, with which the traffic of other kernels is compared.

use std::time::Instant;

use super::{Buffers, Context, GpuError, Kernel};

/// Rows of 16 bytes in a copy: 32 MB read and 32 MB written, more than caches hold and less than any device allows.
const ROWS: usize = 1 << 21;
/// Copies of one submission, so that starting it weighs little, and submissions: the fastest counts.
const COPIES: u32 = 8;
const RUNS: u32 = 5;

impl Context {
    /// Bytes that a kernel reads and writes in order per second [bytes/s], measured now.
    ///
    /// # Errors
    /// [`GpuError`] when the device has no room for 64 MB or is lost.
    pub fn copy_bandwidth(&self) -> Result<f64, GpuError> {
        let mut buffers = Buffers::new(self);
        buffers.create::<[u32; 4]>("copied_from", ROWS, wgpu::BufferUsages::empty())?;
        buffers.create::<[u32; 4]>("copied_to", ROWS, wgpu::BufferUsages::empty())?;
        let kernel = Kernel::new(self, "common/copy", &[])?.bind(self, &buffers)?;
        let mut least = f64::INFINITY;
        for _ in 0..RUNS {
            let mut encoder = self.device.create_command_encoder(&Default::default());
            let mut pass = encoder.begin_compute_pass(&Default::default());
            (0..COPIES).for_each(|_| kernel.dispatch(&mut pass, ROWS as u32, 0));
            drop(pass);
            let begun = Instant::now();
            self.queue.submit([encoder.finish()]);
            self.wait()?;
            least = least.min(begun.elapsed().as_secs_f64());
        }
        Ok(f64::from(COPIES) * (2 * ROWS * size_of::<[u32; 4]>()) as f64 / least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_move_at_a_rate_that_memory_has() {
        let rate = Context::shared().expect("adapter").copy_bandwidth().unwrap();
        assert!((1e8..1e14).contains(&rate), "{rate}");
    }
}
