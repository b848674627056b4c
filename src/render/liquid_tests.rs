//! Pictures of liquids and grains.
