// Package driver calls a WebGPU library, wgpu-native or Dawn, through the C
// interface of webgpu.h, without cgo. It knows nothing of programs: it has adapters,
// a device, buffers, shaders, commands and what became of them. A Device is not safe
// for concurrent use; whoever owns it has a lock.
//
// Libraries end the process on some mistakes, so callers check sizes first.
package driver
