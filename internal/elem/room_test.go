package elem

import (
	"bytes"
	"runtime"
	"testing"
)

// Memory that is not cleared belongs to its slice alone, and stays while that does.
func TestRoom(t *testing.T) {
	for _, n := range []int{0, 1, roomFrom/8 - 1, roomFrom / 8, roomFrom/8 + 3} {
		a, b := Room[float64](n), Room[float64](n)
		if len(a) != n || len(b) != n {
			t.Fatalf("%d and %d elements, want %d", len(a), len(b), n)
		}
		for i := range a {
			a[i], b[i] = float64(i), -float64(i)
		}
		runtime.GC()
		for range 4 {
			clear(Room[float64](n))
		}
		for i := range a {
			if a[i] != float64(i) || b[i] != -float64(i) {
				t.Fatalf("%d elements: %g and %g at %d", n, a[i], b[i], i)
			}
		}
	}
}

func TestClone(t *testing.T) {
	for _, n := range []int{0, 1, clonePart, 3*clonePart + 7} {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(i * 31 >> 3)
		}
		c := Clone(b)
		if !bytes.Equal(b, c) {
			t.Fatalf("%d bytes are not copied", n)
		}
		if n > 0 {
			if c[n-1]++; b[n-1] == c[n-1] {
				t.Errorf("%d bytes are shared", n)
			}
		}
	}
}
