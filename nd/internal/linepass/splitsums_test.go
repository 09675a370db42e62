package linepass

import (
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// A sum over what two spectra and a map of them say is a sum of what the map computes,
// and no reduction reads a spectrum.
func TestSumsOfSeveralLines(t *testing.T) {
	found := 0
	for seed := range uint64(400) {
		p := drawLine(seed)
		several := func(p *ir.Line) (n int) {
			for _, s := range p.Stages {
				if r, ok := s.Program.(*ir.Reduce); ok && len(r.In) > 1 {
					n++
				}
			}
			return n
		}
		if several(SplitSpectra(p)) < several(p) {
			found++
		}
	}
	if found == 0 {
		t.Error("no program of 400 has a reduction whose summands a map computes")
	}
}
