package graph

import (
	"hash/maphash"
	"sync/atomic"
)

// Host is the value that a Data node holds until a device has its elements: the
// bytes in row-major order, which nobody changes any more. It belongs to any
// number of nodes.
type Host struct {
	Bytes []byte
	sum   atomic.Pointer[[2]uint64]
}

var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

// NewHost takes the bytes over.
func NewHost(b []byte) *Host { return &Host{Bytes: b} }

// Sum is a 128-bit hash of the bytes, which are read for it once. It differs
// between processes.
func (h *Host) Sum() [2]uint64 {
	if s := h.sum.Load(); s != nil {
		return *s
	}
	s := [2]uint64{maphash.Bytes(seeds[0], h.Bytes), maphash.Bytes(seeds[1], h.Bytes)}
	h.sum.Store(&s)
	return s
}
