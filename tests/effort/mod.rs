//! How much of what a test could look at it does.

/// Whether tests are as long as they can be: `SINEW_LONG` in the environment, which `tools/test --long` sets.
pub(crate) fn is_long() -> bool {
    std::env::var_os("SINEW_LONG").is_some()
}
