//go:build nogpu

package nd

import "errors"

// Without GPUs a program has neither their drivers nor the generators of their kernels.
var (
	nvidia   = gpuKind{name: "cuda", count: noGPUs}
	adapters = gpuKind{name: "webgpu", count: noGPUs}
)

func noGPUs() (int, error) {
	return 0, errors.New("this program was built without GPUs (-tags nogpu)")
}
