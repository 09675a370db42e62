package nd

import (
	"fmt"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
)

func TestGradButterfly(t *testing.T) {
	testdevice.NeedsFloat64(t)
	d := newDraws(11)
	orders := [][]int{nil, {3, 0, 7, 1, 6, 2, 5, 4}}
	for _, spans := range [][]int{nil, {4}, {1}, {4, 2, 1}, {2, 4, 4, 1}} {
		factors := len(spans)
		if spans == nil {
			factors = 3
		}
		for i, from := range orders {
			o := Butterfly{Spans: spans, From: from, To: orders[1-i]}
			mix := func(in []*Array) *Array { return in[0].Butterfly(in[1], o) }
			t.Run(fmt.Sprintf("real %v %d", spans, i), func(t *testing.T) {
				checkGrad(t, mix, d.reals(-1, 1, 2, 8), d.reals(-1, 1, factors, 2, 2, 4))
			})
			t.Run(fmt.Sprintf("complex %v %d", spans, i), func(t *testing.T) {
				checkGrad(t, mix, d.complexes(3, 8), d.complexes(factors, 2, 2, 4))
			})
		}
	}
	t.Run("one line of a view", func(t *testing.T) {
		checkGrad(t, func(in []*Array) *Array {
			return in[0].SliceAxis(0, Range{0, End, 2}).Butterfly(in[1]).AbsSquared()
		}, d.complexes(16), d.complexes(3, 2, 2, 4))
	})
	t.Run("no lines", func(t *testing.T) {
		checkGrad(t, func(in []*Array) *Array { return in[0].Butterfly(in[1]) }, d.reals(-1, 1, 0, 4), d.reals(-1, 1, 2, 2, 2, 2))
	})
}
