package cpu

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// A network puts the least elements of columns in order, of any lines.
func TestExchanges(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	const lines = 37
	for n := 2; n <= 64; n++ {
		k := vec.For(simd.Active())
		for _, keep := range []int{1, (n + 1) / 2, n - 1, n} {
			b := &together{size: 4, lesser: k.I32.Min, greater: k.I32.Max, steps: exchanges(n, keep)}
			vectors := make([]int32, (2*n+1)*lines)
			want := make([][]int32, lines)
			for i := range n * lines {
				vectors[i] = int32(r.IntN(2 * n))
				want[i%lines] = append(want[i%lines], vectors[i])
			}
			b.sort(unsafe.Pointer(&vectors[0]), lines)
			for line, w := range want {
				slices.Sort(w)
				for i := range keep {
					if got := vectors[(n+i)*lines+line]; got != w[i] {
						t.Fatalf("%d of %d: element %d of line %d is %d, want %d", keep, n, i, line, got, w[i])
					}
				}
			}
		}
	}
}
