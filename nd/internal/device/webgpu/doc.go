// Package webgpu computes on any GPU that a WebGPU library reaches: by Metal, Vulkan
// and DX12. Kernels are those of package kgen, printed as WGSL.
//
// WebGPU has one queue. The queues of a Device put their work on it in the order in
// which they are called, so that fences between them cost nothing. Work is collected
// and submitted together: when someone waits for it, when there is enough, or when
// the GPU has nothing to do.
//
// Libraries end the process on some mistakes. So sizes, bindings and shaders are
// checked before they are handed over, and what a library finds wrong all the same is
// an error of the device.
package webgpu
