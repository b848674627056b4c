// A body that an instance follows, row of `attachments`.

struct Attachment {
    /// Where the body's centre is in the model's rest pose [m].
    rest_center: vec3<f32>,
    body: u32,
}
