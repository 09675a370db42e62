package driver

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/clib"
)

// ErrNoLibrary is wrapped by the error of a machine without a usable WebGPU library.
var ErrNoLibrary = errors.New("no usable WebGPU library")

// functions are the addresses of what is used of the library.
type functions struct {
	createInstance, requestAdapter, processEvents        uintptr
	adapterInfo, adapterLimits, adapterFeatures          uintptr
	requestDevice, getQueue, deviceDestroy               uintptr
	createBuffer, bufferDestroy, bufferRelease           uintptr
	mapAsync, mappedRange, unmap                         uintptr
	createShader, shaderRelease                          uintptr
	createGroupLayout, createPipelineLayout              uintptr
	createPipeline, pipelineRelease                      uintptr
	groupLayoutRelease, pipelineLayoutRelease            uintptr
	createGroup, groupRelease                            uintptr
	createEncoder, encoderFinish, encoderRelease         uintptr
	beginPass, setPipeline, setGroup, dispatch, endPass  uintptr
	passRelease, copyBuffer, clearBuffer, commandRelease uintptr
	writeBuffer, submit, workDone                        uintptr
	pushScope, popScope                                  uintptr
	deviceRelease, queueRelease, adapterRelease          uintptr
	settled                                              uintptr // not called: Dawn had it once its layouts were webgpu.h's
}

// table names them.
func (f *functions) table() map[string]*uintptr {
	return map[string]*uintptr{
		"wgpuCreateInstance": &f.createInstance, "wgpuInstanceRequestAdapter": &f.requestAdapter, "wgpuInstanceProcessEvents": &f.processEvents,
		"wgpuAdapterGetInfo": &f.adapterInfo, "wgpuAdapterGetLimits": &f.adapterLimits, "wgpuAdapterGetFeatures": &f.adapterFeatures,
		"wgpuAdapterRequestDevice": &f.requestDevice, "wgpuDeviceGetQueue": &f.getQueue, "wgpuDeviceDestroy": &f.deviceDestroy,
		"wgpuDeviceCreateBuffer": &f.createBuffer, "wgpuBufferDestroy": &f.bufferDestroy, "wgpuBufferRelease": &f.bufferRelease,
		"wgpuBufferMapAsync": &f.mapAsync, "wgpuBufferGetConstMappedRange": &f.mappedRange, "wgpuBufferUnmap": &f.unmap,
		"wgpuDeviceCreateShaderModule": &f.createShader, "wgpuShaderModuleRelease": &f.shaderRelease,
		"wgpuDeviceCreateBindGroupLayout": &f.createGroupLayout, "wgpuDeviceCreatePipelineLayout": &f.createPipelineLayout,
		"wgpuDeviceCreateComputePipeline": &f.createPipeline, "wgpuComputePipelineRelease": &f.pipelineRelease,
		"wgpuBindGroupLayoutRelease": &f.groupLayoutRelease, "wgpuPipelineLayoutRelease": &f.pipelineLayoutRelease,
		"wgpuDeviceCreateBindGroup": &f.createGroup, "wgpuBindGroupRelease": &f.groupRelease,
		"wgpuDeviceCreateCommandEncoder": &f.createEncoder, "wgpuCommandEncoderFinish": &f.encoderFinish, "wgpuCommandEncoderRelease": &f.encoderRelease,
		"wgpuCommandEncoderBeginComputePass": &f.beginPass, "wgpuComputePassEncoderSetPipeline": &f.setPipeline,
		"wgpuComputePassEncoderSetBindGroup": &f.setGroup, "wgpuComputePassEncoderDispatchWorkgroups": &f.dispatch,
		"wgpuComputePassEncoderEnd": &f.endPass, "wgpuComputePassEncoderRelease": &f.passRelease,
		"wgpuCommandEncoderCopyBufferToBuffer": &f.copyBuffer, "wgpuCommandEncoderClearBuffer": &f.clearBuffer,
		"wgpuCommandBufferRelease": &f.commandRelease, "wgpuQueueWriteBuffer": &f.writeBuffer, "wgpuQueueSubmit": &f.submit,
		"wgpuQueueOnSubmittedWorkDone": &f.workDone, "wgpuDevicePushErrorScope": &f.pushScope, "wgpuDevicePopErrorScope": &f.popScope,
		"wgpuDeviceRelease": &f.deviceRelease, "wgpuQueueRelease": &f.queueRelease, "wgpuAdapterRelease": &f.adapterRelease,
		"wgpuSupportedWGSLLanguageFeaturesFreeMembers": &f.settled,
	}
}

// Library is a WebGPU library with its instance.
type Library struct {
	functions
	Path    string
	Version string // "wgpu-native 29.0.1", "Dawn"

	instance  handle
	enumerate uintptr // of wgpu-native
	poll      uintptr // of wgpu-native
}

// IsDawn reports Google's library, whose shaders have to enable what they use.
func (l *Library) IsDawn() bool { return l.poll == 0 }

// Open finds a library. It looks once per process.
var Open = sync.OnceValues(func() (*Library, error) {
	paths, err := places()
	if err != nil {
		return nil, fmt.Errorf("%w: %w; %s", ErrNoLibrary, err, advice())
	}
	why := ""
	for _, path := range paths {
		l, err := openAt(path)
		if err == nil {
			return l, nil
		}
		why += fmt.Sprintf("%s: %s; ", path, strings.TrimPrefix(err.Error(), path+": "))
	}
	return nil, fmt.Errorf("%w: %s%s", ErrNoLibrary, why, advice())
})

// advice is what to install on this platform, in a line.
func advice() string {
	s := fmt.Sprintf("install wgpu-native with: pip install wgpu; or set %s to the library", LibraryVar)
	if runtime.GOOS == "linux" {
		s += "; a Vulkan driver is needed too (mesa-vulkan-drivers, or the card's own)"
	}
	return s
}

// oldestNative is the first version of wgpu-native with a stable webgpu.h.
const oldestNative = 29

func openAt(path string) (*Library, error) {
	library, err := clib.Open(path, clib.Local)
	if err != nil {
		return nil, err
	}
	l := &Library{Path: path, Version: "Dawn"}
	if missing := library.Symbols(l.table()); missing != "" {
		return nil, fmt.Errorf("it has no %s: it is no WebGPU library, or older than webgpu.h of 2025", missing)
	}
	desc := &instanceDescriptor{}
	if version := library.Symbol("wgpuGetVersion"); version != 0 {
		v := uint32(clib.Call(version))
		l.Version = fmt.Sprintf("wgpu-native %d.%d.%d", v>>24, v>>16&255, v>>8&255)
		if v>>24 < oldestNative {
			return nil, fmt.Errorf("it is %s: at least %d is needed", l.Version, oldestNative)
		}
		native := map[string]*uintptr{"wgpuInstanceEnumerateAdapters": &l.enumerate, "wgpuDevicePoll": &l.poll}
		if missing := library.Symbols(native); missing != "" {
			return nil, fmt.Errorf("it has no %s", missing)
		}
		extras := &instanceExtras{chain: chain{sType: sTypeInstanceExtras}, backends: nativeBackends}
		desc.next = &extras.chain
	}
	if l.instance = clib.Call(l.createInstance, uintptr(unsafe.Pointer(desc))); l.instance == 0 {
		return nil, errors.New("it gives no instance")
	}
	return l, nil
}

// nativeBackends are Vulkan, Metal and DX12. Those of OpenGL lack what kernels need.
const nativeBackends = 1 | 4 | 8
