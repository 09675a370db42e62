package nd

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
)

// TestGradHistory evaluates arrays before Grad: an error exactly where a part of
// the gradient would be missing.
func TestGradHistory(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	eval := func(a *Array) *Array {
		if err := Eval(ctx, a); err != nil {
			t.Fatal(err)
		}
		return a
	}
	data := func() *Array { return From([]float64{1, 2, 3}) }
	other, err := CPU().NewStream()
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	dev, err := Open("null")
	if err != nil {
		t.Fatal(err)
	}
	there := func(a *Array) *Array { return a.On(dev.Stream()) }
	tests := []struct {
		name string
		loss func() (loss, wrt *Array)
		gone bool
	}{
		{"the loss", func() (*Array, *Array) { w := data(); return eval(w.Mul(w).Sum()), w }, true},
		{"a value inside", func() (*Array, *Array) { w := data(); return eval(w.Exp()).Sum(), w }, true},
		{"one way of two", func() (*Array, *Array) { w := data(); return eval(w.Exp()).Sum().Add(w.Sum()), w }, true},
		{"twice", func() (*Array, *Array) { w := data(); return eval(eval(w.Exp()).Sin()).Sum(), w }, true},
		{"by a lazy array", func() (*Array, *Array) { w := data().Exp(); return eval(w.Sin()).Sum(), w }, true},
		{"by zeros", func() (*Array, *Array) { w := Zeros(Float64, 3); return eval(w.Sin()).Sum(), w }, true},
		{"by random numbers", func() (*Array, *Array) { w := Normal(1, Float64, 3); return eval(w.Sin()).Sum(), w }, true},
		{"by random numbers seen from a stream", func() (*Array, *Array) { w := Normal(1, Float64, 3); return eval(w.On(other).Sin()).Sum(), w }, true},
		{"random numbers on a stream", func() (*Array, *Array) { w := Normal(1, Float64, 3); return eval(w.On(other)).Sum(), w }, true},
		{"a copy on another device", func() (*Array, *Array) { w := data(); c := there(w); eval(c.Exp()); return c.Sum(), w }, true},
		{"a copy of a value inside", func() (*Array, *Array) { w := data(); c := there(w.Exp()); eval(c.Exp()); return c.Sum(), w }, true},
		{"a copy of a view", func() (*Array, *Array) {
			w := data()
			c := there(w.BroadcastTo(2, 3))
			eval(c.Exp())
			return c.Sum(), w
		}, false},
		{"a view of a view's copy", func() (*Array, *Array) {
			w := data().Reshape(3, 1)
			return there(w.BroadcastTo(2, 3, 1).Transpose()).Sum(), w
		}, false},
		{"behind a copy", func() (*Array, *Array) { w := data(); return eval(there(w).Exp()).Sum(), w }, true},
		{"there and back", func() (*Array, *Array) {
			w := data()
			c := there(w).On(CPU().Stream())
			eval(c.Exp())
			return c.Sum(), w
		}, true},
		{"through a step", func() (*Array, *Array) { w := data(); return eval(w.Floor()).Sum().Add(w.Sum()), w }, true},

		{"random numbers themselves", func() (*Array, *Array) { w := eval(Normal(1, Float64, 3)); return w.Sin().Sum(), w }, false},
		{"other random numbers", func() (*Array, *Array) {
			w := eval(Normal(1, Float64, 3))
			return eval(Normal(1, Float64, 3)).Mul(w).Sum(), w
		}, false},
		{"itself", func() (*Array, *Array) { w := eval(data().Exp()); return w.Sin().Sum(), w }, false},
		{"a constant", func() (*Array, *Array) { w := data(); return eval(data().Exp()).Mul(w).Sum(), w }, false},
		{"a constant made first", func() (*Array, *Array) { c := eval(data().Exp()); w := data(); return c.Mul(w).Sum(), w }, false},
		{"only a constant", func() (*Array, *Array) { w := data(); return eval(data().Exp()).Sum(), w }, false},
		{"a copy of a constant", func() (*Array, *Array) { w := data(); return eval(there(data())).Mul(there(w)).Sum(), w }, false},
		{"by a copy", func() (*Array, *Array) { w := eval(there(data())); return w.Exp().Sum(), w }, false},
		{"stopped", func() (*Array, *Array) { w := data(); return StopGradient(eval(w.Exp())).Mul(w).Sum(), w }, false},
		{"stopped, then evaluated", func() (*Array, *Array) { w := data(); return eval(StopGradient(w.Exp())).Mul(w).Sum(), w }, false},
		{"a condition", func() (*Array, *Array) {
			w := data()
			return Where(eval(w.Exp()).GreaterScalar(5), w, w.Neg()).Sum(), w
		}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			loss, w := tt.loss()
			err := Eval(ctx, Grad(loss, w)...)
			var gone *HistoryError
			if errors.As(err, &gone) != tt.gone {
				t.Fatalf("error %v", err)
			}
		})
	}
}

// TestGradHistoryOfSeveral evaluates arrays together: each has a past of its own.
func TestGradHistoryOfSeveral(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	zeros, random, scaled := Zeros(Float64, 3), Normal(1, Float64, 3), Normal(2, Float64, 3).MulScalar(2)
	derived := scaled.Exp()
	shifted := zeros.AddScalar(1)
	all := []*Array{zeros, random, scaled, derived, shifted}
	if err := Eval(ctx, all...); err != nil {
		t.Fatal(err)
	}
	depends := map[[2]*Array]bool{{derived, scaled}: true, {shifted, zeros}: true}
	for i, of := range all {
		for j, by := range all {
			if of == by {
				continue
			}
			var gone *HistoryError
			err := Grad(of.Mul(by).Sum(), by)[0].Err()
			if errors.As(err, &gone) != depends[[2]*Array{of, by}] {
				t.Errorf("array %d by array %d: %v", i, j, err)
			}
		}
	}
}

// TestGradInLoops has arrays with long pasts: parameters, running averages and
// carried state must not be taken for each other.
func TestGradInLoops(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	w, frozen := From([]float64{3, -2}), From([]float64{1, 1})
	average := Zeros(Float64, 2)
	state := Zeros(Float64, 2)
	for step := range 100 {
		x := Uniform(Key(step), Float64, 2).AddScalar(0.5)
		average = average.MulScalar(0.9).Add(x.MulScalar(0.1))
		if err := Eval(ctx, x, average); err != nil {
			t.Fatal(err)
		}
		next := state.MulScalar(0.5).Add(x.Mul(w))
		loss := next.Sub(average).AbsSquared().Sum().Add(w.AbsSquared().Sum()).Add(frozen.Mul(w).Sum())
		g := Grad(loss, w)[0]
		w, state = w.Sub(g.MulScalar(0.1)), next
		if err := Eval(ctx, w, state); err != nil {
			t.Fatalf("step %d: %v", step, err)
		}
	}
	// The state was computed from the parameters of the step before.
	if err := Eval(ctx, Grad(state.Sum().Add(w.Sum()), w)...); err != nil {
		t.Error(err)
	}
	// It also depends on what never changed, which is one way gone.
	var gone *HistoryError
	if err := Eval(ctx, Grad(state.Mul(frozen).Sum(), frozen)...); !errors.As(err, &gone) {
		t.Errorf("a gradient by an array 100 evaluations ago: %v", err)
	}
}

// TestGradAfterAsync refuses while the evaluation is still under way, too.
func TestGradAfterAsync(t *testing.T) {
	testdevice.NeedsFloat64(t)
	w := From(slices.Repeat([]float64{1}, 1<<16))
	y := w.Exp()
	p := Async(y)
	err := Eval(context.Background(), Grad(y.Sum(), w)...)
	var gone *HistoryError
	if !errors.As(err, &gone) {
		t.Errorf("error %v", err)
	}
	if err := p.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
}

// TestGradOfMovedSources differentiates by arrays that are made from nothing, and
// so are made anew wherever they are asked for.
func TestGradOfMovedSources(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	stream, err := CPU().NewStream()
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	for name, w := range map[string]*Array{"normal": Normal(1, Float64, 3), "uniform": Uniform(2, Float64, 3), "ones": Ones(Float64, 3)} {
		want, err := Slice[float64](ctx, Grad(w.Mul(w).Mul(w).Sum(), w)[0])
		if err != nil {
			t.Fatal(err)
		}
		there := w.On(stream)
		got, err := Slice[float64](ctx, Gradient{Strict: true}.Of(there.Mul(w).Mul(there.On(CPU().Stream())).Sum(), w)[0])
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: gradient %v, %v; want %v", name, got, err, want)
		}
	}
	dev, err := Open("null")
	if err != nil {
		t.Fatal(err)
	}
	w := Normal(3, Float64, 3)
	g := Gradient{Strict: true}.Of(w.On(dev.Stream()).Exp().Sum(), w)[0]
	if err := Eval(ctx, g); err != nil || g.node.Device != w.node.Device {
		t.Errorf("from another device: on device %d, want %d: %v", g.node.Device, w.node.Device, err)
	}
}
