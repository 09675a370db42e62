package nd

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cpu"
	"github.com/twiddle-go/twiddle/nd/internal/device/null"
	"github.com/twiddle-go/twiddle/nd/internal/sched"
)

// ErrClosed is wrapped by the errors of arrays whose device was closed.
var ErrClosed = device.ErrClosed

// engine is the one engine of the process. Device 0 is where arrays are made
// unless something says otherwise.
var engine = newEngine()

func newEngine() *sched.Engine {
	e := sched.NewEngine()
	e.Register("cpu", func() (device.Device, error) { return tuned(cpu.Open(cpu.Options{})), nil })
	e.Register("null", func() (device.Device, error) { return null.New(null.Options{}), nil })
	verifyFromEnvironment(e)
	return e
}

const cpuIndex = 0

// found registers the GPUs of a kind, and says why there are none. It is called when
// someone asks for devices: starting a driver takes a good part of a second.
func (k gpuKind) found() error {
	n, err := k.count()
	for i := range n {
		engine.Register(fmt.Sprintf("%s:%d", k.name, i), func() (device.Device, error) {
			d, err := k.open(i)
			if err != nil {
				return nil, err
			}
			return tuned(d), nil
		})
	}
	return err
}

// gpuKind is GPUs that one library reaches.
type gpuKind struct {
	name  string
	count func() (int, error)
	open  func(i int) (device.Device, error)
}

var (
	findGPUs     = sync.OnceValue(nvidia.found)
	findAdapters = sync.OnceValue(adapters.found)
)

// Device is a processor that computes arrays: the CPU or a GPU. Arrays are made on the CPU
// and moved with On. A Device is safe for use from any number of goroutines. There is one
// *Device for each processor, so pointers can be compared.
type Device struct{ d *sched.Device }

var devices sync.Map // *sched.Device to its *Device

func deviceOf(d *sched.Device) *Device {
	if one, ok := devices.Load(d); ok {
		return one.(*Device)
	}
	one, _ := devices.LoadOrStore(d, &Device{d})
	return one.(*Device)
}

// DeviceInfo describes a device.
type DeviceInfo struct {
	Name        string `json:"name"`
	Description string `json:"description"`
	Workers     int    `json:"workers"`      // things that run truly in parallel
	MemoryBytes int    `json:"memory_bytes"` // 0 if unknown
	// Arch is the compute capability of an NVIDIA GPU, major*10+minor, and
	// SharedBytes the shared memory that a block of it may ask for.
	Arch        int `json:"arch,omitempty"`
	SharedBytes int `json:"shared_bytes,omitempty"`
	// Software says that a processor plays a GPU, for tests.
	Software bool `json:"software,omitempty"`
	// DTypes are the element types that the device computes with.
	DTypes []DType `json:"dtypes"`
	// Notes are worth knowing and need no action.
	Notes []string `json:"notes,omitempty"`
}

// UnavailableDevice is a device, or a kind of them, that cannot be used.
type UnavailableDevice struct {
	Name string // "cuda", "cuda:0", "webgpu"
	Err  error
}

// CPU is the processor. It is opened when it is first used, and opened anew by
// the first call of CPU after it was closed.
func CPU() *Device {
	d, err := engine.Open(cpuIndex)
	if err != nil {
		panic(err) // the processor is always there
	}
	return deviceOf(d)
}

// Open returns the device with a name that Devices lists. Every call returns the same
// device until it is closed. NVIDIA GPUs are named cuda:0, cuda:1 and so on. GPUs of all
// vendors, by Metal, Vulkan or DX12, are named webgpu:0, webgpu:1 and so on.
func Open(name string) (*Device, error) {
	var none error
	switch {
	case strings.HasPrefix(name, "cuda"):
		none = findGPUs()
	case strings.HasPrefix(name, "webgpu"):
		none = findAdapters()
	}
	names := engine.Names()
	for i, n := range names {
		if n == name {
			d, err := engine.Open(i)
			if err != nil {
				return nil, fmt.Errorf("nd: open: %w", err)
			}
			return deviceOf(d), nil
		}
	}
	if none != nil {
		return nil, fmt.Errorf("nd: open: no device %q: %w", name, none)
	}
	return nil, fmt.Errorf("nd: open: no device %q; there are %s", name, strings.Join(names, ", "))
}

// Devices lists the devices of this machine. Listing one opens it; those that
// cannot be opened are left out, and Unavailable says why.
func Devices() []DeviceInfo {
	_, _ = findGPUs(), findAdapters() // why there are none is for Unavailable to say
	var out []DeviceInfo
	for i := range engine.Names() {
		if d, err := engine.Open(i); err == nil {
			out = append(out, deviceOf(d).Info())
		}
	}
	return out
}

// Unavailable says why devices that a machine could have cannot be used here,
// and what to install.
func Unavailable() []UnavailableDevice {
	var out []UnavailableDevice
	if err := findGPUs(); err != nil {
		out = append(out, UnavailableDevice{"cuda", err})
	}
	if err := findAdapters(); err != nil {
		out = append(out, UnavailableDevice{"webgpu", err})
	}
	for i, name := range engine.Names() {
		if _, err := engine.Open(i); err != nil {
			out = append(out, UnavailableDevice{name, err})
		}
	}
	return out
}

// Info describes the device.
func (d *Device) Info() DeviceInfo {
	i := d.d.Info()
	info := DeviceInfo{Name: i.Name, Description: i.Description, Workers: i.Workers, MemoryBytes: i.MemoryBytes, Arch: i.Arch, SharedBytes: i.SharedBytes, Software: i.Software, DTypes: slices.Clone(i.Types)}
	if n, ok := device.As[device.Noter](d.d.Driver()); ok {
		info.Notes = n.Notes()
	}
	return info
}

// Device is the device the array is on. It fails if the array carries an error
// or the device was closed.
func (a *Array) Device() (*Device, error) {
	if err := a.Err(); err != nil {
		return nil, err
	}
	d, err := engine.Device(a.node.Device)
	if err != nil {
		return nil, fmt.Errorf("nd: device: %w", err)
	}
	return deviceOf(d), nil
}

// Has says whether the device computes with elements of a type. WebGPU has neither float64
// nor complex128: what needs them is a DTypeError there.
func (d *Device) Has(t DType) bool { return slices.Contains(d.d.Info().Types, t) }

// Name is the name the device is opened by.
func (d *Device) Name() string { return d.d.Info().Name }

// String is its name.
func (d *Device) String() string { return d.Name() }

// Close lets the device's work finish and gives its memory back. Arrays on it
// fail with ErrClosed from then on.
func (d *Device) Close() error {
	if err := d.d.Close(); err != nil {
		return fmt.Errorf("nd: close: %w", err)
	}
	devices.Delete(d.d)
	return nil
}
