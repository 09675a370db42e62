package nd

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cpu"
)

// secondCPU is another device of the same kind, for tests of what goes from
// one to the other.
var secondCPU = sync.OnceValue(func() int {
	return engine.Register("cpu:test", func() (device.Device, error) { return cpu.Open(cpu.Options{Workers: 1}), nil })
})

// Elements arrive on another device and come back, whatever they lie like.
func TestTransfers(t *testing.T) {
	d, err := engine.Open(secondCPU())
	if err != nil {
		t.Fatal(err)
	}
	devices := map[string]*Device{"cpu": {d}}
	if gpu, err := Open("cuda:0"); err == nil {
		devices["cuda"] = gpu
	}
	ctx := context.Background()
	data := make([]float32, 6*5*4)
	for i := range data {
		data[i] = float32(i)
	}
	for name, dev := range devices {
		x := From(data, 6, 5, 4)
		for view, a := range map[string]*Array{
			"whole":      x,
			"transposed": x.Transpose(),
			"part":       x.Slice(Range{2, 5, 1}, Range{1, 4, 1}),
			"reversed":   x.Slice(Range{5, -7, -1}),
			"one":        x.Slice(Range{3, 4, 1}, Range{2, 3, 1}, Range{1, 2, 1}),
			"none":       x.Slice(Range{2, 2, 1}),
			"computed":   x.MulScalar(2).AddScalar(1),
		} {
			t.Run(fmt.Sprintf("%s/%s", name, view), func(t *testing.T) {
				want, err := Slice[float32](ctx, a)
				if err != nil {
					t.Fatal(err)
				}
				for i := range want {
					want[i]++
				}
				there := a.On(dev.Stream()).AddScalar(1)
				back := there.On(CPU().Stream())
				got, err := Slice[float32](ctx, back)
				if err != nil || !slices.Equal(got, want) {
					t.Errorf("%v, %v, want %v", got, err, want)
				}
				if on, err := there.Device(); err != nil || on.Name() != dev.Name() {
					t.Errorf("on %v, %v", on, err)
				}
			})
		}
	}
}
