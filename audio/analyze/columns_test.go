package analyze

import "testing"

// TestColumns counts items: whatever their number, every column but the last
// stands for as many, and none is lost.
func TestColumns(t *testing.T) {
	for n := 1; n < 200; n++ {
		c := newColumns(8, func(a *int, inA int, b, inB int) {
			if *a != inA || b != inB {
				t.Fatalf("%d items: %d and %d are said to be %d and %d", n, *a, b, inA, inB)
			}
			*a += b
		})
		for range n {
			c.add(1)
		}
		total := 0
		for i, v := range c.items {
			if total += v; i < len(c.items)-1 && v != c.weight {
				t.Errorf("%d items: column %d has %d, want %d", n, i, v, c.weight)
			}
		}
		if total != n || len(c.items) > 8 || n > 8 && len(c.items) < 5 {
			t.Errorf("%d items: %v", n, c.items)
		}
	}
}
