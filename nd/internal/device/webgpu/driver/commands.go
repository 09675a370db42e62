package driver

import (
	"runtime"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/clib"
)

// Commands is work in the making.
type Commands struct {
	d       *Device
	encoder handle
	pass    handle // 0 outside of one
	groups  []handle
}

// Commands begins some work.
func (d *Device) Commands() *Commands {
	return &Commands{d: d, encoder: clib.Call(d.createEncoder, d.handle, 0)}
}

// Binding is a part of a buffer that a kernel has.
type Binding struct {
	Buffer    Buffer
	At, Bytes int
}

// Dispatch runs a kernel. What it reads is what earlier commands wrote.
func (c *Commands) Dispatch(p Pipeline, bindings []Binding, groups [3]int) {
	d := c.d
	if c.pass == 0 {
		c.pass = clib.Call(d.beginPass, c.encoder, 0)
	}
	entries := make([]groupEntry, len(bindings))
	for i, b := range bindings {
		entries[i] = groupEntry{binding: uint32(i), buffer: uintptr(b.Buffer), offset: uint64(b.At), size: uint64(b.Bytes)}
	}
	desc := &groupDescriptor{layout: p.layout, count: uintptr(len(entries)), entries: unsafe.SliceData(entries)}
	group := clib.Call(d.createGroup, d.handle, uintptr(unsafe.Pointer(desc)))
	runtime.KeepAlive(entries)
	if group == 0 {
		d.fail(0, "no bind group")
		return
	}
	c.groups = append(c.groups, group)
	clib.Call(d.setPipeline, c.pass, p.pipeline)
	clib.Call(d.setGroup, c.pass, 0, group, 0, 0)
	clib.Call(d.dispatch, c.pass, uintptr(groups[0]), uintptr(groups[1]), uintptr(groups[2]))
}

func (c *Commands) leavePass() {
	if c.pass != 0 {
		clib.Call(c.d.endPass, c.pass)
		clib.Call(c.d.passRelease, c.pass)
		c.pass = 0
	}
}

// Copy copies between buffers; numbers are multiples of 4.
func (c *Commands) Copy(dst Buffer, to int, src Buffer, from, bytes int) {
	c.leavePass()
	clib.Call(c.d.copyBuffer, c.encoder, uintptr(src), uintptr(from), uintptr(dst), uintptr(to), uintptr(bytes))
}

// Clear sets a part of a buffer to zeros; numbers are multiples of 4.
func (c *Commands) Clear(b Buffer, at, bytes int) {
	c.leavePass()
	clib.Call(c.d.clearBuffer, c.encoder, uintptr(b), uintptr(at), uintptr(bytes))
}

// Submit hands the work over; done is called when it and all before it is over.
func (c *Commands) Submit(done func()) {
	d := c.d
	c.leavePass()
	command := clib.Call(d.encoderFinish, c.encoder, 0)
	clib.Call(d.encoderRelease, c.encoder)
	if command != 0 {
		list := []handle{command}
		clib.Call(d.submit, d.queue, 1, uintptr(unsafe.Pointer(&list[0])))
		runtime.KeepAlive(list)
		clib.Call(d.commandRelease, command)
	}
	for _, g := range c.groups {
		clib.Call(d.groupRelease, g)
	}
	c.groups = nil
	info := &callbackInfo{mode: modeProcessEvents, callback: oneWord(), user1: once(func(outcome) { done() })}
	callWith(d.workDone, info, d.queue)
}

// Drop forgets the work.
func (c *Commands) Drop() {
	c.leavePass()
	clib.Call(c.d.encoderRelease, c.encoder)
	for _, g := range c.groups {
		clib.Call(c.d.groupRelease, g)
	}
	c.groups = nil
}
