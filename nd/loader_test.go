package nd_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// numbered reads example i as two arrays of its number, slower for some.
func numbered(_ context.Context, i int) ([]*nd.Array, error) {
	if i%3 == 0 {
		time.Sleep(time.Millisecond)
	}
	return []*nd.Array{nd.Full(float64(i), nd.Float64, 2), nd.Full(float64(-i), nd.Float64)}, nil
}

func ExampleLoader() {
	l := nd.Loader{N: 5, Batch: 2, Read: func(_ context.Context, i int) ([]*nd.Array, error) {
		return []*nd.Array{nd.Full(float64(i), nd.Float64, 3)}, nil // from a file, as a rule
	}}
	ctx := context.Background()
	for batch, err := range l.Batches(ctx) {
		if err != nil {
			fmt.Println(err)
			return
		}
		sum, err := nd.Item[float64](ctx, batch[0].Sum())
		fmt.Println(batch[0].Shape(), sum, err)
	}
	// Output:
	// [2 3] 3 <nil>
	// [2 3] 15 <nil>
	// [1 3] 12 <nil>
}

// firsts is the numbers of the examples in the order they came in.
func firsts(t *testing.T, l nd.Loader) []float64 {
	t.Helper()
	var all []float64
	for b, err := range l.Batches(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		v, err := nd.Slice[float64](t.Context(), b[1].Neg())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, v...)
	}
	return all
}

func TestLoaderOrder(t *testing.T) {
	testdevice.NeedsFloat64(t)
	natural := make([]float64, 23)
	for i := range natural {
		natural[i] = float64(i)
	}
	for _, workers := range []int{0, 1, 7} {
		for _, size := range []int{0, 1, 4, 23, 50} {
			l := nd.Loader{N: 23, Read: numbered, Batch: size, Workers: workers, Ahead: 1 + workers}
			if got := firsts(t, l); !slices.Equal(got, natural) {
				t.Errorf("%d workers, batches of %d: %v", workers, size, got)
			}
			l.Shuffle, l.Key = true, 5
			one := firsts(t, l)
			l.Workers = 3
			if two := firsts(t, l); !slices.Equal(one, two) || slices.Equal(one, natural) {
				t.Errorf("shuffled by one key: %v and %v", one, two)
			}
			l.Key = 6
			if two := firsts(t, l); slices.Equal(one, two) {
				t.Errorf("two keys give one order: %v", two)
			}
			slices.Sort(one)
			if !slices.Equal(one, natural) {
				t.Errorf("shuffled, examples are lost or come twice: %v", one)
			}
		}
	}
	if got := firsts(t, nd.Loader{N: 23, Read: numbered, Batch: 10, DropRest: true}); len(got) != 20 {
		t.Errorf("without the rest there are %d examples", len(got))
	}
}

func TestLoaderErrors(t *testing.T) {
	testdevice.NeedsFloat64(t)
	bad := errors.New("a bad file")
	l := nd.Loader{N: 12, Batch: 3, Workers: 4, Read: func(ctx context.Context, i int) ([]*nd.Array, error) {
		switch i {
		case 4:
			return nil, bad
		case 7:
			panic("seven")
		case 9:
			return []*nd.Array{nd.Ones(nd.Float32, 2)}, nil // too few, and of another type
		}
		return numbered(ctx, i)
	}}
	var got []string
	for b, err := range l.Batches(t.Context()) {
		if (b == nil) != (err != nil) {
			t.Errorf("%v and %v", b, err)
		}
		got = append(got, fmt.Sprint(err))
	}
	want := []string{"<nil>", "example 4: a bad file", "panicked: seven", "another of its batch"}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i, w := range want {
		if !strings.Contains(got[i], w) {
			t.Errorf("batch %d: %s, want %s", i, got[i], w)
		}
	}
	for _, l := range []nd.Loader{{N: 1}, {N: -1, Read: numbered}, {Read: numbered, Batch: -1}, {Read: numbered, Workers: 1 << 30},
		{Read: numbered, N: math.MaxInt, Shuffle: true}, {Read: numbered, N: math.MaxInt, Batch: math.MaxInt}} {
		for _, err := range l.Batches(t.Context()) {
			if err == nil {
				t.Errorf("%+v is not refused", l)
			}
		}
	}
}

// Whoever stops early, or cancels, leaves no goroutine behind.
func TestLoaderEnds(t *testing.T) {
	if err := nd.Eval(t.Context(), nd.Ones(nd.Float32, 2).Neg()); err != nil { // starts the device's workers, which stay
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	var calls atomic.Int64
	l := nd.Loader{N: 1000, Workers: 5, Ahead: 3, Read: func(ctx context.Context, i int) ([]*nd.Array, error) {
		calls.Add(1)
		return numbered(ctx, i)
	}}
	for range l.Batches(t.Context()) {
		break
	}
	if n := calls.Load(); n > 20 {
		t.Errorf("%d examples were read for one", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	count, last := 0, error(nil)
	for _, err := range l.Batches(ctx) {
		if count++; count == 4 {
			cancel()
		}
		last = err
	}
	if !errors.Is(last, context.Canceled) || count > 6 {
		t.Errorf("%d batches after a cancel, the last with %v", count, last)
	}
	for deadline := time.Now().Add(time.Minute); runtime.NumGoroutine() > before+2; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}
