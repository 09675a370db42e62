package sched

import "container/list"

// cache keeps the schedules used last, by the key of their graph. The size of
// the kept schedules is bounded in steps.
type cache struct {
	byKey map[string]*list.Element
	order *list.List // most recently used first
	steps int
	hits  int
}

type cached struct {
	key string
	s   *schedule
}

// maxCachedSteps is a few hundred plans of usual size, or a few dozen megabytes.
const maxCachedSteps = 16 << 10

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

func (c *cache) put(key []byte, s *schedule) {
	for c.order.Len() > 0 && c.steps+s.weight() > maxCachedSteps {
		c.remove(c.order.Back())
	}
	k := string(key)
	c.byKey[k] = c.order.PushFront(&cached{k, s})
	c.steps += s.weight()
}

func (c *cache) remove(el *list.Element) {
	old := c.order.Remove(el).(*cached)
	delete(c.byKey, old.key)
	c.steps -= old.s.weight()
}

// dropDevice forgets the schedules of a device.
func (c *cache) dropDevice(d *Device) {
	for el := c.order.Front(); el != nil; {
		next := el.Next()
		if el.Value.(*cached).s.dev == d {
			c.remove(el)
		}
		el = next
	}
}
