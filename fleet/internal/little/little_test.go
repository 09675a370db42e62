package little

import (
	"encoding/binary"
	"math"
	"testing"
)

// Numbers are little-endian whatever the machine, and come back as they were.
func TestBytesAndBack(t *testing.T) {
	defer func(was bool) { native = was }(native)
	want := []float32{1, -2.5, float32(math.Inf(1)), 0}
	b := Bytes(want)
	for i, v := range want {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])); got != v {
			t.Errorf("number %d is %g, want %g", i, got, v)
		}
	}
	for _, native = range []bool{true, false} {
		b, got := Bytes(want), make([]float32, len(want))
		if err := Read(got, func(dst []byte) error { copy(dst, b); return nil }); err != nil {
			t.Fatal(err)
		}
		for i, v := range want {
			if got[i] != v {
				t.Errorf("native %v: %g came back as %g", native, v, got[i])
			}
		}
	}
	native = false
	if b := Bytes([]int64{1}); b[7] != 1 {
		t.Errorf("turned around, 1 is % x", b)
	}
	if Bytes[float64](nil) != nil && len(Bytes[float64](nil)) != 0 {
		t.Error("no numbers have bytes")
	}
}
