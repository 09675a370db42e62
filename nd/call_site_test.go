package nd

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// here is the line that called it, as sites end.
func here() string {
	_, file, line, _ := runtime.Caller(1)
	return fmt.Sprintf("%s:%d", filepath.Base(file), line)
}

// Errors found while running name the operation that found them, and the line that called it:
// not the line that evaluated, and not what the program that failed has besides.
func TestRunningErrorsNameTheCall(t *testing.T) {
	ctx := soon(t)
	x := Arange[float32](0, 12, 1).Reshape(3, 4)
	in, out := From([]int64{0, 1}), From([]int64{1, 9})
	type failing struct {
		a        *Array
		op, site string
	}
	var all []failing
	add := func(a *Array, op, site string) { all = append(all, failing{a, op, site}) }
	add(x.Take(out, 0), "take", here())
	add(x.Exp().Take(out, 0).AddScalar(1).Sqrt().Sum(), "take", here())
	first := x.Take(in, 0)
	second, site := first.Take(out, 1), here()
	add(second.Mul(second).Mean(), "take", site)
	add(x.Gather(out.Reshape(1, 2), 1).RFFT().AbsSquared(), "gather", here())
	add(x.MulScalar(2).ScatterAdd(out.Reshape(2, 1), Ones(Float32, 2, 4), 0).Neg(), "scatter_add", here())
	taken, site := x.Take(out, 0), here()
	add(Grad(taken.Sum(), x)[0], "gradient of take", site)
	gathered, site := x.Gather(out.Reshape(1, 2), 1), here()
	add(Grad(gathered.Sum(), x)[0], "gradient of gather", site)
	updates := Ones(Float32, 2, 4)
	scattered, site := x.ScatterAdd(out.Reshape(2, 1), updates, 0), here()
	add(Grad(scattered.Mul(x).Sum(), updates)[0], "gradient of scatter_add", site)
	far := Kernel{Name: "far", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: "uint i = thread_position_in_grid.x; y[i] = x[i + 100];"}
	launch := Launch{Inputs: []*Array{x}, Shapes: [][]int{{12}}, Grid: [3]int{12}, Check: true}
	add(far.Call(launch)[0].AddScalar(1), "far", here())

	for _, f := range all {
		for _, evaluate := range []func() error{
			func() error { return Eval(ctx, f.a) },
			func() error { return Async(f.a).Wait(ctx) },
			func() error { _, err := Slice[float32](ctx, f.a.AddScalar(1)); return err },
			func() error { return Look(ctx, f.a, func([]float32) error { return nil }) },
		} {
			var op *OpError
			err := evaluate()
			if errors.Is(err, device.ErrUnsupported) && testdevice.Name() != "" {
				continue // the machine plays no kernels of users
			}
			if !errors.As(err, &op) || op.Op != f.op || filepath.Base(op.Site) != f.site {
				t.Errorf("%v, want the error of %s at %s", err, f.op, f.site)
			}
		}
	}
}

// A compiled function names the line in it, also when its launches are a graph of the device.
func TestCompiledErrorsNameTheCall(t *testing.T) {
	ctx := soon(t)
	var site string
	f := Compile(func(in ...*Array) []*Array {
		y := in[0].Take(in[1], 0)
		_, file, line, _ := runtime.Caller(0)
		site = fmt.Sprintf("%s:%d", filepath.Base(file), line-1)
		return []*Array{y.MulScalar(2).Sum()}
	})
	x := Arange[float32](0, 10, 1)
	for i := range 6 {
		at := int64(2)
		if i%2 == 1 {
			at = 99
		}
		out, err := f.Call(ctx, x, From([]int64{1, at}))
		var op *OpError
		switch {
		case at == 99 && (!errors.As(err, &op) || op.Op != "take" || filepath.Base(op.Site) != site):
			t.Errorf("call %d: %v, want the error of take at %s", i, err, site)
		case at == 2 && (err != nil || len(out) != 1):
			t.Errorf("call %d: %v", i, err)
		}
	}
}

// What was first evaluated by another call has that call's plan, and its own line.
func TestSharedPlansKeepTheirCalls(t *testing.T) {
	ctx := soon(t)
	x, out := Arange[float32](0, 10, 1), From([]int64{99})
	one, first := x.Take(out, 0).Neg(), here()
	two, second := x.Take(out, 0).Neg(), here()
	for _, c := range []struct {
		a    *Array
		site string
	}{{one, first}, {two, second}} {
		var op *OpError
		if err := Eval(ctx, c.a); !errors.As(err, &op) || filepath.Base(op.Site) != c.site {
			t.Errorf("%v, want the line %s", err, c.site)
		}
	}
}
