#import "common/friction"
// Friction of surfaces: they keep no grip, only what slides is slowed.

// Friction of free particles.
const FRICTION: f32 = 0.6;
