//! ragdoll.
