package cpu

import (
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

type mapWork struct {
	code   *code
	points int
}

func (d *Device) compileMap(m *ir.Map) (work, error) { return d.compileMapFor(m, false) }

// compileMapFor compiles a map; apart says that it never writes over an operand.
func (d *Device) compileMapFor(m *ir.Map, apart bool) (work, error) {
	points := ir.Count(m.Dims)
	if w := d.compileCopy(m); w != nil {
		return w, nil
	}
	all := layoutsOf(m.Out, m.In, m.Positions)
	dims := ordered(m.Dims, all)
	out, in, positions := all[:len(m.Out)], all[len(m.Out):len(m.Out)+len(m.In)], all[len(m.Out)+len(m.In):]
	outs := lists.Make(len(out), func(i int) output {
		return output{
			layout: out[i],
			value:  m.Value[i],
			mem:    len(m.In) + i,
			stream: points*out[i].size >= streamFrom,
		}
	})
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
	return l.share(m, m.points, partPoints(m.points, l.team.size))
}

// part computes the points from p to end.
func (m *mapWork) part(l *launch, s *scratch, p, end int) error {
	f := m.code.begin(l, s)
	for p < end {
		n := m.code.blockAt(p, end)
		m.code.compute(f, p, n)
		p += n
	}
	return nil
}
