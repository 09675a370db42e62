package nd

import "testing"

// The greatest bins of an averaged spectrum, with their positions, come out of
// the launch that computes it, and are those of one step after the other.
func TestTopKStaysOnChip(t *testing.T) {
	planForTwoCores(t)
	ctx := soon(t)
	for _, dtype := range []DType{Float32, Float64} {
		x := Uniform(Key(1), dtype, 64, 384)
		if err := Eval(ctx, x); err != nil {
			t.Fatal(err)
		}
		power := func() *Array { return x.Frames(256, 128).RFFT().AbsSquared().Mean(1) }
		values, positions := power().TopK(16, -1)
		p, err := Explain(values, positions)
		if err != nil {
			t.Fatal(err)
		}
		read := x.Len() * dtype.Size()
		if p.Launches != 1 || p.DeviceTrafficBytes > read*11/10+p.HostOutputBytes {
			t.Errorf("%d launches, %d bytes for %d of input\n%s", p.Launches, p.DeviceTrafficBytes, read, p)
		}
		all := power()
		if err := Eval(ctx, all); err != nil {
			t.Fatal(err)
		}
		wantValues, wantPositions := all.TopK(16, -1)
		same := values.Equal(wantValues).All().And(positions.Equal(wantPositions).All())
		if got, err := Slice[bool](ctx, same); err != nil || !got[0] {
			t.Errorf("%s: other bins than apart, %v", dtype, err)
		}
	}
}

// Values and positions are results of one sort wherever the elements come from,
// and what nobody asks for is not stored.
func TestTopKIsOneSort(t *testing.T) {
	x := Uniform(Key(1), Float32, 64, 384)
	if err := Eval(soon(t), x); err != nil {
		t.Fatal(err)
	}
	const kept = 64 * 16
	values, positions := x.TopK(16, 1)
	for _, c := range []struct {
		name   string
		arrays []*Array
		bytes  int
	}{{"both", []*Array{values, positions}, kept * (4 + 8)}, {"values", []*Array{values}, kept * 4}, {"positions", []*Array{positions}, kept * 8}} {
		p, err := Explain(c.arrays...)
		if err != nil {
			t.Fatal(err)
		}
		if want := x.Len()*4 + c.bytes; p.Launches != 1 || p.DeviceTrafficBytes != want {
			t.Errorf("%s: %d launches, %d bytes, want 1 and %d\n%s", c.name, p.Launches, p.DeviceTrafficBytes, want, p)
		}
	}
}
