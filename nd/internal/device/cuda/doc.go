// Package cuda is the device for NVIDIA GPUs. It needs the driver and NVRTC at
// run time, and neither a toolkit nor cgo to build.
package cuda
