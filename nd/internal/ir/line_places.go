package ir

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// LocalBytes is what one line needs on chip.
func (p *Line) LocalBytes() int {
	_, total := p.Places(func(slot SlotID) int { return p.Slots[slot].Len * p.Slots[slot].Type.Size() })
	return total
}

// Places lays the Local slots out on chip, so that those alive at the same
// time do not overlap and others share their place. bytes gives the size of a
// slot; at has the start of each, and total is the end of all. Slots come in the
// order in which they are written; where that takes more than the smallest groups of
// GPUs have, the largest come first if they then fit: what is a little larger than a
// gap no longer goes behind all.
func (p *Line) Places(bytes func(slot SlotID) int) (at []int, total int) {
	const scarce = 32 << 10
	lives := p.lives()
	var order []SlotID
	for slot := range p.Slots {
		if p.Slots[slot].Kind == LocalSlot && lives[slot].first >= 0 {
			order = append(order, SlotID(slot))
		}
	}
	slices.SortStableFunc(order, func(a, b SlotID) int { return lives[a].first - lives[b].first })
	if at, total = p.placed(order, lives, bytes); total > scarce {
		slices.SortStableFunc(order, func(a, b SlotID) int { return bytes(b) - bytes(a) })
		if other, less := p.placed(order, lives, bytes); less <= scarce {
			return other, less
		}
	}
	return at, total
}

// placed gives each slot, in an order, the lowest place that is free.
func (p *Line) placed(order []SlotID, lives []life, bytes func(slot SlotID) int) (at []int, total int) {
	at = make([]int, len(p.Slots))
	for i, slot := range order {
		size, l := bytes(slot), lives[slot]
		for moved := true; moved; { // behind one of those in the way
			moved = false
			for _, other := range order[:i] {
				end := at[other] + bytes(other)
				if lives[other].last >= l.first && l.last >= lives[other].first && at[slot] < end && at[other] < at[slot]+size {
					at[slot], moved = end, true
				}
			}
		}
		total = max(total, at[slot]+size)
	}
	return at, total
}

// life is the stages from the first that touches a slot to the last.
type life struct{ first, last int }

// lives finds how long each slot is needed. What the segments find there when
// they start, and what they hand on from one to the next, lives through all of
// them.
func (p *Line) lives() []life {
	lives := lists.Make(len(p.Slots), func(int) life { return life{-1, -1} })
	from, to := len(p.Stages), 0 // the stages that run per segment
	for i, s := range p.Stages {
		if s.Each {
			from, to = min(from, i), i+1
		}
	}
	written := make([]bool, len(p.Slots)) // in this segment
	for i, s := range p.Stages {
		if i == from {
			clear(written)
		}
		touch := func(slot SlotID) {
			l := &lives[slot]
			if l.first < 0 {
				l.first = i
			}
			l.last = max(l.last, i)
		}
		for _, slot := range s.Reads {
			touch(slot)
			if s.Each && !written[slot] {
				l := &lives[slot]
				l.first, l.last = min(l.first, from), max(l.last, to-1)
			}
		}
		for _, slot := range s.Writes {
			touch(slot)
			written[slot] = true
		}
	}
	return lives
}
