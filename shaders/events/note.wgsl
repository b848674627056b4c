#import "events/touch"
// The including kernel declares `listened`.

// Adds contacts to the slot of their thing, if there are any. One thread does all of a row, in a fixed order.
fn note_touch(row: u32, touch: Touch) {
    if touch.thing == NOTHING {
        return;
    }
    // Looks for the slot first, and moves a touch once: threads of a group wait for one another in the loop.
    var slot = 0u;
    var known = listened[row].touches[0].thing;
    while known != NOTHING && known != touch.thing && slot < TOUCH_SLOTS {
        slot += 1u;
        known = listened[row].touches[min(slot, TOUCH_SLOTS - 1u)].thing;
    }
    if slot == TOUCH_SLOTS {
        listened[row].dropped += 1u;
        return;
    }
    var sum = touch;
    if known == touch.thing {
        sum = listened[row].touches[slot];
        merge_touch(&sum, touch, 1.0);
    }
    listened[row].touches[slot] = sum;
}
