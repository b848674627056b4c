//! Arithmetic with the same bits in every build.

use std::ops::Mul;

/// x³. `powi` may differ in its last bit from build to build, as the compiler knows its argument or does not.
pub(crate) fn cubed<T: Copy + Mul<Output = T>>(x: T) -> T {
    x * x * x
}
