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
