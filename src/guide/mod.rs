//! The guide: how Sinew is built and used, a page for each question. Begin with [`start`] to build scenes, with
//! [`architecture`] to change the code, with [`command`] to run what is there.
//!
//! The pages are Markdown files beside this one, so that they read the same in the repository. Their Rust examples are
//! compiled as tests.

/// Declares the pages. A link is defined twice, for rustdoc in `links.txt` and at the end of its page for readers of the
/// file; of two definitions Markdown takes the first.
macro_rules! pages {
    ($($name:ident $file:literal,)*) => {
        $(
            #[doc = include_str!("links.txt")]
            #[doc = include_str!($file)]
            pub mod $name {}
        )*
    };
}

pages! {
    start "start.md",
    architecture "architecture.md",
    step "step.md",
    materials "materials.md",
    characters "characters.md",
    scene_files "scene_files.md",
    pushes "pushes.md",
    changes "changes.md",
    queries "queries.md",
    embedding "embedding.md",
    web "web.md",
    events "events.md",
    command "command.md",
    takes "takes.md",
    bench "bench.md",
    figures "figures.md",
    papers "papers.md",
    tuning "tuning.md",
    determinism "determinism.md",
    trust "trust.md",
    limits "limits.md",
    peers "peers.md",
    drivers "drivers.md",
    dependencies "dependencies.md",
    glossary "glossary.md",
}
