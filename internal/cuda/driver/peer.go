package driver

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/clib"
)

// Peer names the context that memory belongs to, for copies from it to another.
type Peer struct {
	Context uintptr
	Device  int32
}

// peerFunctions are the addresses of what copies between contexts. 0 is one that the
// driver does not have: then memory goes through the host.
type peerFunctions struct {
	canAccess, enable, copy, defaultPool, poolAccess uintptr
	create, destroy                                  uintptr // of contexts
}

func (f *peerFunctions) find(library clib.Library) {
	library.Symbols(map[string]*uintptr{
		"cuDeviceCanAccessPeer": &f.canAccess, "cuCtxEnablePeerAccess": &f.enable, "cuMemcpyPeerAsync": &f.copy,
		"cuDeviceGetDefaultMemPool": &f.defaultPool, "cuMemPoolSetAccess": &f.poolAccess,
		"cuCtxCreate_v2": &f.create, "cuCtxDestroy_v2": &f.destroy,
	})
}

// Create makes a context of its own on a GPU, beside the primary one. Release
// destroys it.
func (d *Driver) Create(index int) (*Context, Result) {
	c := &Context{d: d, own: true}
	if d.peers.create == 0 || d.peers.destroy == 0 {
		return nil, NotFound
	}
	if r := call(d.device, uintptr(unsafe.Pointer(&c.device)), uintptr(index)); r != Success {
		return nil, r
	}
	if r := call(d.peers.create, uintptr(unsafe.Pointer(&c.handle)), 0, uintptr(c.device)); r != Success {
		return nil, r
	}
	return c, Success
}

// Peer is the context as others know it.
func (c *Context) Peer() Peer { return Peer{Context: c.handle, Device: c.device} }

// What the driver calls them.
const alreadyEnabled Result = 704

const (
	locationDevice  = 1
	accessReadWrite = 3
)

// Reach lets the context copy from another, directly; false if it cannot.
func (c *Context) Reach(p Peer) bool {
	f := &c.d.peers
	if f.copy == 0 {
		return false
	}
	if p.Device == c.device {
		return true
	}
	if f.canAccess == 0 || f.enable == 0 {
		return false
	}
	var can int32
	if r := call(f.canAccess, uintptr(unsafe.Pointer(&can)), uintptr(c.device), uintptr(p.Device)); r != Success || can == 0 {
		return false
	}
	if r := call(f.enable, p.Context, 0); r != Success && r != alreadyEnabled {
		return false
	}
	if c.Attribute(MemoryPools) == 0 {
		return true
	}
	// Memory of a pool has accesses of its own.
	if f.defaultPool == 0 || f.poolAccess == 0 {
		return false
	}
	var pool uintptr
	if call(f.defaultPool, uintptr(unsafe.Pointer(&pool)), uintptr(p.Device)) != Success {
		return false
	}
	access := [3]int32{locationDevice, c.device, accessReadWrite}
	return call(f.poolAccess, pool, uintptr(unsafe.Pointer(&access)), 1) == Success
}

// CopyFrom queues a copy from memory of another context that Reach was asked about.
func (c *Context) CopyFrom(dst Pointer, p Peer, src Pointer, bytes int, s Stream) Result {
	return hot(c.d.peers.copy, uintptr(dst), c.handle, uintptr(src), p.Context, uintptr(bytes), uintptr(s))
}
