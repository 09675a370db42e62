package nd

import (
	"context"
	"errors"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device/null"
)

// TestBesideCopiesOnce builds and evaluates the same graph again and again: its
// window comes to the device once, and nothing is copied back to the host.
func TestBesideCopiesOnce(t *testing.T) {
	ctx := context.Background()
	dev, err := Open("null")
	if err != nil {
		t.Fatal(err)
	}
	log := dev.d.Driver().(*null.Device)
	x := Normal(1, Float32, 8, 256).On(dev.Stream())
	if err := Eval(ctx, x); err != nil {
		t.Fatal(err)
	}
	for round, want := range []int{1, 0, 0} {
		window := make([]float32, 64)
		window[3] = 0.5
		log.ResetLog()
		if err := Eval(ctx, x.Frames(64, 32).Mul(From(window).Beside(x)).RFFT().AbsSquared().Mean(-2)); err != nil {
			t.Fatal(err)
		}
		copies := 0
		for _, e := range log.Log() {
			if e.Kind == null.Wrote || e.Kind == null.Read {
				copies++
			}
		}
		if copies != want {
			t.Errorf("round %d: %d copies, want %d", round, copies, want)
		}
	}
}

func TestBeside(t *testing.T) {
	dev, err := Open("null")
	if err != nil {
		t.Fatal(err)
	}
	here, there := From([]float32{1, 2}), Zeros(Float32, 2).On(dev.Stream())
	for name, a := range map[string]*Array{
		"host":     From([]float32{3, 4}),
		"computed": here.Exp(),
		"made":     Ones(Float32, 2),
		"random":   Normal(1, Float32, 2),
	} {
		for where, other := range map[string]*Array{"here": here, "there": there} {
			got, want := a.Beside(other), other.node.Device
			if got.Err() != nil || got.node.Device != want {
				t.Errorf("%s %s: device %d, want %d: %v", name, where, got.node.Device, want, got.Err())
			}
		}
	}
	if here.Exp().Beside(nil).Err() == nil || (*Array)(nil).Beside(here).Err() == nil {
		t.Error("beside nothing")
	}
	released := From([]float32{5})
	released.Release()
	if err := Eval(context.Background(), released.Beside(here).Neg()); !errors.Is(err, ErrReleased) {
		t.Errorf("released: %v", err)
	}
}

// TestViewsMove copies what a view is of and makes the view there, unless that is more.
func TestViewsMove(t *testing.T) {
	dev, err := Open("null")
	if err != nil {
		t.Fatal(err)
	}
	log := dev.d.Driver().(*null.Device)
	other := Zeros(Float32, 2).On(dev.Stream())
	for name, move := range map[string]func(*Array) *Array{
		"on":     func(a *Array) *Array { return a.On(dev.Stream()) },
		"beside": func(a *Array) *Array { return a.Beside(other) },
	} {
		for _, tt := range []struct {
			of   string
			view func(x *Array) *Array
			want int
		}{
			{"frames of a row repeated", func(x *Array) *Array { return x.Frames(8, 1).BroadcastTo(100, 9, 8).Transpose() }, 16 * 4},
			{"a few of many", func(x *Array) *Array { return x.SliceAxis(0, Head(2)) }, 2 * 4},
			{"a result, repeated", func(x *Array) *Array { return x.Exp().BroadcastTo(100, 16) }, 16 * 4},
		} {
			x := make([]float32, 16)
			for i := range x {
				x[i] = float32(i + len(name) + len(tt.of)) // nothing that was copied before
			}
			log.ResetLog()
			if err := Eval(context.Background(), move(tt.view(From(x))).Neg()); err != nil {
				t.Fatal(err)
			}
			copied := 0
			for _, e := range log.Log() {
				if e.Kind == null.Wrote {
					copied += e.Bytes
				}
			}
			if copied != tt.want {
				t.Errorf("%s, %s: %d bytes copied, want %d", name, tt.of, copied, tt.want)
			}
		}
	}
}
