package webgpu

import (
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/devicetest"
	"github.com/twiddle-go/twiddle/nd/internal/device/webgpu/driver"
)

// small are adapters with less than WebGPU promises. The library holds kernels to
// these limits: what goes beyond them is lost.
var small = map[string]func(*driver.Limits){
	"groups":   func(l *driver.Limits) { l.Groups = 3 },
	"bindings": func(l *driver.Limits) { l.StorageBuffers = 4 },
	"bytes":    func(l *driver.Limits) { l.StorageBinding = 1 << 10 },
}

// Sums of many arrays, of elements of all sizes, meet every limit.
func TestLimits(t *testing.T) {
	for name, limit := range small {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, openSome(t, limit))
			for _, e := range []elem.Type{elem.Uint8, elem.Float16, elem.Int32, elem.Int64, elem.Complex64} {
				for _, inputs := range []int{1, 3, 9} {
					n := 4099
					if name == "bytes" {
						n = 1 + 1500/e.Size() // two pieces
						inputs = min(inputs, 3)
					}
					reads := make([][]byte, inputs)
					for i := range reads {
						reads[i] = make([]byte, n*e.Size())
						for j := range n {
							put(reads[i], e, j, (j*7+i*3)%9)
						}
					}
					got, err := b.all(sumOf(e, n, inputs), reads, []int{n * e.Size()})
					if err != nil {
						t.Fatalf("%d of %s: %v", inputs, e, err)
					}
					want := make([]byte, n*e.Size())
					for j := range n {
						sum := 0
						for i := range inputs {
							sum += (j*7 + i*3) % 9
						}
						put(want, e, j, sum)
					}
					if !slices.Equal(got[0], want) {
						t.Errorf("%d of %s: wrong sums", inputs, e)
					}
				}
			}
		})
	}
}

func put(data []byte, t elem.Type, i, v int) {
	switch t {
	case elem.Uint8:
		data[i] = uint8(v)
	case elem.Float16:
		elem.Slice[elem.F16](data)[i] = elem.F16From(float32(v))
	case elem.Int32:
		elem.Slice[int32](data)[i] = int32(v)
	case elem.Int64:
		elem.Slice[int64](data)[i] = int64(v)
	default:
		elem.Slice[complex64](data)[i] = complex(float32(v), 0)
	}
}

// Parts of the suite pass within small limits, too.
func TestConformanceWithinLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes minutes on a software adapter")
	}
	someAdapter(t) // or there is nothing to test
	for name, groups := range map[string][]string{
		"groups":   {"map", "reduce", "scan", "sort", "gemm"},
		"bindings": {"map", "reduce", "batch", "gather", "scatter"},
		"bytes":    {"layout", "scan", "overlap"},
	} {
		t.Run(name, func(t *testing.T) {
			devicetest.RunPart(t, func() device.Device { return openSome(t, small[name]) }, partOfSuite(t), groups...)
		})
	}
}

// A driver that computes wrong numbers is refused, and so is an adapter that has less
// than WebGPU promises; newer drivers are not.
func TestRefused(t *testing.T) {
	good := driver.Limits{GroupThreads: 256, GroupSize: [3]uint32{256, 256, 64}, GroupStorage: 16 << 10, StorageBuffers: 8, BindingsPerGroup: 1000, Groups: 65535, StorageBinding: 128 << 20}
	for _, c := range []struct {
		driver string
		kind   driver.Kind
		change func(*driver.Limits)
		want   string // "" is not refused
	}{
		{"Mesa 22.3.6 (LLVM 15.0.6)", driver.Software, nil, "its results are wrong: install Mesa 24 or newer"},
		{"Mesa 23.1.0", driver.Software, nil, "its results are wrong"},
		{"Mesa 25.0.7-2~bpo12+1 (LLVM 19.1.7)", driver.Software, nil, ""},
		{"Mesa 22.3.6", driver.Discrete, nil, ""}, // only the software adapter is wrong
		{"SwiftShader driver-5.0.0", driver.Software, nil, ""},
		{"", driver.Discrete, func(l *driver.Limits) { l.GroupThreads = 128 }, "groups of 128 threads"},
		{"", driver.Discrete, func(l *driver.Limits) { l.GroupStorage = 8 << 10 }, "workgroup memory"},
		{"", driver.Discrete, func(l *driver.Limits) { l.StorageBuffers = 4 }, "less than the limits"},
	} {
		a := &driver.Adapter{Name: "llvmpipe", Driver: c.driver, Kind: c.kind, Limits: good}
		if c.change != nil {
			c.change(&a.Limits)
		}
		err := usable(a)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
		if err != nil {
			if _, err := open("webgpu:0", a); err == nil {
				t.Errorf("%s was opened", c.driver)
			}
		}
	}
}
