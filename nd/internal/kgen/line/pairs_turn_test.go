package line

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/simulate"
)

// Samples that are loaded and stored as words of two have the results of those that are accessed one
// by one, as they are where lines begin at odd places.
func TestTurnedPairs(t *testing.T) {
	const batch, channels, lines, half = 4, 2, 8, elem.BFloat16
	for _, l := range []int{1024, 2048} {
		samples := operandsOf(half, batch, channels, l, 2*l-2, false, 1)
		var want []byte
		for _, c := range []struct {
			name    string
			in, out int // elements between lines
			turns   int
		}{{"both", 0, 0, 2}, {"loads", 0, 1, 1}, {"stores", 1, 0, 1}, {"none", 1, 3, 0}, {"far", 2, 4, 2}} {
			t.Run(fmt.Sprintf("%d/%s", l, c.name), func(t *testing.T) {
				p := inQuarterHalves(half, batch, channels, l, false)
				p.Slots[0].Strides, p.Slots[6].Strides = []int{channels * (l + c.in), l + c.in}, []int{channels * (l + c.out), l + c.out}
				m, err := Generate(p, h200)
				if err != nil {
					t.Fatal(err)
				}
				held := l / m.Kernels[len(m.Kernels)-1].Threads
				turned := c.turns * held
				if held < 32 {
					turned = 0 // more than a warp has the line
				}
				if got := strings.Count(textOf(m), "= tw::simd_turn("); got != turned {
					t.Errorf("%d words turned, want %d", got, turned)
				}
				reads := append([][]byte{make([]byte, 2*lines*(l+c.in))}, samples[1:]...)
				for i := range lines {
					copy(reads[0][2*i*(l+c.in):], samples[0][2*i*l:2*(i+1)*l])
				}
				out := make([]byte, 2*lines*(l+c.out))
				if _, err := simulate.Run(m, reads, [][]byte{out}, nil, true); err != nil {
					t.Fatal(err)
				}
				var got []byte
				for i := range lines {
					got = append(got, out[2*i*(l+c.out):2*(i*(l+c.out)+l)]...)
				}
				if want == nil {
					want = got
				}
				if !bytes.Equal(got, want) {
					t.Error("results differ")
				}
			})
		}
	}
}
