package driver

import (
	"runtime"
	"unsafe"
)

// Pointer is an address on the GPU.
type Pointer uint64

// Stream, Event, Module and Function are the driver's own handles.
type (
	Stream   uintptr
	Event    uintptr
	Module   uintptr
	Function uintptr
)

// Enter ties the goroutine to its thread and makes the context current there.
func (c *Context) Enter() Result {
	runtime.LockOSThread()
	return hot(c.d.setCurrent, c.handle)
}

// Leave ends what Enter began.
func (c *Context) Leave() { runtime.UnlockOSThread() }

// Alloc gives memory at once.
func (c *Context) Alloc(bytes int) (p Pointer, r Result) {
	r = call(c.d.memAlloc, uintptr(unsafe.Pointer(&p)), uintptr(bytes))
	return p, r
}

// Free gives memory of Alloc back, when all work of the context is done.
func (c *Context) Free(p Pointer) Result { return call(c.d.memFree, uintptr(p)) }

// AllocAsync gives memory that the stream may use from here on.
func (c *Context) AllocAsync(bytes int, s Stream) (p Pointer, r Result) {
	r = call(c.d.memAllocAsync, uintptr(unsafe.Pointer(&p)), uintptr(bytes), uintptr(s))
	return p, r
}

// FreeAsync gives memory of AllocAsync back when the stream gets there.
func (c *Context) FreeAsync(p Pointer, s Stream) Result {
	return hot(c.d.memFreeAsync, uintptr(p), uintptr(s))
}

// MemoryInfo is the GPU's free and total bytes.
func (c *Context) MemoryInfo() (free, total int, r Result) {
	var f, t uintptr
	r = call(c.d.memInfo, uintptr(unsafe.Pointer(&f)), uintptr(unsafe.Pointer(&t)))
	return int(f), int(t), r
}

// hostPortable lets every context use the memory, at the host's address.
const hostPortable = 1 | 2

// HostAlloc gives host memory that the GPU can reach.
func (c *Context) HostAlloc(bytes int) ([]byte, Result) {
	var p *byte
	if r := call(c.d.hostAlloc, uintptr(unsafe.Pointer(&p)), uintptr(bytes), hostPortable); r != Success {
		return nil, r
	}
	return unsafe.Slice(p, bytes), Success
}

// HostFree gives it back.
func (c *Context) HostFree(m []byte) Result {
	return call(c.d.hostFree, uintptr(unsafe.Pointer(&m[0])))
}

// HostRegister lets the GPU reach memory that the process has, which must not be
// given back or moved before HostUnregister.
func (c *Context) HostRegister(m []byte) Result {
	return call(c.d.hostRegister, uintptr(unsafe.Pointer(&m[0])), uintptr(len(m)), hostPortable)
}

// HostUnregister ends that.
func (c *Context) HostUnregister(m []byte) Result {
	return call(c.d.hostUnregister, uintptr(unsafe.Pointer(&m[0])))
}

// HostPointer is the address by which the GPU knows memory of HostAlloc.
func HostPointer(m []byte) Pointer { return Pointer(uintptr(unsafe.Pointer(&m[0]))) }

// CopyToDevice queues a copy from memory of HostAlloc or HostRegister.
func (c *Context) CopyToDevice(dst Pointer, src []byte, s Stream) Result {
	return hot(c.d.toDevice, uintptr(dst), uintptr(unsafe.Pointer(&src[0])), uintptr(len(src)), uintptr(s))
}

// CopyToHost queues a copy to memory of HostAlloc or HostRegister.
func (c *Context) CopyToHost(dst []byte, src Pointer, s Stream) Result {
	return hot(c.d.toHost, uintptr(unsafe.Pointer(&dst[0])), uintptr(src), uintptr(len(dst)), uintptr(s))
}

// nonBlocking streams do not wait for work on the process's default stream.
const nonBlocking = 1

// NewStream gives an empty stream.
func (c *Context) NewStream() (s Stream, r Result) {
	r = call(c.d.streamCreate, uintptr(unsafe.Pointer(&s)), nonBlocking)
	return s, r
}

// DestroyStream ends a stream; work on it still finishes.
func (c *Context) DestroyStream(s Stream) Result { return call(c.d.streamDestroy, uintptr(s)) }

// SyncStream blocks until the stream's work is done.
func (c *Context) SyncStream(s Stream) Result { return call(c.d.streamSync, uintptr(s)) }

// QueryStream is NotReady for a stream that has work to do.
func (c *Context) QueryStream(s Stream) Result { return hot(c.d.streamQuery, uintptr(s)) }

// WaitEvent makes later work of the stream wait for an event as last recorded.
func (c *Context) WaitEvent(s Stream, e Event) Result {
	return hot(c.d.streamWait, uintptr(s), uintptr(e), 0)
}

// eventNoTime is an event that does not know when it happened. None is one that a
// thread can sleep on: behind a launch, recording such an event takes the host 1.9 us
// instead of 0.3 (an H200, CUDA 13.0).
const eventNoTime = 2

// CanWriteValue reports whether the driver and the GPU have WriteValue.
func (c *Context) CanWriteValue() bool {
	return c.d.writeValue != 0 && c.Attribute(WritesValues) != 0
}

// WriteValue has the GPU write a number to memory of HostAlloc, once all work of the
// stream so far is done and can be seen.
func (c *Context) WriteValue(s Stream, at Pointer, v uint64) Result {
	return hot(c.d.writeValue, uintptr(s), uintptr(at), uintptr(v), 0)
}

// NewEvent gives an event; a timed one costs more to record.
func (c *Context) NewEvent(timed bool) (e Event, r Result) {
	flags := uintptr(eventNoTime)
	if timed {
		flags = 0
	}
	r = call(c.d.eventCreate, uintptr(unsafe.Pointer(&e)), flags)
	return e, r
}

// DestroyEvent gives an event back.
func (c *Context) DestroyEvent(e Event) Result { return call(c.d.eventDestroy, uintptr(e)) }

// Record puts an event into a stream.
func (c *Context) Record(e Event, s Stream) Result {
	return hot(c.d.eventRecord, uintptr(e), uintptr(s))
}

// Query is NotReady for an event that has not happened.
func (c *Context) Query(e Event) Result { return hot(c.d.eventQuery, uintptr(e)) }

// Elapsed is the milliseconds between two timed events that have happened.
func (c *Context) Elapsed(from, to Event) (ms float32, r Result) {
	r = call(c.d.eventElapsed, uintptr(unsafe.Pointer(&ms)), uintptr(from), uintptr(to))
	return ms, r
}

// LoadModule makes compiled code ready.
func (c *Context) LoadModule(image []byte) (m Module, r Result) {
	r = call(c.d.moduleLoad, uintptr(unsafe.Pointer(&m)), uintptr(unsafe.Pointer(&image[0])))
	return m, r
}

// UnloadModule gives it back.
func (c *Context) UnloadModule(m Module) Result { return call(c.d.moduleUnload, uintptr(m)) }

// Function finds an entry of a module.
func (c *Context) Function(m Module, name string) (f Function, r Result) {
	text := append([]byte(name), 0)
	r = call(c.d.function, uintptr(unsafe.Pointer(&f)), uintptr(m), uintptr(unsafe.Pointer(&text[0])))
	return f, r
}

// maxDynamicShared is the driver's number of what AllowShared sets.
const maxDynamicShared = 8

// AllowShared lets launches of a function ask for this much dynamic shared
// memory.
func (c *Context) AllowShared(f Function, bytes int) Result {
	return call(c.d.funcSetAttribute, uintptr(f), maxDynamicShared, uintptr(bytes))
}

// Launch queues a kernel. params points to the addresses of its parameters,
// which the driver copies. They are on the heap.
func (c *Context) Launch(f Function, grid, block [3]uint32, shared int, s Stream, params *unsafe.Pointer) Result {
	return hot(c.d.launch, uintptr(f), uintptr(grid[0]), uintptr(grid[1]), uintptr(grid[2]),
		uintptr(block[0]), uintptr(block[1]), uintptr(block[2]), uintptr(shared), uintptr(s), uintptr(unsafe.Pointer(params)), 0)
}
