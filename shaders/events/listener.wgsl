#import "events/touch"
// Who hears of a contact. The including kernel declares `listened_count` and `listeners`.

fn is_heard(own: u32, touch: Touch) -> bool {
    let impulse = length(touch.impulse);
    for (var i = 0u; i < listened_count.listeners; i++) {
        let listener = listeners[i];
        let passes = listener.thresholds == 0u || (impulse >= listener.least_impulse && touch.speed >= listener.least_speed);
        if passes && (concerns(listener, own, touch.thing) || concerns(listener, touch.thing, own)) {
            return true;
        }
    }
    return false;
}

fn concerns(listener: ListenerRow, one: u32, other: u32) -> bool {
    return (listener.thing == NOTHING || listener.thing == one) && (listener.other == NOTHING || listener.other == other)
        && (listener.kinds & (1u << (other >> THING_BITS))) != 0u;
}
