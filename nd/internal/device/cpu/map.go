package cpu

import (
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

const (
	// inlineUpTo is the number of points below which a step is not worth
	// waking another worker for.
	inlineUpTo = 32 << 10

	// streamFrom is the size of an output, in bytes, from which it is written
	// past the caches: several times the second-level cache.
	streamFrom = 8 << 20

	// rowsFrom is the length of a last dimension from which blocks stay
	// inside it. Shorter rows are gathered to fill a block.
	rowsFrom = 256
)

// narrow is the length of the output's last dimension below which tiles of
// operands that lie across would be rows too short to start: blocks then follow
// the operands, and results are scattered. A few lines of a transform that are
// stored side by side are such a map.
const narrow = 64

type mapWork struct {
	code   *code
	points int
}

func (d *Device) compileMap(m *ir.Map) (work, error) { return d.compileMapFor(m, false) }

// compileMapFor compiles a map; apart says that it never writes over an operand.
func (d *Device) compileMapFor(m *ir.Map, apart bool) (work, error) {
	points := ir.Count(m.Dims)
	if points == 0 {
		return nothing{}, nil
	}
	if w := d.compileCopy(m); w != nil {
		return w, nil
	}
	all := layoutsOf(m.Out, m.In, m.Positions)
	dims := ordered(m.Dims, all)
	out, in, positions := all[:len(m.Out)], all[len(m.Out):len(m.Out)+len(m.In)], all[len(m.Out)+len(m.In):]
	outs := make([]output, len(out))
	for i := range outs {
		outs[i] = output{
			layout: out[i],
			value:  m.Value[i],
			mem:    len(m.In) + i,
			stream: points*out[i].size >= streamFrom,
		}
	}
	if across := acrossOf(dims, all[:len(m.Out)+len(m.In)]); across >= 0 {
		if dims[len(dims)-1] >= narrow {
			return d.compileTileMap(m, dims, all, outs, across)
		}
		moveTo(dims, all, across, len(dims)-1)
	}
	if w := d.compileRowProduct(m, dims, all); w != nil {
		return w, nil
	}
	rows := len(dims) < 2 || dims[len(dims)-1] >= rowsFrom
	c, _, err := d.compileCode(&m.Code, codeShape{dims: dims, rows: rows, apart: apart}, in, positions, 0, outs)
	if err != nil {
		return nil, err
	}
	return &mapWork{c, points}, nil
}

func (m *mapWork) run(l *launch) error {
	if m.points <= inlineUpTo {
		m.part(l, l.s, 0, m.points)
		return nil
	}
	per := partPoints(m.points, l.team.size)
	parts := (m.points + per - 1) / per
	return l.team.do(parts, l.s, func(part int, s *scratch) error {
		m.part(l, s, part*per, min((part+1)*per, m.points))
		return nil
	})
}

// part computes the points from p to end.
func (m *mapWork) part(l *launch, s *scratch, p, end int) {
	f := m.code.begin(l, s)
	for p < end {
		n := m.code.blockAt(p, end)
		m.code.compute(f, p, n)
		p += n
	}
}

// partPoints is the size of the parts that points are shared in: enough parts
// to even out, none too small, and cut where no vector is.
func partPoints(points, workers int) int {
	per := max(inlineUpTo, (points+16*workers-1)/(16*workers))
	return (per + 4095) &^ 4095
}

// nothing is the work of a program over an empty space.
type nothing struct{}

func (nothing) run(*launch) error { return nil }
