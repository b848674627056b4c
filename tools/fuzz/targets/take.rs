//! A take: read, or told in a sentence.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sinew::app::read_take;

fuzz_target!(|text: &str| {
    if let Err(sentence) = read_take(text) {
        assert!(sentence.contains("spoiled.take.ron"), "{sentence}");
    }
});
