package nd

import (
	"fmt"
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
)

// Butterfly is the options of a product of butterfly factors. The zero value
// is as many factors as a radix-2 transform has, pairs of neighbours first,
// in the order of the line.
type Butterfly struct {
	Spans []int // how far apart each factor's pairs are; nil: 1, 2, 4, ... n/2
	From  []int // element i of the line is taken from place From[i]; nil: as it is
	To    []int // element i of the product goes to place To[i]; nil: as it is
}

// Butterfly multiplies the lines along the last axis, whose length n is a power
// of two, by a product of sparse factors. Factor f mixes the pairs of elements
// i and j = i+h that are h = Spans[f] apart:
//
//	v[i], v[j] = w[f,0,0,p]*v[i] + w[f,0,1,p]*v[j], w[f,1,0,p]*v[i] + w[f,1,1,p]*v[j]
//
// where p counts the pairs from 0 to n/2-1 in the order of i. So w has the
// shape (factors, 2, 2, n/2). A radix-2 FFT is such a product, of log2(n)
// factors after a bit reversal; with w learned it is a butterfly network.
func (a *Array) Butterfly(w *Array, opt ...Butterfly) *Array {
	if bad := unusable("butterfly", a, w); bad != nil {
		return bad
	}
	var o Butterfly
	switch len(opt) {
	case 0:
	case 1:
		o = opt[0]
	default:
		return failed("butterfly", fmt.Errorf("%d options given, want one", len(opt)), a, w)
	}
	attr := graph.ButterflyAttr{Spans: slices.Clone(o.Spans), From: slices.Clone(o.From), To: slices.Clone(o.To)}
	if o.Spans == nil {
		for h := 1; h < a.Dim(-1); h *= 2 {
			attr.Spans = append(attr.Spans, h)
		}
	}
	n, err := graph.NewButterfly(a.node, w.node, attr)
	return built("butterfly", n, err, a, w)
}
