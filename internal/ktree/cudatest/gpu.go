package cudatest

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
)

// GPU is the first NVIDIA device of the machine.
type GPU struct {
	Arch string // as NVRTC wants it for PTX

	context *driver.Context
}

// OpenGPU finds the device.
var OpenGPU = sync.OnceValues(func() (*GPU, error) {
	d, err := driver.Open()
	if err != nil {
		return nil, err
	}
	c, r := d.Retain(0)
	if r != driver.Success {
		return nil, r
	}
	return &GPU{
		Arch:    fmt.Sprintf("compute_%d%d", c.Attribute(driver.CapabilityMajor), c.Attribute(driver.CapabilityMinor)),
		context: c,
	}, nil
})

// Run launches a kernel, of PTX or compiled code, over blocks and waits for
// it. An argument is an int32, a uint32, a uint64, or a []byte that is copied
// to the device and back.
func (g *GPU) Run(image []byte, kernel string, blocks, block [3]int, args ...any) (err error) {
	c := g.context
	defer c.Leave()
	check := func(what string, r driver.Result) {
		if r != driver.Success && err == nil {
			err = fmt.Errorf("%s: %w", what, r)
		}
	}
	check("enter", c.Enter())
	module, r := c.LoadModule(image)
	check("load", r)
	stream, r := c.NewStream()
	check("stream", r)
	if err != nil {
		return err
	}
	defer c.UnloadModule(module)
	defer c.DestroyStream(stream)
	f, r := c.Function(module, kernel)
	check(kernel, r)

	// Every argument has a word of its own; the driver reads as much of it as
	// the parameter has.
	words := make([]uint64, len(args)+1)
	params := make([]unsafe.Pointer, len(args)+1)
	for i, a := range args {
		params[i] = unsafe.Pointer(&words[i])
		switch a := a.(type) {
		case int32:
			words[i] = uint64(uint32(a))
		case uint32:
			words[i] = uint64(a)
		case uint64:
			words[i] = a
		case []byte:
			p, r := c.Alloc(max(len(a), 16))
			check("alloc", r)
			defer c.Free(p)
			if len(a) > 0 {
				check("copy", c.CopyToDevice(p, a, stream))
			}
			words[i] = uint64(p)
		}
	}
	if err != nil {
		return err
	}
	size := func(d [3]int) [3]uint32 { return [3]uint32{uint32(d[0]), uint32(d[1]), uint32(d[2])} }
	check("launch", c.Launch(f, size(blocks), size(block), 0, stream, &params[0]))
	check("run", c.SyncStream(stream))
	for i, a := range args {
		if b, ok := a.([]byte); ok && len(b) > 0 {
			check("copy", c.CopyToHost(b, driver.Pointer(words[i]), stream))
		}
	}
	check("run", c.SyncStream(stream))
	return err
}
