package sched

import (
	"container/list"
	"hash/maphash"
	"sync"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/graph"
)

// constants are the nodes of numbers that the host gave a device, by what they
// are: windows and tables that are made anew for every graph come to the device
// once. Those used least recently go first.
type constants struct {
	mu    sync.Mutex
	byKey map[constantKey]*list.Element
	order list.List // of *constantNode, most recently used first
	bytes int
}

// constantKey is a 128-bit hash of type, shape and elements.
type constantKey [2]uint64

type constantNode struct {
	key   constantKey
	node  *graph.Node
	bytes int
}

const (
	// maxConstantBytes bounds what a device keeps: the tables of some dozens of
	// spectral losses, little beside the memory of any device.
	maxConstantBytes = 64 << 20
	// constantShare is the share of a memory limit that they may take.
	constantShare = 64
)

var constantSeeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// Constant is a node of elements that the host has and that nobody changes or
// releases. Elements that were there before give the same node.
func (d *Device) Constant(t elem.Type, dims []int, host *graph.Host) (*graph.Node, error) {
	most := maxConstantBytes
	if limit := d.pool.Usage().Limit; limit > 0 {
		most = min(most, limit/constantShare)
	}
	if len(host.Bytes) > most/2 || d.closed.Load() {
		return d.data(t, dims, host)
	}
	key := keyOfConstant(t, dims, host.Sum())
	c := &d.constants
	c.mu.Lock()
	defer c.mu.Unlock()
	if el := c.byKey[key]; el != nil {
		if n := el.Value.(*constantNode).node; !isReleased(n) {
			c.order.MoveToFront(el)
			return n, nil
		}
		c.remove(el)
	}
	n, err := d.data(t, dims, host)
	if err != nil {
		return nil, err
	}
	for c.bytes+len(host.Bytes) > most {
		c.remove(c.order.Back())
	}
	if c.byKey == nil {
		c.byKey = map[constantKey]*list.Element{}
	}
	c.byKey[key] = c.order.PushFront(&constantNode{key, n, len(host.Bytes)})
	c.bytes += len(host.Bytes)
	return n, nil
}

func (d *Device) data(t elem.Type, dims []int, host *graph.Host) (*graph.Node, error) {
	n, err := graph.NewData(graph.Place{Device: d.index}, t, dims)
	if err == nil {
		n.Hold(host)
	}
	return n, err
}

func keyOfConstant(t elem.Type, dims []int, elements [2]uint64) (key constantKey) {
	for i, seed := range constantSeeds {
		key[i] = maphash.Comparable(seed, [3]uint64{elements[i], uint64(t), uint64(len(dims))})
		for _, n := range dims {
			key[i] = maphash.Comparable(seed, [2]uint64{key[i], uint64(n)})
		}
	}
	return key
}

// remove forgets a constant. Its memory is freed when no graph has it either.
func (c *constants) remove(el *list.Element) {
	old := c.order.Remove(el).(*constantNode)
	delete(c.byKey, old.key)
	c.bytes -= old.bytes
}

// forget forgets all of them.
func (c *constants) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.order.Init()
	clear(c.byKey)
	c.bytes = 0
}

// Trim gives memory that nothing uses back to the device. Constants are made
// again when they are needed.
func (d *Device) Trim() {
	d.constants.forget()
	d.forgetCompiled()
	d.pool.Trim()
}
