package signal_test

import (
	"fmt"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/signal"
)

// The inverse of any spectra has SciPy's borders: half a segment cut off at both
// ends, or none.
func TestInverseBorders(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, s := range [][3]int{{16, 8, 16}, {16, 12, 16}, {15, 7, 15}, {15, 10, 16}, {16, 8, 20}, {9, 8, 9}} {
		f := signal.SciPy(s[0], s[1], s[2])
		z := swirls(s[2]/2+1, 7)
		check(t, fmt.Sprintf("istft %d %d %d True", s[0], s[1], s[2]), f.Inverse(z), 1e-12)
		f.Border = signal.BorderNone
		check(t, fmt.Sprintf("istft %d %d %d False", s[0], s[1], s[2]), f.Inverse(z, signal.Inverse{Masked: true}), 1e-12)
	}
}
