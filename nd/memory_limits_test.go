package nd

import (
	"context"
	"errors"
	"runtime"
	"runtime/debug"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cpu"
)

// ownProcessor is a device of this test's only, whose limits nobody else minds.
func ownProcessor(t *testing.T, name string) *Device {
	t.Helper()
	index := engine.Register("cpu:"+name, func() (device.Device, error) { return tuned(cpu.Open(cpu.Options{})), nil })
	d, err := engine.Device(index)
	if err != nil {
		t.Fatal(err)
	}
	own := deviceOf(d)
	t.Cleanup(func() { _ = own.Close() })
	return own
}

// within reports a device that holds more than its limit.
func within(t *testing.T, d *Device, limit int) {
	t.Helper()
	if m := d.Memory(); m.Limit != limit || m.Active+m.Cached > limit {
		t.Fatalf("%d active and %d cached, limit %d: want at most %d", m.Active, m.Cached, m.Limit, limit)
	}
}

func TestMemoryLimitIsKept(t *testing.T) {
	ctx := context.Background()
	d := ownProcessor(t, "limited")
	const limit = 8 << 20
	d.SetMemoryLimit(limit)
	for i := range 12 { // of changing lengths, which fit one by one
		x := Ones(Float32, 100_000+7919*i).On(d.Stream())
		if err := Eval(ctx, x.RFFT().AbsSquared()); err != nil {
			t.Fatalf("%d numbers: %v", 100_000+7919*i, err)
		}
		within(t, d, limit)
	}
	var oom *OutOfMemoryError
	large := func() error { return Eval(ctx, Ones(Float32, 1<<22).On(d.Stream()).AddScalar(1)) }
	if err := large(); !errors.As(err, &oom) || oom.Limit != limit {
		t.Fatalf("16 MiB of 8: %v", err)
	}
	within(t, d, limit)
	if err := Eval(ctx, Ones(Float32, 1000).On(d.Stream()).AddScalar(1)); err != nil {
		t.Errorf("after an error: %v", err)
	}
	d.SetMemoryLimit(0)
	if err := large(); err != nil {
		t.Errorf("without a limit: %v", err)
	}
	// A lower limit takes from what is cached at once.
	d.SetMemoryLimit(limit)
	if m := d.Memory(); m.Cached > limit {
		t.Errorf("%d bytes stay cached under a limit of %d", m.Cached, limit)
	}
}

func TestTrimGivesAllBack(t *testing.T) {
	ctx := context.Background()
	d := ownProcessor(t, "trimmed")
	x := Ones(Float32, 4, 100_003).On(d.Stream())
	y := x.RFFT().AbsSquared().Sum(-1)
	if err := Eval(ctx, y); err != nil {
		t.Fatal(err)
	}
	if m := d.Memory(); m.Cached == 0 || m.Compiled == 0 {
		t.Fatalf("%+v: nothing to give back", m)
	}
	x.Release()
	d.Trim()
	if m := d.Memory(); m.Cached != 0 || m.Compiled != 0 || m.Scratch != 0 {
		t.Errorf("%+v after Trim: want nothing cached, compiled or kept as scratch", m)
	}
	runtime.KeepAlive(y) // collected in between, it would be cached
}

// A device opened under GOMEMLIMIT keeps to three quarters of it.
func TestMemoryLimitOfTheProcess(t *testing.T) {
	const all = 256 << 20
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(all))
	d := ownProcessor(t, "process")
	within(t, d, all/4*3)
	var oom *OutOfMemoryError
	if err := Eval(context.Background(), Ones(Uint8, all).On(d.Stream()).AddScalar(1)); !errors.As(err, &oom) {
		t.Errorf("an array as large as GOMEMLIMIT: %v", err)
	}
}

// Three hundred long lines of awkward lengths under a limit of 64 MB: each has tables of
// ten megabytes, which once added up to 2.1 GB.
func TestManyLengthsUnderALimit(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles transforms of many lengths")
	}
	ctx := context.Background()
	d := ownProcessor(t, "lengths")
	const limit = 64_000_000
	d.SetMemoryLimit(limit)
	before := heap()
	lengths := 30
	if *graphs > defaultGraphs { // of a long run
		lengths = 300
	}
	most := 0
	for i := range lengths {
		x := Ones(Complex64, 99_000+7*i).On(d.Stream())
		if err := Eval(ctx, x.FFT().Sum()); err != nil {
			t.Fatal(err)
		}
		within(t, d, limit)
		m := d.Memory()
		// A quarter of the limit, or the plan used last.
		if m.Compiled > limit/4 && m.Compiled > 12<<20 {
			t.Fatalf("length %d: kernels take %d bytes", 99_000+7*i, m.Compiled)
		}
		if i%20 == 19 {
			most = max(most, heap()-before)
		}
	}
	t.Logf("%d lengths: the heap held %d MiB at most", lengths, most>>20)
	if most > limit {
		t.Errorf("the heap has grown by %d MiB", most>>20)
	}
	d.Trim()
	if m := d.Memory(); m.Compiled != 0 {
		t.Errorf("%d bytes of kernels after Trim", m.Compiled)
	}
	if left := heap() - before; left > 8<<20 {
		t.Errorf("%d MiB of heap after Trim", left>>20)
	}
}
