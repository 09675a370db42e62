package elem

import (
	"math"
	"testing"
)

// Every binary16 and bfloat16 survives the trip through float32, and the
// midpoint between neighbours goes to the even one.
func TestHalfRoundTrip(t *testing.T) {
	for i := 0; i < 1<<16; i++ {
		h, b := F16(i), BF16(i)
		if f := h.Float32(); f == f {
			if got := F16From(f); got != h {
				t.Fatalf("F16 %#04x -> %g -> %#04x", i, f, uint16(got))
			}
		} else if g := F16From(f).Float32(); g == g {
			t.Fatalf("F16 NaN %#04x became %g", i, g)
		}
		if f := b.Float32(); f == f {
			if got := BF16From(f); got != b {
				t.Fatalf("BF16 %#04x -> %g -> %#04x", i, f, uint16(got))
			}
		} else if g := BF16From(f).Float32(); g == g {
			t.Fatalf("BF16 NaN %#04x became %g", i, g)
		}
	}
}

func TestF16TiesToEven(t *testing.T) {
	for i := uint16(0); i < 0x7bff; i++ { // all finite positive neighbours
		lo, hi := F16(i).Float32(), F16(i+1).Float32()
		mid := (lo + hi) / 2 // exact in float32
		want := F16(i)
		if i&1 == 1 {
			want = F16(i + 1)
		}
		if got := F16From(mid); got != want {
			t.Fatalf("F16From(%g) = %#04x, want %#04x", mid, uint16(got), uint16(want))
		}
		if got := F16From(math.Nextafter32(mid, 0)); got != F16(i) {
			t.Fatalf("just below %g: %#04x, want %#04x", mid, uint16(got), i)
		}
		if got := F16From(math.Nextafter32(mid, 1e9)); got != F16(i+1) {
			t.Fatalf("just above %g: %#04x, want %#04x", mid, uint16(got), i+1)
		}
	}
	for _, c := range []struct {
		in   float32
		want uint16
	}{{65519, 0x7bff}, {65520, 0x7c00}, {1e30, 0x7c00}, {float32(math.Inf(-1)), 0xfc00}, {float32(math.Copysign(0, -1)), 0x8000}, {1e-9, 0}} {
		if got := F16From(c.in); uint16(got) != c.want {
			t.Errorf("F16From(%g) = %#04x, want %#04x", c.in, uint16(got), c.want)
		}
	}
}
