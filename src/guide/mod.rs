//! The guide: how Sinew is built and used, a page for each question. Start with [`architecture`] to change the code, with
//! [`materials`] to build scenes, with [`command`] to run what is there.
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
    architecture "architecture.md",
    step "step.md",
    materials "materials.md",
    scene_files "scene_files.md",
    pushes "pushes.md",
    changes "changes.md",
    queries "queries.md",
    embedding "embedding.md",
    events "events.md",
    command "command.md",
    bench "bench.md",
    figures "figures.md",
    papers "papers.md",
    limits "limits.md",
    peers "peers.md",
    drivers "drivers.md",
    dependencies "dependencies.md",
    glossary "glossary.md",
}
