#import "events/touch"
// The including kernel declares `listened`.

// Adds contacts to the slot of their thing, if there are any. One thread does all of a row, in a fixed order.
fn note_touch(row: u32, touch: Touch) {
    if touch.thing == NOTHING {
        return;
    }
    for (var k = 0u; k < TOUCH_SLOTS; k++) {
        let thing = listened[row].touches[k].thing;
        if thing == NOTHING {
            listened[row].touches[k] = touch;
            return;
        }
        if thing == touch.thing {
            var sum = listened[row].touches[k];
            merge_touch(&sum, touch, 1.0);
            listened[row].touches[k] = sum;
            return;
        }
    }
    listened[row].dropped += 1u;
}
