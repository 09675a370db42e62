package nd_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// What is uploaded is what was there when Upload was called.
func TestUpload(t *testing.T) {
	ctx := context.Background()
	s := nd.CPU().Stream()
	data, err := nd.Pinned[float32](nd.CPU(), 6)
	if err != nil {
		t.Fatal(err)
	}
	for i := range data {
		data[i] = float32(i)
	}
	x, err := nd.Upload(ctx, s, data, 2, -1)
	if err != nil {
		t.Fatal(err)
	}
	clear(data)
	if got := numbers(t, x.AddScalar(1)); !slices.Equal(x.Shape(), []int{2, 3}) || !slices.Equal(got, []float32{1, 2, 3, 4, 5, 6}) {
		t.Errorf("%v: %v", x.Shape(), got)
	}
	if err := nd.Read(ctx, data, x.MulScalar(2)); err != nil || !slices.Equal(data, []float32{0, 2, 4, 6, 8, 10}) {
		t.Errorf("%v, %v", data, err)
	}
	part, err := nd.Upload(ctx, s, data[1:3])
	if err != nil || !slices.Equal(numbers(t, part), []float32{2, 4}) {
		t.Errorf("a part: %v", err)
	}
	empty, err := nd.Upload(ctx, s, []float32{}, 0, 4)
	if err != nil || empty.Len() != 0 {
		t.Errorf("nothing: %v", err)
	}
}

func TestUploadRefuses(t *testing.T) {
	ctx := context.Background()
	s := nd.CPU().Stream()
	var bad *nd.OpError
	if _, err := nd.Upload(ctx, s, make([]float32, 6), 4); !errors.As(err, &bad) || bad.Op != "upload" {
		t.Errorf("a wrong shape: %v", err)
	}
	if _, err := nd.Upload(ctx, nil, []float32{1}); !errors.As(err, &bad) {
		t.Errorf("no stream: %v", err)
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := nd.Upload(over, s, []float32{1}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := nd.Pinned[float32](nil, 1); err == nil {
		t.Error("pinned for no device")
	}
	if _, err := nd.Pinned[float32](nd.CPU(), -1); err == nil {
		t.Error("pinned less than nothing")
	}
	if nd.CPU().Info().MemoryBytes == 0 {
		return // WebGPU does not say how much memory there is
	}
	var full *nd.OutOfMemoryError
	if _, err := nd.Pinned[float64](nd.CPU(), math.MaxInt>>13); !errors.As(err, &full) {
		t.Errorf("more than there is: %v", err)
	}
}

func TestUploadsFromManyGoroutines(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			data, err := nd.Pinned[float64](nd.CPU(), 1000)
			if err != nil {
				t.Error(err)
				return
			}
			for turn := range 20 {
				for j := range data {
					data[j] = float64(i * turn)
				}
				x, err := nd.Upload(ctx, nd.CPU().Stream(), data)
				if err != nil {
					t.Error(err)
					return
				}
				clear(data)
				sum, err := nd.Item[float64](ctx, x.Sum())
				if err != nil || sum != float64(1000*i*turn) {
					t.Errorf("%g, %v", sum, err)
				}
				x.Release()
			}
		})
	}
	wg.Wait()
}

// Parts of a signal that is too long for the device go there from one pinned
// buffer, while the parts before them are computed.
func ExampleUpload() {
	ctx := context.Background()
	dev := nd.CPU() // or nd.Open("cuda:0")
	signal := make([]float32, 8*1024)
	for i := range signal {
		signal[i] = 1
	}
	buffer, err := nd.Pinned[float32](dev, 2*1024)
	if err != nil {
		fmt.Println(err)
		return
	}
	parts := func(yield func(*nd.Array, error) bool) {
		for at := 0; at < len(signal); at += len(buffer) {
			copy(buffer, signal[at:]) // or read a file into it
			x, err := nd.Upload(ctx, dev.Stream(), buffer, 2, 1024)
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(x.RFFT().AbsSquared().Sum(), nil) {
				return
			}
		}
	}
	total := float32(0)
	for power, err := range nd.Prefetch(parts, 2) {
		if err != nil {
			fmt.Println(err)
			return
		}
		v, err := nd.Item[float32](ctx, power)
		if err != nil {
			fmt.Println(err)
			return
		}
		total += v
	}
	fmt.Println(total)
	// Output: 8.388608e+06
}
