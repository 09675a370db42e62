package sched

import "container/list"

// cache keeps the schedules used last, by the key of their graph, and with them
// the kernels of their steps. Both are bounded in bytes, together.
type cache struct {
	byKey map[string]*list.Element
	order *list.List // most recently used first
	bytes int        // of schedules; kernels are counted by their devices
	hits  int
}

type cached struct {
	key string
	s   *schedule
}

const (
	// maxCompiledBytes bounds schedules and kernels: thousands of plans of usual
	// size, or the tables of transforms of a dozen long and awkward lengths.
	maxCompiledBytes = 64 << 20
	// longCompiledBytes bounds them where four like the last one would not fit: programs
	// use the tables of a long transform and of its inverse in turns.
	longCompiledBytes = 384 << 20
	// compiledShare is the share of a memory limit that they may take.
	compiledShare = 4
	// stepBytes is what a step of a schedule takes, its part of the plan
	// included: measured over random graphs.
	stepBytes = 2 << 10
)

func newCache() cache { return cache{byKey: map[string]*list.Element{}, order: list.New()} }

// get finds a schedule; it does not allocate.
func (c *cache) get(key []byte) *schedule {
	el := c.byKey[string(key)]
	if el == nil {
		return nil
	}
	c.hits++
	c.order.MoveToFront(el)
	return el.Value.(*cached).s
}

// put keeps a schedule in place of those used least recently. One that is
// larger than the bound is kept by itself.
func (c *cache) put(key []byte, s *schedule) {
	need := s.retain()
	most := s.dev.bound(max(maxCompiledBytes, min(4*need, longCompiledBytes)), compiledShare)
	for c.order.Len() > 0 && c.bytes+s.bytes()+s.dev.kernels.bytes > most {
		c.remove(c.order.Back())
	}
	k := string(key)
	c.byKey[k] = c.order.PushFront(&cached{k, s})
	c.bytes += s.bytes()
}

func (c *cache) remove(el *list.Element) {
	old := c.order.Remove(el).(*cached)
	delete(c.byKey, old.key)
	c.bytes -= old.s.bytes()
	old.s.drop()
}

// dropDevice forgets the schedules of a device.
func (c *cache) dropDevice(d *Device) {
	for _, el := range c.byKey {
		if el.Value.(*cached).s.dev == d {
			c.remove(el)
		}
	}
}

// ofDevice is the bytes of the schedules of a device.
func (c *cache) ofDevice(d *Device) int {
	n := 0
	for el := c.order.Front(); el != nil; el = el.Next() {
		if s := el.Value.(*cached).s; s.dev == d {
			n += s.bytes()
		}
	}
	return n
}

// bytes is what a schedule takes without its kernels.
func (s *schedule) bytes() int { return (len(s.steps) + 1) * stepBytes }
