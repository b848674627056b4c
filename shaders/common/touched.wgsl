#import "common/contact"
// Whom a contact pushes on. The including kernel declares `params` and `contact_targets`.

// The body behind a target: of limiters the one that carries the other limiter.
fn touched_body(contact: u32) -> u32 {
    if (contact & TARGET_KIND) == TARGET_PARTICLE {
        return contact_targets[target_base(contact & TARGET_INDEX, params.contact_slots) - 1u];
    }
    return contact;
}
