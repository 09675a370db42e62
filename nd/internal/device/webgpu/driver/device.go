package driver

import (
	"errors"
	"runtime"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/clib"
)

// Device is an adapter that was opened. Callbacks come inside of its methods.
type Device struct {
	*Library
	Adapter *Adapter

	handle, queue       handle
	lostCall, errorCall uintptr
	lost                string
	failure             error
}

// ErrOutOfMemory is the error of a buffer that there is no room for.
var ErrOutOfMemory = errors.New("out of memory")

func (d *Device) lose(why string) {
	if d.lost == "" {
		d.lost = why
		if why == "" {
			d.lost = "no reason is given"
		}
	}
}

// Lost says why the device is lost, or nothing.
func (d *Device) Lost() string { return d.lost }

func (d *Device) fail(kind uint32, message string) {
	if d.failure != nil {
		return
	}
	if d.failure = errors.New(message); kind == errorOutOfMemory {
		d.failure = ErrOutOfMemory
	}
}

// Failure is the first error since it was last asked for.
func (d *Device) Failure() error {
	err := d.failure
	d.failure = nil
	return err
}

// scoped makes a call and gives its error.
func (d *Device) scoped(f func()) (err error) {
	filters := []uintptr{filterValidation, filterOutOfMemory}
	if d.poll == 0 {
		filters = append(filters, filterInternal) // wgpu-native 29.0.1 aborts on it
	}
	before := d.failure
	d.failure = nil
	for _, filter := range filters {
		clib.Call(d.pushScope, d.handle, filter)
	}
	f()
	left := len(filters)
	done := false
	for range filters {
		info := &callbackInfo{mode: modeProcessEvents, callback: twoWords(), user1: once(func(o outcome) {
			if o.b == errorOutOfMemory {
				err = ErrOutOfMemory
			} else if o.a == statusSuccess && o.b != errorNone && o.b != 0 && err == nil {
				err = errors.New(o.message)
			}
			left--
			done = left == 0
		})}
		callWith(d.popScope, info, d.handle)
	}
	d.until(&done)
	if err == nil {
		err = d.failure
	}
	d.failure = before
	return err
}

// Usage is what a buffer is for, as in webgpu.h.
type Usage uint64

const (
	MapRead Usage = 1
	CopySrc Usage = 4
	CopyDst Usage = 8
	Storage Usage = 0x80
)

// Buffer is memory of the device.
type Buffer handle

// NewBuffer allocates. bytes is a positive multiple of 4.
func (d *Device) NewBuffer(bytes int, use Usage) (b Buffer, err error) {
	desc := &bufferDescriptor{usage: uint64(use), size: uint64(bytes)}
	err = d.scoped(func() { b = Buffer(clib.Call(d.createBuffer, d.handle, uintptr(unsafe.Pointer(desc)))) })
	if err != nil && b != 0 {
		clib.Call(d.bufferRelease, uintptr(b))
		b = 0
	}
	return b, err
}

// FreeBuffer gives memory back; work that was submitted still has it.
func (d *Device) FreeBuffer(b Buffer) {
	clib.Call(d.bufferDestroy, uintptr(b))
	clib.Call(d.bufferRelease, uintptr(b))
}

// Pipeline is a compiled kernel.
type Pipeline struct{ pipeline, layout handle }

// Compile makes a kernel of a shader. written says of each binding whether it is.
func (d *Device) Compile(text, entry string, written []bool) (p Pipeline, err error) {
	var module, layout handle
	source := &shaderSource{chain: chain{sType: sTypeWGSL}, code: view(text)}
	if err = d.scoped(func() {
		module = clib.Call(d.createShader, d.handle, uintptr(unsafe.Pointer(&shaderDescriptor{next: &source.chain})))
	}); err != nil {
		return Pipeline{}, err
	}
	defer clib.Call(d.shaderRelease, module)
	entries := make([]layoutEntry, len(written))
	for i, w := range written {
		entries[i].binding, entries[i].visibility = uint32(i), stageCompute
		entries[i].buffer.kind = bindingReadOnly
		if w {
			entries[i].buffer.kind = bindingStorage
		}
	}
	err = d.scoped(func() {
		desc := &layoutDescriptor{count: uintptr(len(entries)), entries: unsafe.SliceData(entries)}
		p.layout = clib.Call(d.createGroupLayout, d.handle, uintptr(unsafe.Pointer(desc)))
		list := []handle{p.layout}
		layout = clib.Call(d.createPipelineLayout, d.handle, uintptr(unsafe.Pointer(&pipelineLayoutDescriptor{count: 1, layouts: &list[0]})))
		runtime.KeepAlive(entries)
	})
	if err == nil {
		err = d.scoped(func() {
			desc := &pipelineDescriptor{layout: layout}
			desc.compute.module, desc.compute.entry = module, view(entry)
			p.pipeline = clib.Call(d.createPipeline, d.handle, uintptr(unsafe.Pointer(desc)))
		})
	}
	clib.Call(d.pipelineLayoutRelease, layout)
	if err != nil {
		if p.pipeline != 0 {
			clib.Call(d.pipelineRelease, p.pipeline)
		}
		clib.Call(d.groupLayoutRelease, p.layout)
		return Pipeline{}, err
	}
	return p, nil
}

// FreePipeline gives a kernel up.
func (d *Device) FreePipeline(p Pipeline) {
	clib.Call(d.pipelineRelease, p.pipeline)
	clib.Call(d.groupLayoutRelease, p.layout)
}

// Write copies to a buffer before whatever is submitted next. Both numbers are
// multiples of 4.
func (d *Device) Write(b Buffer, at int, data []byte) {
	if len(data) > 0 {
		clib.Call(d.writeBuffer, d.queue, uintptr(b), uintptr(at), uintptr(unsafe.Pointer(&data[0])), uintptr(len(data)))
	}
}

// Map calls done with the contents of a buffer that is for it, once what was
// submitted so far is over; with nil if that is not to be.
func (d *Device) Map(b Buffer, bytes int, done func([]byte)) {
	info := &callbackInfo{mode: modeProcessEvents, callback: oneWord(), user1: once(func(o outcome) {
		if o.a != statusSuccess {
			done(nil)
			return
		}
		at := clib.Call(d.mappedRange, uintptr(b), 0, uintptr(bytes))
		if at == 0 {
			done(nil)
			return
		}
		done(unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), bytes))
	})}
	callWith(d.mapAsync, info, uintptr(b), mapRead, 0, uintptr(bytes))
}

// Unmap ends what Map began.
func (d *Device) Unmap(b Buffer) { clib.Call(d.unmap, uintptr(b)) }

// Poll lets callbacks come, without waiting.
func (d *Device) Poll() {
	if d.poll != 0 {
		clib.Call(d.poll, d.handle, 0, 0)
		return
	}
	clib.Call(d.processEvents, d.instance)
}

// Destroy gives the device and all that it has back.
func (d *Device) Destroy() {
	clib.Call(d.deviceDestroy, d.handle)
	d.Poll()
	d.lose("it was destroyed") // wgpu-native does not say so
}

// Release ends the use of the device, which was destroyed.
func (d *Device) Release() {
	clib.Call(d.queueRelease, d.queue)
	clib.Call(d.deviceRelease, d.handle)
	forget(d.lostCall)
	forget(d.errorCall)
}
