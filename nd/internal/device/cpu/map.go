package cpu

import (
	"slices"
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

type mapWork struct {
	code   *code
	points int

	// over is the code for launches that write over an operand; nil if that makes no difference. Lines that have just
	// been read are in the caches: written past them, they take 1.9 times as long (32 MiB of float32, times two).
	over     *code
	operands int // in memory before results
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
		if dims[len(dims)-1] <= fewPlaces {
			moveTo(dims, all, across, len(dims)-1)
		}
	}
	if w := d.compileRowProduct(m, dims, all); w != nil {
		return w, nil
	}
	rows := len(dims) < 2 || dims[len(dims)-1] >= rowsFrom
	shape := codeShape{dims: dims, rows: rows, apart: apart}
	c, _, err := d.compileCode(&m.Code, shape, in, positions, 0, outs)
	if err != nil {
		return nil, err
	}
	w := &mapWork{code: c, points: points, operands: len(in)}
	if apart || !slices.ContainsFunc(outs, func(o output) bool { return o.stream }) {
		return w, nil
	}
	kept := slices.Clone(outs)
	for i := range kept {
		kept[i].stream = false
	}
	if w.over, _, err = d.compileCode(&m.Code, shape, in, positions, 0, kept); err != nil {
		return nil, err
	}
	return w, nil
}

func (m *mapWork) run(l *launch) error {
	return l.share(m, m.points, partPoints(m.points, l.team.size))
}

// part computes the points from p to end.
func (m *mapWork) part(l *launch, s *scratch, p, end int) error {
	c := m.code
	if m.over != nil && m.overwrites(l) {
		c = m.over
	}
	f := c.begin(l, s)
	for p < end {
		n := c.blockAt(p, end)
		c.compute(f, p, n)
		p += n
	}
	return nil
}

// overwrites reports whether a result is the memory of an operand.
func (m *mapWork) overwrites(l *launch) bool {
	return slices.ContainsFunc(l.mem[m.operands:], func(out unsafe.Pointer) bool { return slices.Contains(l.mem[:m.operands], out) })
}
