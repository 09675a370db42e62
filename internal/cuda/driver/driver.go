package driver

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/clib"
)

// ErrNoDriver is wrapped by the error of a machine without an NVIDIA driver.
var ErrNoDriver = errors.New("no NVIDIA driver found")

// functions are the addresses of what is used of libcuda.
type functions struct {
	init, version, count, device, name, total, attribute uintptr
	retain, release, setCurrent                          uintptr
	memAlloc, memFree, memInfo, hostAlloc, hostFree      uintptr
	memAllocAsync, memFreeAsync                          uintptr
	toDevice, toHost                                     uintptr
	streamCreate, streamDestroy, streamSync, streamWait  uintptr
	streamQuery                                          uintptr
	eventCreate, eventDestroy, eventRecord               uintptr
	eventQuery, eventElapsed                             uintptr
	moduleLoad, moduleUnload, function                   uintptr
	funcSetAttribute, launch                             uintptr

	hostRegister, hostUnregister uintptr
	graphs                       graphFunctions
	peers                        peerFunctions
	clusters                     uintptr // 0 in drivers before CUDA 11.8
	writeValue                   uintptr // 0 in drivers before CUDA 11.7
	encodeTiled                  uintptr // 0 in drivers before CUDA 12.0
}

// table names them. All are in every driver since CUDA 11.2.
func (f *functions) table() map[string]*uintptr {
	return map[string]*uintptr{
		"cuInit": &f.init, "cuDriverGetVersion": &f.version, "cuDeviceGetCount": &f.count, "cuDeviceGet": &f.device,
		"cuDeviceGetName": &f.name, "cuDeviceTotalMem_v2": &f.total, "cuDeviceGetAttribute": &f.attribute,
		"cuDevicePrimaryCtxRetain": &f.retain, "cuDevicePrimaryCtxRelease_v2": &f.release, "cuCtxSetCurrent": &f.setCurrent,
		"cuMemAlloc_v2": &f.memAlloc, "cuMemFree_v2": &f.memFree, "cuMemGetInfo_v2": &f.memInfo,
		"cuMemHostAlloc": &f.hostAlloc, "cuMemFreeHost": &f.hostFree,
		"cuMemAllocAsync": &f.memAllocAsync, "cuMemFreeAsync": &f.memFreeAsync,
		"cuMemcpyHtoDAsync_v2": &f.toDevice, "cuMemcpyDtoHAsync_v2": &f.toHost,
		"cuStreamCreate": &f.streamCreate, "cuStreamDestroy_v2": &f.streamDestroy, "cuStreamSynchronize": &f.streamSync,
		"cuStreamQuery":     &f.streamQuery,
		"cuStreamWaitEvent": &f.streamWait, "cuEventCreate": &f.eventCreate, "cuEventDestroy_v2": &f.eventDestroy,
		"cuEventRecord": &f.eventRecord, "cuEventQuery": &f.eventQuery,
		"cuEventElapsedTime": &f.eventElapsed,
		"cuModuleLoadData":   &f.moduleLoad, "cuModuleUnload": &f.moduleUnload, "cuModuleGetFunction": &f.function,
		"cuFuncSetAttribute": &f.funcSetAttribute, "cuLaunchKernel": &f.launch,
		"cuMemHostRegister_v2": &f.hostRegister, "cuMemHostUnregister": &f.hostUnregister,
	}
}

// Driver is libcuda, opened and initialized.
type Driver struct {
	functions
	version int // 13000 is 13.0
	count   int
}

// Open finds the driver. It looks once per process.
var Open = sync.OnceValues(open)

func open() (*Driver, error) {
	library, _, err := clib.OpenFirst(candidates(driverNames), clib.Local)
	if err != nil {
		return nil, fmt.Errorf("%w: looked for %s: %w", ErrNoDriver, strings.Join(driverNames, ", "), err)
	}
	d := &Driver{}
	if missing := library.Symbols(d.table()); missing != "" {
		return nil, fmt.Errorf("the NVIDIA driver has no %s: it is older than CUDA 11.2; install a newer one", missing)
	}
	d.graphs.find(library)
	d.peers.find(library)
	d.clusters = library.Symbol("cuOccupancyMaxActiveClusters")
	d.encodeTiled = library.Symbol("cuTensorMapEncodeTiled")
	d.writeValue = library.Symbol("cuStreamWriteValue64_v2")
	if r := call(d.init, 0); r != Success {
		return nil, fmt.Errorf("the NVIDIA driver does not start: %w", r)
	}
	var n int32
	if r := call(d.functions.version, uintptr(unsafe.Pointer(&n))); r != Success {
		return nil, fmt.Errorf("the NVIDIA driver's version: %w", r)
	}
	d.version = int(n)
	if r := call(d.functions.count, uintptr(unsafe.Pointer(&n))); r != Success {
		return nil, fmt.Errorf("the NVIDIA driver's GPUs: %w", r)
	}
	d.count = int(n)
	return d, nil
}

// Version is the newest CUDA the driver supports, 13000 for 13.0.
func (d *Driver) Version() int { return d.version }

// Count is how many GPUs there are.
func (d *Driver) Count() int { return d.count }

// VersionText is a version as people write it.
func VersionText(v int) string { return fmt.Sprintf("%d.%d", v/1000, v%1000/10) }

// Attribute is what may be asked about a GPU, with the driver's number.
type Attribute int32

// The attributes in use.
const (
	ClockKHz         Attribute = 13
	Processors       Attribute = 16
	MemoryClockKHz   Attribute = 36
	MemoryBusBits    Attribute = 37
	L2Bytes          Attribute = 38
	CapabilityMajor  Attribute = 75
	CapabilityMinor  Attribute = 76
	BlockSharedBytes Attribute = 97 // what a block may opt in to
	MemoryPools      Attribute = 115
	ClusterLaunch    Attribute = 120 // whether blocks may be launched in clusters
	WritesValues     Attribute = 122 // whether streams write numbers of 64 bits
)

// Context is the primary context of one GPU, shared with whatever else in the
// process uses it, or one that Create made.
type Context struct {
	d      *Driver
	device int32
	handle uintptr
	own    bool
}

// Retain makes the context of a GPU ready. Release gives it back.
func (d *Driver) Retain(index int) (*Context, Result) {
	c := &Context{d: d}
	if r := call(d.device, uintptr(unsafe.Pointer(&c.device)), uintptr(index)); r != Success {
		return nil, r
	}
	if r := call(d.retain, uintptr(unsafe.Pointer(&c.handle)), uintptr(c.device)); r != Success {
		return nil, r
	}
	return c, Success
}

// Release gives the context back.
func (c *Context) Release() Result {
	if c.own {
		return call(c.d.peers.destroy, c.handle)
	}
	return call(c.d.release, uintptr(c.device))
}

// Name is what the maker calls the GPU.
func (c *Context) Name() string {
	name := make([]byte, 256)
	call(c.d.name, uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)), uintptr(c.device))
	name, _, _ = bytes.Cut(name, []byte{0})
	return string(name)
}

// TotalMemory is the GPU's memory in bytes.
func (c *Context) TotalMemory() int {
	var n uintptr
	call(c.d.total, uintptr(unsafe.Pointer(&n)), uintptr(c.device))
	return int(n)
}

// Attribute is 0 for one the driver does not know.
func (c *Context) Attribute(a Attribute) int {
	var v int32
	call(c.d.attribute, uintptr(unsafe.Pointer(&v)), uintptr(a), uintptr(c.device))
	return int(v)
}
