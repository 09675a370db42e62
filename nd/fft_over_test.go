package nd

import (
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
)

// Columns are written over their operand unless it is wanted, too: both ways give the same bits.
func TestColumnsOverTheirOperand(t *testing.T) {
	testdevice.NotOnGPU(t, "only the CPU transforms columns in place")
	for _, shape := range [][]int{{1, 7, 5}, {3, 64, 33}, {2, 1000, 130}, {60, 31, 8}} {
		x := Complex(Normal(1, Float32, shape...), Normal(2, Float32, shape...))
		if err := Eval(t.Context(), x); err != nil {
			t.Fatal(err)
		}
		build := func() (rows, columns *Array) {
			rows = x.FFT()
			return rows, rows.FFT(FFT{Axis: Axis(1)}).IFFT(FFT{Axis: Axis(0)})
		}
		_, alone := build()
		p, err := Explain(alone)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(p.String(), "stored in place"); n != 2 {
			t.Errorf("%v: %d of 2 transforms of columns in place\n%s", shape, n, p)
		}
		rows, both := build()
		if err := Eval(t.Context(), rows, both); err != nil {
			t.Fatal(err)
		}
		want, got := bitsOf(t, both.Real()), bitsOf(t, alone.Real())
		if !slices.Equal(got, want) {
			t.Errorf("%v: other bits", shape)
		}
		if !slices.Equal(bitsOf(t, rows.Real()), bitsOf(t, x.FFT().Real())) {
			t.Errorf("%v: rows that are wanted were overwritten", shape)
		}
	}
}
