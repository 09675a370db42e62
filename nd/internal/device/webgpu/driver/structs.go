//lint:file-ignore U1000 fields that nobody sets keep the others where C has them

package driver

import (
	"math"
	"unsafe"
)

// The types of this file have the layout of those of webgpu.h on platforms with
// pointers of 64 bits.

// handle is an object of the library.
type handle = uintptr

// stringView is a string without an end mark.
type stringView struct {
	data   *byte
	length uintptr
}

// view is s where the library can read it. The struct that holds it keeps it alive.
func view(s string) stringView {
	if s == "" {
		return stringView{}
	}
	b := []byte(s)
	return stringView{&b[0], uintptr(len(b))}
}

func (v stringView) String() string { return textAt(uintptr(unsafe.Pointer(v.data)), v.length) }

// untilZero is the length of a string that ends with a zero.
const untilZero = math.MaxUint

// mostText bounds the messages that are read.
const mostText = 1 << 16

// textAt copies a string of the library's.
func textAt(data, length uintptr) string {
	if data == 0 {
		return ""
	}
	p := *(*unsafe.Pointer)(unsafe.Pointer(&data)) // memory of the library, which the collector does not move
	if length == untilZero {
		for length = 0; length < mostText && *(*byte)(unsafe.Add(p, length)) != 0; length++ {
		}
	}
	return string(unsafe.Slice((*byte)(p), min(length, mostText)))
}

type chain struct {
	next  *chain
	sType uint32
}

type callbackInfo struct {
	next     *chain
	mode     uint32
	callback uintptr
	user1    uintptr
	user2    uintptr
}

type errorCallbackInfo struct {
	next     *chain
	callback uintptr
	user1    uintptr
	user2    uintptr
}

type adapterInfo struct {
	next                                      *chain
	vendor, architecture, device, description stringView
	backend, kind, vendorID, deviceID         uint32
	subgroupMin, subgroupMax                  uint32
}

// Limits are what an adapter allows, in the order of webgpu.h.
type Limits struct {
	next                       *chain
	TextureDimension           [3]uint32
	TextureLayers              uint32
	BindGroups                 uint32
	BindGroupsAndVertexBuffers uint32
	BindingsPerGroup           uint32
	DynamicUniformBuffers      uint32
	DynamicStorageBuffers      uint32
	SampledTextures            uint32
	Samplers                   uint32
	StorageBuffers             uint32
	StorageTextures            uint32
	UniformBuffers             uint32
	UniformBinding             uint64
	StorageBinding             uint64 // bytes of a binding
	UniformAlignment           uint32
	StorageAlignment           uint32
	VertexBuffers              uint32
	BufferBytes                uint64
	VertexAttributes           uint32
	VertexStride               uint32
	InterStageVariables        uint32
	ColorAttachments           uint32
	ColorAttachmentBytes       uint32
	GroupStorage               uint32 // bytes of workgroup memory
	GroupThreads               uint32
	GroupSize                  [3]uint32
	Groups                     uint32 // of a dispatch, in each dimension
	ImmediateBytes             uint32
	_                          [4]uint64 // what later versions add
}

type instanceDescriptor struct {
	next     *chain
	count    uintptr
	features *uint32
	limits   uintptr
}

// instanceExtras is an extension of wgpu-native.
type instanceExtras struct {
	chain
	backends, flags  uint64
	dx12, gles, sync uint32
	dxcPath          stringView
	dxcModel, dxKind uint32
	budgets          [2]uintptr
	display          [4]uintptr
}

type enumerateOptions struct {
	next     *chain
	backends uint64
}

type adapterOptions struct {
	next            *chain
	level, power    uint32
	fallback        uint32
	backend         uint32
	compatibleFrame uintptr
}

type deviceDescriptor struct {
	next         *chain
	label        stringView
	featureCount uintptr
	features     *uint32
	limits       *Limits
	queueNext    *chain
	queueLabel   stringView
	lost         callbackInfo
	uncaptured   errorCallbackInfo
}

type bufferDescriptor struct {
	next   *chain
	label  stringView
	usage  uint64
	size   uint64
	mapped uint32
}

type shaderSource struct {
	chain
	code stringView
}

type shaderDescriptor struct {
	next  *chain
	label stringView
}

type layoutEntry struct {
	next       *chain
	binding    uint32
	visibility uint64
	arraySize  uint32
	buffer     struct {
		next    *chain
		kind    uint32
		dynamic uint32
		minimum uint64
	}
	sampler struct {
		next *chain
		kind uint32
	}
	texture struct {
		next                         *chain
		sample, dimension, multiples uint32
	}
	storage struct {
		next                      *chain
		access, format, dimension uint32
	}
}

type layoutDescriptor struct {
	next    *chain
	label   stringView
	count   uintptr
	entries *layoutEntry
}

type pipelineLayoutDescriptor struct {
	next      *chain
	label     stringView
	count     uintptr
	layouts   *handle
	immediate uint32
}

type pipelineDescriptor struct {
	next    *chain
	label   stringView
	layout  handle
	compute struct {
		next      *chain
		module    handle
		entry     stringView
		count     uintptr
		constants uintptr
	}
}

type groupEntry struct {
	next                  *chain
	binding               uint32
	buffer                handle
	offset, size          uint64
	sampler, textureField uintptr
}

type groupDescriptor struct {
	next    *chain
	label   stringView
	layout  handle
	count   uintptr
	entries *groupEntry
}

type supportedFeatures struct {
	count uintptr
	list  *uint32
}

// Constants of webgpu.h that are used here.
const (
	sTypeWGSL           = 2
	sTypeInstanceExtras = 0x00030004

	modeProcessEvents = 2
	statusSuccess     = 1

	filterValidation, filterOutOfMemory, filterInternal = 1, 2, 3
	errorNone, errorOutOfMemory                         = 1, 3

	stageCompute    = 4
	bindingStorage  = 3
	bindingReadOnly = 4

	mapRead = 1

	lostDestroyed = 2
)
