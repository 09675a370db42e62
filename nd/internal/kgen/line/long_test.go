package line

import (
	"fmt"
	"math"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// Lines that do not fit on chip, here with little of it.
func TestLongTransforms(t *testing.T) {
	for _, c := range []struct {
		n, most int
		kind    int
		typ     elem.Type
	}{
		{4096, 64, 0, elem.Complex64}, {3600, 64, 1, elem.Complex128}, {4096, 16, 0, elem.Complex64},
		{8192, 64, 2, elem.Complex64}, {7200, 64, 3, elem.Complex64}, {509, 64, 1, elem.Complex64}, {509, 64, 2, elem.Complex64}, {997, 64, 3, elem.Complex64}, {2003, 16, 0, elem.Complex64}, {263, 64, 0, elem.Complex128},
	} {
		k := kinds[c.kind]
		t.Run(fmt.Sprintf("%s/%s/%d of %d", k.name, c.typ, c.n, c.most), func(t *testing.T) {
			t.Parallel()
			// Lines in the middle of others.
			f := transformOf(c.n, 2, k.kind, k.inverse, c.typ)
			f.In.Offset, f.In.Strides[0] = 6, f.InLen+4
			f.Out.Offset, f.Out.Strides[0] = 3, f.OutLen()+1
			for _, target := range []kgen.Target{h200, shader} {
				if !target.Wide && needsWide(f) {
					continue
				}
				m, err := generateLong(f, target, c.most)
				if err != nil {
					t.Fatal(err)
				}
				if !target.Wide {
					checkShaders(t, m)
				}
				off := compareModule(t, m, f, [][]byte{random(f.In.Type, 2*f.InLen+10)}, [][]byte{make([]byte, (2*f.OutLen()+4)*f.Out.Type.Size())})
				if limit := 4 * math.Sqrt(1+math.Log2(float64(c.n))); !(off <= limit) {
					t.Errorf("off by %.3g units, allowed %.3g", off, limit)
				}
			}
		})
	}
}
