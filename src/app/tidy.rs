//! Returns unused memory to the system.

/// Gives it back. The allocator of Linux keeps what was freed: what a driver needs to compile the shaders of a scene comes to hundreds of
/// megabytes after some scenes, in as many heaps as there were threads.
#[allow(unsafe_code)]
pub(crate) fn tidy() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        unsafe extern "C" {
            fn malloc_trim(keep: usize) -> std::ffi::c_int;
        }
        // SAFETY: it takes any number, locks each heap, and moves nothing that is in use.
        unsafe { malloc_trim(0) };
    }
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use super::*;

    /// What the program holds [bytes].
    fn resident() -> usize {
        let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
        4096 * pages.split(' ').nth(1).unwrap().parse::<usize>().unwrap()
    }

    #[test]
    fn what_was_freed_goes_back() {
        const BLOCK: usize = 64 << 10;
        const BLOCKS: usize = 2000;
        // What lives between others keeps their heap from shrinking.
        let (mut freed, mut kept) = (Vec::new(), Vec::new());
        for _ in 0..BLOCKS {
            freed.push(vec![1_u8; BLOCK]);
            kept.push(Box::new([1_u8; 64]));
        }
        let full = resident();
        drop(freed);
        tidy();
        let left = resident();
        assert_eq!(kept.len(), BLOCKS);
        assert!(left + BLOCKS * BLOCK / 2 < full, "{left} of {full} bytes are still held");
    }
}
