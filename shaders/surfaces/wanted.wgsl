// How much room the lists of a search would take. The including kernel declares `control`.

// Lists are crowded when more than this part of their room is taken, and bare while less than that is.
const CROWDED: u32 = 2u;
const BARE: u32 = 8u;

// Of entries from `first` to before `end` in a list of `room` times `each` of them: nothing is told while it is bare, and once that it is
// no more, before it is crowded.
fn tell_wanted(first: u32, end: u32, room: u32, each: u32) {
    let bare = each * (room / BARE);
    if (first <= bare && bare < end) || end > each * (room / CROWDED) {
        atomicMax(&control.surfaces_wanted, (end + each - 1u) / each);
    }
}
