package webgpu

import (
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/twiddle-go/twiddle/nd/internal/device/webgpu/driver"
)

// adapters lists those of this machine, once.
var adapters = sync.OnceValues(func() ([]*driver.Adapter, error) {
	l, err := driver.Open()
	if err != nil {
		return nil, err
	}
	list := l.Adapters()
	if len(list) == 0 {
		advice := "install the GPU's driver"
		if runtime.GOOS == "linux" {
			advice = "install a Vulkan driver: mesa-vulkan-drivers, or the card's own"
		}
		return nil, fmt.Errorf("%s finds no adapter with Metal, Vulkan or DX12: %s", l.Version, advice)
	}
	return list, nil
})

// Count says how many adapters there are; if none, why.
func Count() (int, error) {
	list, err := adapters()
	return len(list), err
}

// mesaVersion is the version of a Mesa driver, or 0.
func mesaVersion(name string) int {
	_, version, _ := strings.Cut(name, "Mesa ")
	major, _, _ := strings.Cut(version, ".")
	n, _ := strconv.Atoi(major)
	return n
}

// oldestMesa is the first version whose software adapter computes shaders with
// workgroup memory as they are written: 22.3 gives wrong numbers without a word.
const oldestMesa = 24

// usable is nil, or why an adapter cannot be used.
func usable(a *driver.Adapter) error {
	if v := mesaVersion(a.Driver); v > 0 && v < oldestMesa && a.Kind == driver.Software {
		return fmt.Errorf("%s (%s): its results are wrong: install Mesa %d or newer, or use another driver", a.Name, a.Driver, oldestMesa)
	}
	switch {
	case a.Limits.GroupThreads < 256 || a.Limits.GroupSize[0] < 256:
		return fmt.Errorf("%s: groups of %d threads: at least 256 are needed", a.Name, a.Limits.GroupThreads)
	case a.Limits.GroupStorage < 16<<10:
		return fmt.Errorf("%s: %d bytes of workgroup memory: at least %d are needed", a.Name, a.Limits.GroupStorage, 16<<10)
	case a.Limits.StorageBuffers < 8 || a.Limits.Groups < 1:
		return errors.New(a.Name + ": less than the limits that WebGPU promises")
	}
	return nil
}

// describe is an adapter for people.
func describe(a *driver.Adapter) string {
	s := a.Name
	if a.Kind == driver.Software {
		s += " (software: for tests)"
	} else {
		s += fmt.Sprintf(" (%s)", a.Kind)
	}
	s += ", " + a.Backend
	if a.Driver != "" {
		s += ", " + a.Driver
	}
	l := a.Limits
	s += fmt.Sprintf(", %s, workgroups of %d threads and %d KiB, bindings of %d MiB", a.Version(), l.GroupThreads, l.GroupStorage>>10, l.StorageBinding>>20)
	if a.Has(driver.Subgroups) {
		s += ", subgroups"
	}
	if a.Has(driver.ShaderF16) {
		s += ", shader-f16"
	}
	return s
}

// guessProcessors is about how many processors there are, which WebGPU does not
// tell: it decides how work is cut, not what comes out.
func guessProcessors(a *driver.Adapter) int {
	switch a.Kind {
	case driver.Discrete:
		return 48
	case driver.Software:
		return runtime.NumCPU()
	}
	return 10
}
