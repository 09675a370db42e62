package view

import (
	"container/list"
	"sync"
)

// cache keeps what was used last, up to a number of bytes.
type cache[K comparable, V any] struct {
	limit int
	mu    sync.Mutex
	byKey map[K]*list.Element
	order *list.List // most recently used first
	bytes int
}

type cached[K comparable, V any] struct {
	key   K
	value V
	bytes int
}

func newCache[K comparable, V any](limit int) *cache[K, V] {
	return &cache[K, V]{limit: limit, byKey: map[K]*list.Element{}, order: list.New()}
}

func (c *cache[K, V]) get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	el := c.byKey[key]
	if el == nil {
		var none V
		return none, false
	}
	c.order.MoveToFront(el)
	return el.Value.(*cached[K, V]).value, true
}

// put keeps a value, and lets those go that were used longest ago. One that is
// larger than the limit is not kept.
func (c *cache[K, V]) put(key K, value V, bytes int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el := c.byKey[key]; el != nil {
		c.remove(el)
	}
	if bytes > c.limit {
		return
	}
	for c.bytes+bytes > c.limit {
		c.remove(c.order.Back())
	}
	c.byKey[key] = c.order.PushFront(&cached[K, V]{key, value, bytes})
	c.bytes += bytes
}

func (c *cache[K, V]) remove(el *list.Element) {
	old := c.order.Remove(el).(*cached[K, V])
	delete(c.byKey, old.key)
	c.bytes -= old.bytes
}
