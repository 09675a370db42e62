//go:build !nogpu

package nd

import (
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda"
	"github.com/twiddle-go/twiddle/nd/internal/device/webgpu"
)

var (
	// nvidia is the GPUs that the CUDA driver knows.
	nvidia = gpuKind{"cuda", cuda.Count, func(i int) (device.Device, error) { return cuda.Open(i) }}
	// adapters is what a WebGPU library reaches.
	adapters = gpuKind{"webgpu", webgpu.Count, func(i int) (device.Device, error) { return webgpu.Open(i) }}
)
