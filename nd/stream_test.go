package nd

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd/internal/device"
)

func newStreams(t testing.TB, n int) []*Stream {
	t.Helper()
	var out []*Stream
	for range n {
		s, err := CPU().NewStream()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
		out = append(out, s)
	}
	return out
}

// soon ends long after any test should have; compiling a test's kernels for a GPU
// can take minutes.
func soon(t testing.TB) context.Context {
	limit := 2 * time.Minute
	if testdevice.Name() != "" {
		limit = 5 * time.Minute
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	t.Cleanup(cancel)
	return ctx
}

// randomArrays builds arrays of one shape from a seed; place may move any of
// them on the way.
func randomArrays(seed uint64, place func(*Array) *Array) []*Array {
	const rows, cols = 48, 96
	r := rand.New(rand.NewPCG(seed, 9))
	host := make([]float32, rows*cols)
	for i := range host {
		host[i] = float32(r.NormFloat64())
	}
	arrays := []*Array{From(host, rows, cols), Normal(Key(seed), Float32, rows, cols)}
	pick := func() *Array { return place(arrays[max(r.IntN(len(arrays)), r.IntN(len(arrays)))]) }
	for range 30 {
		x := pick()
		var y *Array
		switch r.IntN(12) {
		case 0:
			y = x.Tanh().Add(pick())
		case 1:
			y = x.Sub(x.Mean(1).ExpandDims(1))
		case 2:
			y = x.Sub(x.Sum(0)).MulScalar(0.1)
		case 3:
			y = x.Transpose().Reshape(rows, cols)
		case 4:
			y = x.Slice(Range{Start: rows - 1, Stop: End, Step: -1})
		case 5:
			y = Concat(1, x, pick()).Slice(All, Range{Start: 7, Stop: 7 + cols})
		case 6:
			y = x.Sort(1)
		case 7:
			y = x.MatMul(pick().Transpose()).MatMul(pick()).Tanh()
		case 8:
			y = x.CumSum(0).MulScalar(0.01)
		case 9:
			y = x.Div(x.Norm().AddScalar(1))
		case 10:
			y = x.Transpose().Mul(pick().Transpose()).Transpose().Add(x.Var(0))
		default:
			y = x.Mul(pick()).Add(x.MulScalar(0.5))
		}
		arrays = append(arrays, y)
	}
	return arrays
}

// TestStreamsDoNotChangeBits evaluates random graphs scattered over streams,
// from several goroutines at once, and one operation after the other on one
// stream: every bit agrees.
func TestStreamsDoNotChangeBits(t *testing.T) {
	ctx := soon(t)
	streams := newStreams(t, 3)
	for seed := range uint64(12) {
		serial := randomArrays(seed, func(a *Array) *Array {
			if err := Eval(ctx, a); err != nil {
				t.Fatal(err)
			}
			return a
		})
		r := rand.New(rand.NewPCG(seed, 10))
		spread := randomArrays(seed, func(a *Array) *Array {
			if r.IntN(2) == 0 {
				return a
			}
			return a.On(streams[r.IntN(len(streams))])
		})
		got := make([][]float32, len(spread))
		var workers sync.WaitGroup
		for w := range 4 {
			workers.Go(func() {
				for i := w; i < len(spread); i += 4 {
					var err error
					if got[i], err = Slice[float32](ctx, spread[i]); err != nil {
						t.Errorf("seed %d: array %d: %v", seed, i, err)
					}
				}
			})
		}
		workers.Wait()
		for i, a := range serial {
			want, err := Slice[float32](ctx, a)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(elem.Bytes(got[i]), elem.Bytes(want)) {
				t.Fatalf("seed %d: array %d differs", seed, i)
			}
		}
	}
}

// TestStreamsDoNotChangeTransforms is the same for transforms and what fuses
// with them, cut in all places or in none.
func TestStreamsDoNotChangeTransforms(t *testing.T) {
	ctx := soon(t)
	s := newStreams(t, 1)[0]
	host, err := Slice[float32](ctx, Normal(Key(77), Float32, 48, 96))
	if err != nil {
		t.Fatal(err)
	}
	for name, build := range map[string]func(x *Array, cut func(*Array) *Array) *Array{
		"filter": func(x *Array, cut func(*Array) *Array) *Array {
			return cut(cut(x.RFFT()).MulScalar(0.5)).IRFFT(FFT{N: 96})
		},
		"all bins": func(x *Array, cut func(*Array) *Array) *Array {
			return cut(cut(x.Tanh()).FFT(FFT{N: 128})).AbsSquared()
		},
		"all bins of complex numbers": func(x *Array, cut func(*Array) *Array) *Array {
			return cut(cut(x.Tanh()).Cast(Complex64)).FFT(FFT{N: 128}).AbsSquared()
		},
		"window and power": func(x *Array, cut func(*Array) *Array) *Array {
			return cut(cut(x.Tanh()).RFFT()).AbsSquared()
		},
		"along the first axis": func(x *Array, cut func(*Array) *Array) *Array {
			return cut(cut(x.Tanh()).RFFT(FFT{Axis: Axis(0)})).AbsSquared()
		},
		"sum along lines": func(x *Array, cut func(*Array) *Array) *Array {
			return cut(cut(x.RFFT()).AbsSquared()).Sum(1)
		},
		"sum over lines": func(x *Array, cut func(*Array) *Array) *Array {
			return cut(cut(x.RFFT()).AbsSquared()).Sum(0)
		},
		"sum along the first axis": func(x *Array, cut func(*Array) *Array) *Array {
			return cut(cut(x.RFFT(FFT{Axis: Axis(0)})).AbsSquared()).Sum(0)
		},
		"mean over few segments": func(x *Array, cut func(*Array) *Array) *Array {
			return cut(cut(x.Frames(32, 8).RFFT()).AbsSquared()).Mean(1)
		},
		"mean over many segments": func(x *Array, cut func(*Array) *Array) *Array {
			return cut(cut(x.Frames(32, 1).RFFT()).AbsSquared()).Mean(1)
		},
		"mean over chunks of segments": func(x *Array, cut func(*Array) *Array) *Array {
			return cut(cut(x.Flatten().Tile(4).Reshape(4, -1).Frames(1024, 5).RFFT()).AbsSquared()).Mean(1)
		},
		"mean over short lines": func(x *Array, cut func(*Array) *Array) *Array {
			return cut(cut(x.Frames(6, 1).RFFT()).AbsSquared()).Mean(1)
		},
		"maximum over lines": func(x *Array, cut func(*Array) *Array) *Array {
			return cut(cut(x.RFFT()).AbsSquared()).Max(0)
		},
	} {
		get := func(cut func(*Array) *Array) []float32 {
			out, err := Slice[float32](ctx, build(From(host, 48, 96), cut))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			return out
		}
		fused := get(func(a *Array) *Array { return a })
		for how, cut := range map[string]func(*Array) *Array{
			"on another stream": func(a *Array) *Array { return a.On(s) },
			"step by step": func(a *Array) *Array {
				if err := Eval(ctx, a); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				return a
			},
		} {
			if !slices.Equal(elem.Bytes(get(cut)), elem.Bytes(fused)) {
				t.Errorf("%s: other bits %s", name, how)
			}
		}
	}
}

func TestManyGoroutinesOneGraph(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := soon(t)
	streams := newStreams(t, 2)
	x := Normal(Key(3), Float64, 1000)
	y := x.On(streams[0]).Exp().On(streams[1]).Sum()
	want, err := Item[float64](ctx, Normal(Key(3), Float64, 1000).Exp().Sum())
	if err != nil {
		t.Fatal(err)
	}
	var workers sync.WaitGroup
	for range 16 {
		workers.Go(func() {
			for range 20 {
				if got, err := Item[float64](ctx, y); err != nil || got != want {
					t.Errorf("%v, %v, want %v", got, err, want)
				}
				if got, err := Item[float64](ctx, x.Exp().Sum()); err != nil || got != want {
					t.Errorf("a graph of one's own: %v, %v", got, err)
				}
			}
		})
	}
	workers.Wait()
}

func TestFailureReachesDependentsOnly(t *testing.T) {
	ctx := soon(t)
	s := newStreams(t, 2)
	x := From([]float32{1, 2, 3})
	bad := x.On(s[0]).Take(From([]int64{7}), 0).AddScalar(1)
	good := x.On(s[0]).MulScalar(2)
	dependent := bad.On(s[1]).Exp()
	p := Async(bad, good, dependent)
	var index *IndexError
	if err := p.Wait(ctx); !errors.As(err, &index) || index.Index != 7 || index.Len != 3 {
		t.Errorf("pending: %v", err)
	}
	var op *OpError
	if err := Eval(ctx, dependent); !errors.As(err, &index) || !errors.As(err, &op) || op.Op != "take" {
		t.Errorf("dependent: %v", err)
	}
	if got, err := Slice[float32](ctx, good); err != nil || !slices.Equal(got, []float32{2, 4, 6}) {
		t.Errorf("on the stream of the failure: %v, %v", got, err)
	}
}

func TestPending(t *testing.T) {
	ctx := soon(t)
	p := Async(Ones(Float32, 100).Sum())
	then := make(chan error, 2)
	p.Then(func(err error) { then <- err })
	if err := p.Wait(ctx); err != nil {
		t.Fatal(err)
	}
	<-p.Done()
	p.Then(func(err error) {
		// A callback may evaluate.
		then <- Eval(ctx, Ones(Float32, 3).AddScalar(1))
	})
	for range 2 {
		select {
		case err := <-then:
			if err != nil {
				t.Error(err)
			}
		case <-ctx.Done():
			t.Fatal("a callback was not called")
		}
	}
	if err := Async().Wait(ctx); err != nil {
		t.Errorf("nothing to do: %v", err)
	}
	broken := From([]float32{1}, 2)
	if err := Async(broken).Wait(ctx); err == nil || err.Error() != broken.Err().Error() {
		t.Errorf("a broken array: %v", err)
	}
}

// collected waits until what tests before this one dropped is back in the pool.
func collected(dev *Device) *Device {
	for same := 0; same < 5; same++ {
		active := dev.Memory().Active
		runtime.GC()
		for end := time.Now().Add(time.Minute); device.CleanupsWait() && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		if dev.Memory().Active != active {
			same = 0
		}
	}
	return dev
}

func TestMemoryComesBack(t *testing.T) {
	ctx := soon(t)
	dev := collected(CPU())
	x := Ones(Float32, 1<<20).AddScalar(1)
	before := dev.Memory().Active
	if err := Eval(ctx, x); err != nil {
		t.Fatal(err)
	}
	if got := dev.Memory().Active - before; got < 4<<20 {
		t.Errorf("%d bytes more active for an array of %d", got, 4<<20)
	}
	x.Release()
	if err := Eval(ctx, x.AddScalar(1)); !errors.Is(err, ErrReleased) {
		t.Errorf("use after release: %v", err)
	}
	func() {
		if err := Eval(ctx, Ones(Float32, 1<<20).AddScalar(2)); err != nil {
			t.Fatal(err)
		}
	}()
	for end := time.Now().Add(time.Minute); dev.Memory().Active-before >= 4<<20; time.Sleep(time.Millisecond) {
		runtime.GC()
		if time.Now().After(end) {
			t.Fatalf("%d bytes of a dropped array are still active", dev.Memory().Active-before)
		}
	}
}

func TestMemoryLimit(t *testing.T) {
	testdevice.NotOnGPU(t, "names the CPU")
	ctx := soon(t)
	dev := collected(CPU())
	limit := dev.Memory().Limit
	defer dev.SetMemoryLimit(limit)
	dev.Trim()
	dev.SetMemoryLimit(dev.Memory().Active + 1<<20)
	big := Ones(Float32, 1<<22).AddScalar(1)
	var oom *OutOfMemoryError
	if err := Eval(ctx, big); !errors.As(err, &oom) || oom.Asked < 16<<20 || oom.Device != "cpu" {
		t.Fatalf("error %v", err)
	}
	if err := Eval(ctx, Ones(Float32, 10).AddScalar(1)); err != nil {
		t.Errorf("the device stopped working: %v", err)
	}
	dev.SetMemoryLimit(limit)
	if err := Eval(ctx, big); err != nil {
		t.Errorf("with room again: %v", err)
	}
	big.Release()
}

func TestDonate(t *testing.T) {
	ctx := soon(t)
	x := From([]float32{1, 2, 3, 4})
	if err := Eval(ctx, x); err != nil {
		t.Fatal(err)
	}
	y := x.Donate().MulScalar(3).AddScalar(1).Mul(x)
	if got, err := Slice[float32](ctx, y); err != nil || !slices.Equal(got, []float32{4, 14, 30, 52}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := Slice[float32](ctx, x); !errors.Is(err, ErrReleased) {
		t.Errorf("a donated array: %v", err)
	}
}

// A conversion between types of one size must not be done in place: devices
// may clear the output first.
func TestConversionOfIntermediate(t *testing.T) {
	ctx := soon(t)
	sorted := From([]bool{true, false, true}).Sort(0)
	if got, err := Slice[uint8](ctx, sorted.Cast(Uint8)); err != nil || !slices.Equal(got, []uint8{0, 1, 1}) {
		t.Errorf("bool to uint8: %v, %v", got, err)
	}
	numbers := From([]int32{3, -1, 2}).Sort(0)
	if got, err := Slice[float32](ctx, numbers.Cast(Float32)); err != nil || !slices.Equal(got, []float32{-1, 2, 3}) {
		t.Errorf("int32 to float32: %v, %v", got, err)
	}
}

// A permutation is made on the device that it is moved to; one that is there already is copied.
func TestPermutationOn(t *testing.T) {
	dev, err := Open("null")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		there bool
		want  int
	}{{false, 0}, {true, 1}} {
		p := Permutation(1, 1000)
		if c.there {
			if err := Eval(soon(t), p); err != nil {
				t.Fatal(err)
			}
		}
		plan, err := Explain(p.On(dev.Stream()).AddScalar(1))
		if err != nil {
			t.Fatal(err)
		}
		copies := 0
		for _, note := range plan.Notes {
			if strings.Contains(note, "copied from") {
				copies++
			}
		}
		if copies != c.want {
			t.Errorf("with a value: %t: %d copies, want %d: %q", c.there, copies, c.want, plan.Notes)
		}
	}
}

// Another goroutine may evaluate a permutation, which lets go of its input, between a look at its value and one at its input.
func TestPermutationOnWhileItIsEvaluated(t *testing.T) {
	dev, err := Open("null")
	if err != nil {
		t.Fatal(err)
	}
	p := Permutation(1, 1000)
	p.node.Detach()
	if err := p.On(dev.Stream()).Err(); err != nil {
		t.Error(err)
	}
}

func TestOnAnotherDevice(t *testing.T) {
	ctx := soon(t)
	dev, err := Open("null")
	if err != nil {
		t.Fatal(err)
	}
	x := From([]float32{1, 2, 3}).AddScalar(1).On(dev.Stream())
	if err := Eval(ctx, x.Exp(), Ones(Float32, 3).On(dev.Stream()).Exp()); err != nil {
		t.Error(err)
	}
	back := x.Exp().On(CPU().Stream()).AddScalar(1)
	if err := Async(back, From([]float32{1})).Wait(ctx); err != nil {
		t.Error(err)
	}
	if err := x.Add(From([]float32{1, 2, 3})).Err(); err == nil {
		t.Error("operands on two devices were accepted")
	}
}
