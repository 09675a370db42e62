package machine

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
)

// watch is the check mode: it remembers who touched what since the last
// barrier and stops at accesses whose order nothing decides.
type watch struct {
	objects []*touched // by memory; nil where nothing can go wrong
	group   int32      // the running group, from 1
	// Accesses in different epochs of one group are ordered by a barrier.
	groupEpoch, deviceEpoch int32
	// Likewise for threads of one simdgroup.
	simdEpoch, simdDeviceEpoch int32
	// How often the group has arrived at barriers of its cluster, and waited there.
	arrived, waited int32
	// Whether it has collected what is pushed to it.
	collected bool
}

// touched is what is known of each scalar of an object.
type touched struct {
	device bool
	init   bool // holds values before the launch: reading unwritten ones is fine
	writer []access
	reader []access
}

// access is the last touch of a scalar.
type access struct {
	lane        int32 // thread in its group; severalLanes if more than one read
	group       int32 // 0: never
	epoch, simd int32
	arrived     int32 // how often its group had arrived at barriers of its cluster
	counted     bool  // a push that counts itself: it is there when its group has collected
}

// A lane that is not one: several of the group, or several of a simdgroup, which
// is counted down from the second.
const (
	severalLanes  = -1
	severalInSimd = -2
)

// simdOf is the simdgroup of a lane, or of several.
func simdOf(lane int32) int32 {
	if lane <= severalInSimd {
		return severalInSimd - lane
	}
	return lane / ktree.SimdWidth
}

func newWatch(c *Code, l *Launch) *watch {
	w := &watch{objects: make([]*touched, len(c.mems))}
	var pool *touched
	for i, m := range c.mems {
		switch {
		case m.Atomic:
		case m.Pooled: // views are told apart by where a scalar begins
			if pool == nil {
				pool = &touched{writer: make([]access, c.pool), reader: make([]access, c.pool)}
			}
			w.objects[i] = pool
		case m.Role == ktree.Buffer && !m.ReadOnly:
			n := len(l.Params[m.Index]) * 8 / m.Kind.Bits()
			w.objects[i] = &touched{device: true, init: true, writer: make([]access, n), reader: make([]access, n)}
		case m.Role == ktree.Output:
			n := len(l.Outputs[m.Index].Data) * 8 / m.Kind.Bits()
			w.objects[i] = &touched{device: true, init: !l.isWhole(m.Index), writer: make([]access, n), reader: make([]access, n)}
		case m.Space == ktree.Threadgroup:
			n := m.Len * m.Comps
			w.objects[i] = &touched{writer: make([]access, n), reader: make([]access, n)}
		}
	}
	return w
}

func (l *Launch) isWhole(output int) bool { return output < len(l.Whole) && l.Whole[output] }

// unset finds elements of outputs that should have been set and were not.
func (w *watch) unset(c *Code) error {
	for i, t := range w.objects {
		if t == nil || !t.device || t.init {
			continue
		}
		for at, a := range t.writer {
			if a.group == 0 {
				return fmt.Errorf("%s[%d] is never set, where the launch promises whole outputs", c.mems[i].Name, at/c.mems[i].Comps)
			}
		}
	}
	return nil
}

// begin starts a group: its threadgroup memory is new.
func (w *watch) begin(number int) {
	w.group = int32(number + 1)
	for i, t := range w.objects {
		if t != nil && !t.device && (i == 0 || t != w.objects[i-1]) {
			clear(t.writer)
			clear(t.reader)
		}
	}
}

func (w *watch) barrier(s *flat.Barrier) {
	if s.Threadgroup {
		w.simdEpoch++
		if !s.Simd {
			w.groupEpoch++
		}
	}
	if s.Device {
		w.simdDeviceEpoch++
		if !s.Simd {
			w.deviceEpoch++
		}
	}
}

func (w *watch) now(t *touched, lane int) access {
	a := access{lane: int32(lane), group: w.group, epoch: w.groupEpoch, simd: w.simdEpoch, arrived: w.arrived}
	if t.device {
		a.epoch, a.simd = w.deviceEpoch, w.simdDeviceEpoch
	}
	return a
}

// unordered reports that nothing decides which of two touches of an object comes
// first.
func (w *watch) unordered(t *touched, old, now access) bool {
	met := old.arrived < w.waited // at a barrier of the cluster
	switch {
	case old.counted:
		return !w.collected
	case old.group == 0 || met && !t.device:
		return false
	case old.group != now.group:
		return true // groups are never ordered but in clusters
	case met:
		return false
	case old.lane == now.lane || old.epoch != now.epoch:
		return false
	case old.lane != severalLanes && simdOf(old.lane) == simdOf(now.lane) && old.simd != now.simd:
		return false
	}
	return true
}

func (w *watch) read(f *frame, p *place, a *address) {
	t := w.objects[p.mem.ID]
	if t == nil {
		return
	}
	scale := p.scale()
	a.each(f, &f.levels[p.depth], func(lane int, at int64) {
		at *= scale
		now := w.now(t, lane)
		if old := t.writer[at]; w.unordered(t, old, now) {
			w.report(f, p, lane, at, old, "is read here and was written by %s with no barrier between")
		} else if old.group == 0 && !t.init {
			f.fail(p.pos, lane, "%s[%d] is read before it is written", p.mem.Name, at/scale/int64(p.mem.Comps))
		}
		r := &t.reader[at]
		switch {
		case r.group != now.group || r.epoch != now.epoch || r.lane == now.lane:
			*r = now
		case r.lane == severalLanes || simdOf(r.lane) != simdOf(now.lane):
			r.lane = severalLanes
		case r.simd != now.simd: // a barrier of the simdgroup is behind the earlier ones
			*r = now
		default:
			r.lane = severalInSimd - simdOf(now.lane)
		}
	})
}

func (w *watch) write(f *frame, p *place, a *address) {
	if t := w.objects[p.mem.ID]; t != nil {
		a.each(f, &f.levels[p.depth], func(lane int, at int64) { w.touch(f, p, t, lane, at*p.scale()) })
	}
}

// touch is a write of a lane.
func (w *watch) touch(f *frame, p *place, t *touched, lane int, at int64) {
	now := w.now(t, lane)
	if old := t.writer[at]; w.unordered(t, old, now) {
		if t.device {
			w.report(f, p, lane, at, old, "is written here and by %s")
		}
		w.report(f, p, lane, at, old, "is written here and by %s with no barrier between")
	}
	if old := t.reader[at]; w.unordered(t, old, now) {
		w.report(f, p, lane, at, old, "is written here and was read by %s with no barrier between")
	}
	t.writer[at] = now
}

// report stops the run, naming the other thread.
func (w *watch) report(f *frame, p *place, lane int, at int64, old access, what string) {
	who := "another thread of its group"
	switch {
	case old.group != w.group:
		who = "a thread of another group"
	case old.lane < 0:
		who = "several threads of its group"
	}
	f.fail(p.pos, lane, p.mem.Name+"[%d] "+what, at/p.scale()/int64(p.mem.Comps), who)
}

// scale is how many places of a watched object a scalar takes.
func (p *place) scale() int64 {
	if p.mem.Pooled {
		return int64(p.mem.Kind.Bits() / 8)
	}
	return 1
}
