package npy

import (
	"math"
	"testing"
)

func TestHalfRoundTripsEveryPattern(t *testing.T) {
	for i := range 1 << 16 {
		h := Half(i)
		f := h.Float32()
		if f != f {
			if back := NewHalf(f).Float32(); back == back {
				t.Fatalf("%#04x: NaN became %v", i, back)
			}
			continue
		}
		if back := NewHalf(f); back != h {
			t.Fatalf("%#04x is %v, and back %#04x", i, f, uint16(back))
		}
	}
}

// Between two neighbouring halves the middle goes to the even one, and what
// is a hair off the middle to the nearer one.
func TestHalfRounding(t *testing.T) {
	for i := range 0x7bff {
		low, high := Half(i).Float32(), Half(i+1).Float32()
		middle := low + (high-low)/2
		even := Half(i + i&1)
		for _, c := range []struct {
			f    float32
			want Half
		}{
			{middle, even},
			{math.Nextafter32(middle, 0), Half(i)},
			{math.Nextafter32(middle, high), Half(i + 1)},
		} {
			if got := NewHalf(c.f); got != c.want {
				t.Fatalf("NewHalf(%v) = %#04x, want %#04x", c.f, uint16(got), uint16(c.want))
			}
			if got := NewHalf(-c.f); got != c.want|0x8000 {
				t.Fatalf("NewHalf(%v) = %#04x, want %#04x", -c.f, uint16(got), uint16(c.want|0x8000))
			}
		}
	}
	for _, c := range []struct {
		f    float32
		want Half
	}{
		{65504, 0x7bff}, {65519.9, 0x7bff}, {65520, 0x7c00}, {1e30, 0x7c00}, {float32(math.Inf(-1)), 0xfc00}, {1, 0x3c00}, {-2, 0xc000},
	} {
		if got := NewHalf(c.f); got != c.want {
			t.Errorf("NewHalf(%v) = %#04x, want %#04x", c.f, uint16(got), uint16(c.want))
		}
	}
}
