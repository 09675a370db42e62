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
