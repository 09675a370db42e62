package line

import (
	"cmp"
	"maps"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// span is the stages from one to another, both included.
type span struct{ first, last int }

func (s span) with(t span) span { return span{min(s.first, t.first), max(s.last, t.last)} }

// shareRooms lets slots lie where others did that no stage needs any more, and says where all of
// them end. It does if that at least halves what a line takes on chip, as in chains of convolutions:
// less is not worth barriers before slots are written. A room keeps the name of its first slot, so
// that the guard sees who else used it.
func (k *kernel) shareRooms(from, end int) int {
	if len(k.homes) < 2 || k.p.Segments > 1 || len(k.p.Sums()) > 0 {
		return end
	}
	type room struct {
		home
		bytes int
		until int // the last stage that needs it
	}
	done, lives := k.madeWith(), map[ir.SlotID]span{}
	for slot := range k.homes {
		l := span{len(k.p.Stages), -1}
		for _, w := range k.slots[slot].Writers {
			l = l.with(done[w])
		}
		for _, u := range k.slots[slot].Readers {
			l = l.with(done[u.Stage])
		}
		lives[slot] = l
	}
	var rooms []room
	homes, at := map[ir.SlotID]home{}, from
	order := slices.SortedFunc(maps.Keys(k.homes), func(a, b ir.SlotID) int {
		return cmp.Or(lives[a].first-lives[b].first, int(a-b))
	})
	for _, slot := range order {
		bytes, l := k.homeBytes(slot), lives[slot]
		i := slices.IndexFunc(rooms, func(r room) bool { return r.until < l.first && r.bytes >= bytes })
		if i < 0 {
			i = len(rooms)
			rooms = append(rooms, room{home{k.homes[slot].name, at}, bytes, 0})
			at += bytes
		}
		rooms[i].until, homes[slot] = l.last, rooms[i].home
	}
	if 2*at > end {
		return end
	}
	k.homes = homes
	return at
}

// madeWith is, for each stage, the stages that are made at the same time as it: those of a
// chain, and maps that are made where they are read.
func (k *kernel) madeWith() []span {
	done := make([]span, len(k.p.Stages))
	for i := range done {
		done[i] = span{i, i}
	}
	for i := len(done) - 1; i >= 0; i-- { // what follows a transform comes first
		c := k.chains[i]
		if c == nil {
			continue
		}
		all := done[i]
		for _, l := range c.stages {
			all = all.with(done[l.stage])
		}
		if c.next >= 0 {
			all = all.with(done[c.next])
		}
		if a, ok := k.beside[i]; ok {
			all = all.with(done[a])
			done[a] = all
		}
		for _, l := range c.stages {
			done[l.stage] = all
		}
		if done[i] = all; c.next >= 0 {
			done[c.next] = all
		}
	}
	for slot, i := range k.virtual {
		done[i] = done[i].with(done[k.slots[slot].Readers[0].Stage])
	}
	return done
}
