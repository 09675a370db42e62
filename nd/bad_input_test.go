package nd_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

var (
	arrayType  = reflect.TypeFor[*nd.Array]()
	streamType = reflect.TypeFor[*nd.Stream]()
)

// odd lists arguments of a type that a careless caller might pass.
func odd(t reflect.Type) []any {
	x := nd.Ones(nd.Float32, 2, 3)
	switch t {
	case arrayType:
		return []any{(*nd.Array)(nil), x.Reshape(7), x, nd.Zeros(nd.Complex64, 0, 3), nd.Ones(nd.Int64), nd.Full(99, nd.Int64, 2, 3)}
	case streamType:
		return []any{(*nd.Stream)(nil)}
	case reflect.TypeFor[any]():
		return []any{nil, "three", math.NaN(), math.Inf(1), math.MaxInt/2 + 1, -1, 2.5, 1i, uint64(math.MaxUint64), struct{}{}, []int{1}}
	case reflect.TypeFor[nd.DType]():
		return []any{nd.DType(0), nd.DType(200), nd.Bool, nd.Complex64}
	case reflect.TypeFor[nd.Range]():
		return []any{nd.Range{}, nd.All, nd.Range{Start: math.MinInt, Stop: math.MaxInt, Step: math.MinInt}, nd.Range{Start: 5, Stop: -9, Step: -1}}
	case reflect.TypeFor[nd.Pad]():
		return []any{nd.Pad{}, nd.Pad{Mode: 99}, nd.Pad{Mode: nd.PadReflect}, nd.Pad{Value: "x"}}
	case reflect.TypeFor[nd.Margin]():
		return []any{nd.Margin{}, nd.Margin{Before: -1}, nd.Margin{After: math.MaxInt}, nd.Margin{Before: 40, After: 2}}
	case reflect.TypeFor[nd.FFT]():
		return []any{nd.FFT{}, nd.FFT{N: -1}, nd.FFT{N: math.MaxInt}, nd.FFT{Axis: nd.Axis(9)}, nd.FFT{Norm: 77}}
	case reflect.TypeFor[nd.Butterfly]():
		return []any{nd.Butterfly{}, nd.Butterfly{Spans: []int{}}, nd.Butterfly{Spans: []int{-1}, From: []int{0, 0}}, nd.Butterfly{To: []int{7}}}
	case reflect.TypeFor[nd.FFTN]():
		return []any{nd.FFTN{}}
	case reflect.TypeFor[int]():
		return []any{0, 1, -1, 2, 7, math.MaxInt, math.MinInt, math.MaxInt>>23 + 1}
	}
	return []any{reflect.Zero(t).Interface()}
}

func value(t reflect.Type, v any) reflect.Value {
	if v == nil {
		return reflect.Zero(t)
	}
	return reflect.ValueOf(v)
}

// calls gives argument lists for a method: each odd argument once in every
// position, the others taking turns.
func calls(m reflect.Type) [][]reflect.Value {
	var lists [][]reflect.Value
	in := make([]reflect.Type, 0, m.NumIn()+1)
	for i := range m.NumIn() {
		in = append(in, m.In(i))
	}
	if m.IsVariadic() {
		last := in[len(in)-1].Elem()
		in = in[:len(in)-1]
		lists = append(lists, calls(reflect.FuncOf(in, nil, false))...)
		in = append(in, last, last)
	}
	most := 1
	for _, t := range in {
		most = max(most, len(odd(t)))
	}
	for turn := range most * max(len(in), 1) {
		var args []reflect.Value
		for i, t := range in {
			choices := odd(t)
			args = append(args, value(t, choices[(turn/(i+1)+i)%len(choices)]))
		}
		lists = append(lists, args)
	}
	return lists
}

// Every method of Array, with odd arguments and on odd arrays, gives a value
// or a typed error. What it gives can be evaluated, or says why not.
func TestEveryMethodSurvives(t *testing.T) {
	testdevice.NotOnGPU(t, "a GPU would compile thousands of kernels for arrays of six numbers")
	broken := nd.Ones(nd.Float32, 2, 3).Reshape(4)
	receivers := map[string]*nd.Array{
		"nil":     nil,
		"broken":  broken,
		"float32": nd.Ones(nd.Float32, 2, 3),
		"int64":   nd.Ones(nd.Int64, 2, 3),
		"complex": nd.Ones(nd.Complex128, 2, 3),
		"bool":    nd.Ones(nd.Bool, 2, 3),
		"half":    nd.Ones(nd.Float16, 2, 3),
		"empty":   nd.Zeros(nd.Float32, 2, 0),
		"scalar":  nd.Scalar(1.5),
		"nan":     nd.Full(math.NaN(), nd.Float64, 2, 3),
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	for name, receiver := range receivers {
		for i := range arrayType.NumMethod() {
			method := arrayType.Method(i)
			if method.Name == "Release" || method.Name == "Donate" {
				continue // they consume the receiver and are tested below
			}
			f := reflect.ValueOf(receiver).Method(i)
			for _, args := range calls(f.Type()) {
				describe := func() string {
					var b strings.Builder
					for _, a := range args {
						b.WriteString(" ")
						if a.Type() == arrayType {
							b.WriteString(a.Interface().(*nd.Array).String())
						} else {
							b.WriteString(reflect.Indirect(a).String())
						}
					}
					return method.Name + " of " + name + b.String()
				}
				func() {
					defer func() {
						if r := recover(); r != nil {
							t.Errorf("%s panics: %v", describe(), r)
						}
					}()
					for _, out := range f.Call(args) {
						a, ok := out.Interface().(*nd.Array)
						if !ok {
							continue
						}
						checkOutcome(t, ctx, a, receiver == nil || receiver == broken, describe)
					}
				}()
			}
		}
	}
}

func checkOutcome(t *testing.T, ctx context.Context, a *nd.Array, mustFail bool, describe func() string) {
	err := a.Err()
	var op *nd.OpError
	switch {
	case err == nil && mustFail:
		t.Errorf("%s gives %v, want an error", describe(), a)
	case err != nil && !errors.As(err, &op):
		t.Errorf("%s: error %v is no *nd.OpError", describe(), err)
	case err != nil && (op.Op == "" || !strings.Contains(op.Site, "_test.go") && !strings.Contains(op.Site, "reflect")):
		t.Errorf("%s: error %v does not say where it is from: %q", describe(), err, op.Site)
	case err == nil && a.Len() <= 1<<16:
		var index *nd.IndexError
		if err := nd.Eval(ctx, a); err != nil && !errors.As(err, &index) {
			t.Errorf("%s: eval of %v: %v", describe(), a, err)
		}
	}
}

// Functions of several arrays take nil and broken ones as calmly.
func TestFunctionsSurvive(t *testing.T) {
	x, broken := nd.Ones(nd.Float32, 2, 3), nd.Ones(nd.Float32, 2, 3).Reshape(5)
	for name, a := range map[string]*nd.Array{
		"concat nothing": nd.Concat(0), "concat nil": nd.Concat(0, x, nil), "concat broken": nd.Concat(0, broken, x),
		"stack nothing": nd.Stack(0), "stack nil": nd.Stack(0, nil), "stack axis": nd.Stack(7, x),
		"where nil": nd.Where(nil, x, x), "where dtype": nd.Where(x, x, x), "complex nil": nd.Complex(x, nil),
		"zeros negative": nd.Zeros(nd.Float32, -1), "zeros overflow": nd.Zeros(nd.Float64, math.MaxInt, 2),
		"ones dtype": nd.Ones(nd.DType(99), 2), "full nil": nd.Full(nil, nd.Float32, 2), "full overflow": nd.Full(300, nd.Uint8, 2),
		"linspace": nd.Linspace(0.0, 1, -2), "arange step": nd.Arange(0.0, 1, 0), "arange nan": nd.Arange(0, math.NaN(), 1),
		"arange huge": nd.Arange(0, 1e300, 1e-300), "eye": nd.Eye(nd.Float32, -3), "full like nil": nd.FullLike(nil, 1),
		"uniform int": nd.Uniform(1, nd.Int32, 3), "randint empty": nd.Randint(1, 5, 5, nd.Int32, 3), "permutation": nd.Permutation(1, -1),
	} {
		var op *nd.OpError
		if !errors.As(a.Err(), &op) {
			t.Errorf("%s: %v, want an *nd.OpError", name, a)
		}
	}
	for _, parts := range [][]*nd.Array{nd.Split(nil, 2, 0), nd.Split(x, 0, 0), nd.Split(x, 2, 5), nd.Split(x, math.MaxInt, 0)} {
		for _, p := range parts {
			if p.Err() == nil {
				t.Errorf("split gives %v", p)
			}
		}
	}
	ctx := context.Background()
	if err := nd.Eval(ctx, x, nil); err == nil {
		t.Error("eval of nil passes")
	}
	if err := nd.Eval(ctx); err != nil {
		t.Errorf("eval of nothing: %v", err)
	}
	if err := nd.Eval(ctx, x, broken); !errors.Is(err, broken.Err()) {
		t.Errorf("eval of a broken array: %v, want what it carries, %v", err, broken.Err())
	}
	if err := nd.Async(nil).Wait(ctx); err == nil {
		t.Error("async of nil passes")
	}
	if _, err := nd.Slice[float64](ctx, x); err == nil {
		t.Error("float32 elements were read as float64")
	}
	if _, err := nd.Item[float32](ctx, x); err == nil {
		t.Error("six elements were read as one")
	}
	if _, err := nd.Slice[float32](ctx, nil); err == nil {
		t.Error("elements of nil were read")
	}
}

func TestUseAfterRelease(t *testing.T) {
	ctx := context.Background()
	x := nd.From([]float32{1, 2, 3})
	y := x.AddScalar(1)
	if err := nd.Eval(ctx, y); err != nil {
		t.Fatal(err)
	}
	late := y.MulScalar(2)
	y.Release()
	y.Release()
	for name, a := range map[string]*nd.Array{"itself": y, "built before": late, "built after": y.AddScalar(1)} {
		if _, err := nd.Slice[float32](ctx, a); !errors.Is(err, nd.ErrReleased) {
			t.Errorf("%s: %v, want ErrReleased", name, err)
		}
	}
	if got, err := nd.Slice[float32](ctx, x); err != nil || got[2] != 3 {
		t.Errorf("what it was made from: %v, %v", got, err)
	}
	(*nd.Array)(nil).Release()
}

func TestClosedDevice(t *testing.T) {
	dev, err := nd.Open("null")
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	stream := dev.Stream()
	x := nd.Ones(nd.Float32, 4).On(stream).AddScalar(1)
	if err := nd.Eval(ctx, x); err != nil {
		t.Fatal(err)
	}
	if err := x.Add(nd.Ones(nd.Float32, 4)).Err(); err == nil || !strings.Contains(err.Error(), "null and "+nd.CPU().Name()+": move one") {
		t.Errorf("operands on two devices: %v", err)
	}
	y := x.MulScalar(3)
	if err := dev.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := nd.Slice[float32](ctx, x); !errors.Is(err, nd.ErrClosed) {
		t.Errorf("read of an array of a closed device: %v, want ErrClosed", err)
	}
	if err := nd.Eval(ctx, y); !errors.Is(err, nd.ErrClosed) {
		t.Errorf("eval: %v, want ErrClosed", err)
	}
	if err := nd.Ones(nd.Float32, 2).On(stream).Err(); !errors.Is(err, nd.ErrClosed) {
		t.Errorf("on a stream of a closed device: %v, want ErrClosed", err)
	}
	if _, err := dev.NewStream(); !errors.Is(err, nd.ErrClosed) {
		t.Errorf("new stream: %v, want ErrClosed", err)
	}
	if _, err := nd.Open("abacus"); err == nil || !strings.Contains(err.Error(), "abacus") {
		t.Errorf("open of a device that is not there: %v", err)
	}
}

func TestCancelledContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	x := nd.Ones(nd.Float32, 1000).AddScalar(1).Sum()
	if err := nd.Eval(ctx, x); !errors.Is(err, context.Canceled) {
		t.Errorf("eval under a cancelled context: %v", err)
	}
	if _, err := nd.Slice[float32](ctx, x); !errors.Is(err, context.Canceled) {
		t.Errorf("slice under a cancelled context: %v", err)
	}
	if got, err := nd.Item[float32](context.Background(), x); err != nil || got != 2000 {
		t.Errorf("and again without: %v, %v", got, err)
	}
	if err := nd.Async(nd.Ones(nd.Float32, 10).AddScalar(2)).Wait(ctx); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("wait under a cancelled context: %v", err)
	}
}

// One graph, evaluated and extended from many goroutines at once.
func TestEvalFromManyGoroutines(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	stream, err := nd.CPU().NewStream()
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	for range 20 {
		base := nd.Arange[float32](0, 1000, 1)
		shared := base.MulScalar(2).On(stream).AddScalar(1)
		total := shared.Sum()
		var wg sync.WaitGroup
		for g := range 16 {
			wg.Go(func() {
				switch g % 4 {
				case 0:
					if err := nd.Eval(ctx, total, shared); err != nil {
						t.Error(err)
					}
				case 1:
					if v, err := nd.Item[float32](ctx, total); err != nil || v != 1e6 {
						t.Errorf("sum is %v, %v", v, err)
					}
				case 2:
					own := shared.MulScalar(g).Max()
					if v, err := nd.Item[float32](ctx, own); err != nil || v != float32(g*1999) {
						t.Errorf("max is %v, %v", v, err)
					}
				case 3:
					if err := nd.Async(shared, total).Wait(ctx); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
	}
}

// A failure while running reaches what depends on it, with the operation's
// name, and nothing else.
func TestFailureWhileRunning(t *testing.T) {
	ctx := context.Background()
	x := nd.Arange[float32](0, 10, 1)
	bad := x.Take(nd.From([]int64{1, 99}), 0)
	after, beside := bad.AddScalar(1), x.AddScalar(1)
	err := nd.Eval(ctx, after, beside)
	var index *nd.IndexError
	var op *nd.OpError
	if !errors.As(err, &index) || index.Index != 99 || index.Len != 10 {
		t.Errorf("index 99 of 10: %v", err)
	}
	if !errors.As(err, &op) || op.Op != "take" {
		t.Errorf("%v does not name the operation take", err)
	}
	if got, err := nd.Slice[float32](ctx, beside); err != nil || got[9] != 10 {
		t.Errorf("the array beside it: %v, %v", got, err)
	}
	if _, err := nd.Slice[float32](ctx, after); !errors.As(err, &index) {
		t.Errorf("evaluated again: %v", err)
	}
}
