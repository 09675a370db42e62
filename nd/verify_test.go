package nd

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cpu"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// verifying sets the fraction for a test.
func verifying(t *testing.T, fraction float64) {
	if err := SetVerify(fraction); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = SetVerify(0) })
}

// miscompiling is a device that is right about one operation and wrong about
// several in one program, as a fault of a fused kernel is.
type miscompiling struct{ device.Device }

func (m miscompiling) Compile(p ir.Program) (device.Kernel, error) {
	if p, ok := p.(*ir.Map); ok {
		var applied []int
		for i, in := range p.Instrs {
			if in.Kind == ir.Apply {
				applied = append(applied, i)
			}
		}
		if i := slices.IndexFunc(applied, func(i int) bool { return p.Instrs[i].Op == scalar.Add }); len(applied) > 1 && i >= 0 {
			wrong := *p
			wrong.Instrs = slices.Clone(p.Instrs)
			wrong.Instrs[applied[i]].Op = scalar.Sub
			return m.Device.Compile(&wrong)
		}
	}
	return m.Device.Compile(p)
}

func TestVerifyFindsAPlantedFault(t *testing.T) {
	index := engine.Register("cpu:miscompiling", func() (device.Device, error) {
		return miscompiling{cpu.Open(cpu.Options{Workers: 1})}, nil
	})
	d, err := engine.Device(index)
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	y := func() *Array {
		x := From([]float32{1, 2, 3, 4, 5, 6, 7, 8}).On(deviceOf(d).Stream())
		return x.MulScalar(3).Add(x).Exp()
	}
	if err := Eval(ctx, y()); err != nil {
		t.Fatalf("the fault is to be silent: %v", err)
	}
	verifying(t, 1)
	before := Verified()
	_, err = Slice[float32](ctx, y())
	var found *VerifyError
	if !errors.As(err, &found) || !strings.HasPrefix(err.Error(), "nd: slice: verify: element ") {
		t.Fatalf("error %v: want a *VerifyError", err)
	}
	if found.Op != "exp" || found.Count == 0 || !strings.Contains(found.Graph, "add") || found.Fused == found.Unfused {
		t.Errorf("%+v: want the operation, the graph and both values", found)
	}
	if after := Verified(); after.Different != before.Different+1 {
		t.Errorf("counts %+v after %+v", after, before)
	}
	// One operation at a time is right, and found to be.
	x := From([]float32{1, 2, 3}).On(deviceOf(d).Stream())
	if err := Eval(ctx, x.Add(x)); err != nil {
		t.Error(err)
	}
}

// Random graphs verify: fused and unfused are the same but for rounding.
func TestVerifyAcceptsWhatIsRight(t *testing.T) {
	testdevice.NeedsFloat64(t)
	verifying(t, 1)
	before := Verified()
	n := 400
	if testing.Short() {
		n = 60
	}
	for seed := range n {
		checkScript(t, randomScript(uint64(seed)))
	}
	after := Verified()
	if after.Same-before.Same < n/2 || after.Different != before.Different {
		t.Errorf("%+v after %+v", after, before)
	}
}

func TestVerifyFraction(t *testing.T) {
	for _, bad := range []float64{-1, 1.5, nan} {
		if err := SetVerify(bad); err == nil || !strings.HasPrefix(err.Error(), "nd: setverify: fraction ") {
			t.Errorf("%v: %v", bad, err)
		}
	}
	verifying(t, 0.1)
	before := Verified()
	for i := range 100 {
		if err := Eval(context.Background(), From([]float32{float32(i)}).Neg()); err != nil {
			t.Fatal(err)
		}
	}
	if n := Verified().Same - before.Same; n < 9 || n > 11 {
		t.Errorf("%d of 100 evaluations were verified, want a tenth", n)
	}
	// A donated array may be overwritten by the evaluation, which is then made once.
	verifying(t, 1)
	x := From([]float32{1, 2, 3}).Neg()
	if err := Eval(context.Background(), x); err != nil {
		t.Fatal(err)
	}
	got, err := Slice[float32](context.Background(), x.Donate().Neg())
	if err != nil || got[2] != 3 {
		t.Errorf("%v, %v", got, err)
	}
}
