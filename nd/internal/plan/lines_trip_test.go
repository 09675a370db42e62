package plan

import (
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// A transform and its inverse over lines that do not stay on chip are one program
// where the device takes them, with as many maps around them as it takes.
func TestRoundTripsAreOneProgram(t *testing.T) {
	m := maker{t}
	const batch, channels, l = 2, 3, 1 << 10
	x, gate := m.data(elem.Float32, batch, channels, l), m.data(elem.Float32, batch, channels, l)
	h, skip := m.data(elem.Complex64, channels, l+1), m.data(elem.Float32, channels, 1)
	u := m.op(scalar.Mul, x, gate)
	y := m.crop(m.irfft(m.op(scalar.Mul, m.rfft(u, 2*l), h), 2*l), 0, l)
	g := graphOf(m.op(scalar.Add, y, m.op(scalar.Mul, u, skip)))
	for _, c := range []struct {
		name  string
		takes func(p *ir.Line) bool
		steps int
		ffts  []int // of the line programs
	}{
		{"a device that does not", nil, 5, nil},
		{"all of it", func(*ir.Line) bool { return true }, 1, []int{2}},
		{"nothing behind", func(p *ir.Line) bool { return isFFT(p.Stages[len(p.Stages)-1].Program) }, 2, []int{2}},
		{"nothing before", func(p *ir.Line) bool { return isFFT(p.Stages[0].Program) }, 2, []int{2}},
		{"nothing around", func(p *ir.Line) bool { return len(p.Stages) == 3 }, 3, []int{2}},
	} {
		info := chip
		info.LineBytes, info.RoundTrips = 4<<10, c.takes
		p, err := Make(g, info, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var ffts []int
		for _, s := range p.Steps {
			if line, ok := s.Program.(*ir.Line); ok {
				n := 0
				for _, stage := range line.Stages {
					if isFFT(stage.Program) {
						n++
					}
				}
				ffts = append(ffts, n)
			}
		}
		if len(p.Steps) != c.steps || !slices.Equal(ffts, c.ffts) {
			t.Errorf("%s: %d steps, line programs with %v transforms, want %d, %v", c.name, len(p.Steps), ffts, c.steps, c.ffts)
		}
	}
}

func isFFT(p ir.Program) bool {
	_, ok := p.(*ir.FFT)
	return ok
}
