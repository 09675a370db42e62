package machine

import (
	"fmt"
	"iter"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

// The groups of a cluster run on frames of their own, one at a time, each until it
// waits for the others: which of them runs first decides nothing that barriers do
// not decide, and the watch finds what they leave open.

// member is a group of a running cluster.
type member struct {
	all             []*frame // of the cluster, by rank
	yield           func(struct{}) bool
	arrived, waited int32
	left            bool
	at              source.Pos // where it waits
	moves           *int       // how often a group of the cluster has gone on
	pushed          push       // the latest into this group's memory
	pushes          bool       // this group has stored in another's memory since it last met the others
	expected, come  int        // bytes that are pushed to this group, if pushes count: all, and so far
}

// push is who stored last in another group's memory, and how often that one's group
// had arrived by then.
type push struct {
	at      source.Pos
	from    *frame
	lane    int
	arrived int32 // -1: nobody did
}

// stopped unwinds a group whose cluster has failed.
type stopped struct{}

// clusters runs cluster after cluster.
func (r *runner) clusters() error {
	n := r.code.cluster
	if r.groups%n != 0 {
		return fmt.Errorf("a grid of %d groups, in clusters of %d", r.groups, n)
	}
	all := make([]*frame, n)
	var first *watch
	for i := range all {
		all[i] = r.frame()
		if r.launch.Check {
			w := newWatch(r.code, r.launch)
			if first == nil {
				first = w
			}
			for id, t := range first.objects {
				if t != nil && t.device {
					w.objects[id] = t
				}
			}
			all[i].watch = w
		}
	}
	var err error
	for g := 0; g < r.groups && err == nil; g += n {
		if err = r.launch.Context.Err(); err == nil {
			err = r.together(all, g)
		}
	}
	for _, f := range all {
		f.watch, f.member = nil, nil
		r.release(f)
	}
	if err == nil && first != nil {
		err = first.unset(r.code)
	}
	return err
}

// together runs the groups of the cluster that begins with group g.
func (r *runner) together(all []*frame, g int) (err error) {
	next := make([]func() (struct{}, bool), len(all))
	moves := 0
	for i, f := range all {
		r.begin(f, g+i)
		m := &member{all: all, pushed: push{arrived: -1}, expected: r.code.counted, moves: &moves}
		f.member = m
		if f.watch != nil {
			f.watch.arrived, f.watch.waited, f.watch.collected = 0, 0, false
		}
		var stop func()
		next[i], stop = iter.Pull(func(yield func(struct{}) bool) {
			defer func() {
				m.left = true
				moves++
				if e := recover(); e != nil {
					if _, unwound := e.(stopped); !unwound {
						panic(e)
					}
				}
			}()
			m.yield = yield
			run(f, r.code.body)
		})
		defer stop()
	}
	defer func() {
		if e := recover(); e != nil {
			h, ok := e.(halt)
			if !ok {
				panic(e)
			}
			err = h.err
		}
	}()
	for running := true; running; {
		running = false
		before := moves
		for _, step := range next {
			_, more := step()
			running = running || more
		}
		for i, f := range all {
			if running && moves == before && !f.member.left {
				f.fail(f.member.at, 0, "groups of the cluster wait for each other: %d of %d bytes are pushed to group %d", f.member.come, f.member.expected, i)
			}
		}
	}
	for i, f := range all {
		if p := f.member.pushed; p.arrived >= f.member.waited {
			p.from.fail(p.at, p.lane, "group %d of the cluster, which is pushed to, may have left", i)
		}
	}
	return nil
}

// meet is a barrier of the cluster, or half of one.
func (m *member) meet(f *frame, s *flat.Meet) {
	if s.Arrive {
		if m.arrived > m.waited {
			f.fail(s.Pos, 0, "a group arrives twice at a barrier of its cluster")
		}
		if m.pushes && !s.Wait {
			f.fail(s.Pos, 0, "a group that has pushed arrives without waiting, which hands nothing on")
		}
		m.pushes = false
		m.arrived++
		*m.moves++
	}
	if s.Wait {
		if m.waited == m.arrived {
			f.fail(s.Pos, 0, "a group waits at a barrier of its cluster where it has not arrived")
		}
		for i, other := range m.all {
			for other.member.arrived <= m.waited {
				if other.member.left {
					f.fail(s.Pos, 0, "group %d of the cluster has left without arriving at this barrier", i)
				}
				m.wait(s.Pos)
			}
		}
		m.waited++
		*m.moves++
	}
	if f.watch != nil {
		f.watch.arrived, f.watch.waited = m.arrived, m.waited
	}
}

// wait lets the other groups run.
func (m *member) wait(at source.Pos) {
	m.at = at
	if !m.yield(struct{}{}) {
		panic(stopped{})
	}
}

// collect waits for what is pushed to the group.
func (m *member) collect(f *frame, s *flat.Collect) {
	if m.expected == 0 {
		f.fail(s.Pos, 0, "a group collects what does not count itself")
	}
	for m.come < m.expected {
		m.wait(s.Pos)
	}
	*m.moves++
	m.pushed.arrived = -1
	if f.watch != nil {
		f.watch.collected = true
	}
}

// push stores a component in the pools of other groups.
func (c *compiler) push(s *flat.Store) {
	v := c.lanes(c.expr(s.X))
	rank := c.lanes(c.expr(s.Rank))
	p := c.place(s.Mem, s.Terms, s.Comp, s.Pos)
	id := s.Mem.ID
	var set func(f *frame, to *memory, lane int, at int64)
	switch storageOf(s.Mem) {
	case storeF32:
		set = func(f *frame, to *memory, lane int, at int64) { to.f32[at] = f.f32[v.reg][lane] }
	case storeF64:
		set = func(f *frame, to *memory, lane int, at int64) { to.f64[at] = f.f64[v.reg][lane] }
	default:
		panic(fmt.Sprintf("machine: a push of %s", ktree.Scalar(s.Mem.Kind)))
	}
	counted, bytes := c.code.counted > 0, s.Mem.Kind.Bits()/8
	c.emit(func(f *frame) {
		m := f.member
		p.find(f).each(f, &f.levels[p.depth], func(lane int, at int64) {
			n := int(f.i32[rank.reg][lane])
			if n < 0 || n >= len(m.all) {
				f.fail(s.Pos, lane, "a push to group %d of a cluster of %d", n, len(m.all))
			}
			to := m.all[n]
			m.pushes = !counted
			if m.waited == 0 {
				f.fail(s.Pos, lane, "a push to group %d of the cluster, which may not have begun", n)
			}
			if to != f && m.arrived >= to.member.pushed.arrived {
				to.member.pushed = push{s.Pos, f, lane, m.arrived}
			}
			if to.member.come += bytes; counted && to.member.come > to.member.expected {
				f.fail(s.Pos, lane, "more than %d bytes are pushed to group %d of the cluster", to.member.expected, n)
			}
			if f.watch != nil {
				f.watch.touch(f, p, to.watch.objects[id], lane, at*p.scale())
				to.watch.objects[id].writer[at*p.scale()].counted = counted
			}
			set(f, &to.mem[id], lane, at)
		})
	})
	c.releasePlace(p)
	c.release(v, rank)
}
