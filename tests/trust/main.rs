//! What a sceptic tries: lists that overflow, numbers that are none, devices that go away, abuse, worlds far out, and long runs.

mod abuse;
mod capacity;
#[path = "../effort/mod.rs"]
mod effort;
mod far;
mod leaks;
mod long;
mod lost;
mod numbers;
mod world;
mod worst_cases;
