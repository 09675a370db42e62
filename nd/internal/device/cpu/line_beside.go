package cpu

import (
	"slices"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/transform"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/linepass"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Lines may lie side by side on chip instead of one after the other: element e
// of line l of a tile at e*tile+l. A line is then a lane of the vectors, a
// transform has no shuffles, and frames that begin at every sample are rows of
// the signal as they are.

const (
	// besideBytes is how much the lines of a tile take on chip: a first-level
	// cache of 48 KiB and a little more, since not all of it is in use at once.
	// A frame loss, 64 lines in a tile, takes 3% longer with 30 KiB, because tiles
	// start oftener, and 15% with 20 KiB.
	besideBytes = 60 << 10

	// complexExchange is how many real numbers take as long to bring on chip as
	// a complex one.
	complexExchange = 5
)

// worthExchanging is how many numbers a line may bring on chip, or store, that
// do not lie side by side in memory, for each transform of n: those have to be
// transposed. Shorter transforms gain whatever they have; one of 64 saves 33 ns,
// and a number costs 0.45.
func worthExchanging(n int) int {
	if n < mostBeside {
		return 1 << 20
	}
	return 72
}

// besidePlanes restates a program for lines that lie side by side, and says how
// many are a tile. It gives nil where one after the other is better or the only
// way.
func (d *Device) besidePlanes(p *ir.Line) (*ir.Line, int) {
	lanes := transform.Target[complex64](d.level).Lanes
	n := len(p.Outer)
	if lanes == 1 || n == 0 || p.Outer[n-1] < lanes {
		return nil, 0
	}
	worth := 0
	for _, s := range p.Stages {
		if f, ok := s.Program.(*ir.FFT); ok {
			times := 1
			if s.Each {
				times = p.Segments
			}
			worth += times * worthExchanging(f.N)
			if f.N > mostBeside || !f.Plain() || d.newBeside(f, lanes) == nil {
				return nil, 0
			}
		}
	}
	if worth == 0 {
		return nil, 0
	}
	planes, exchanges := linepass.Planes(p)
	if planes == nil || exchanges.Real+complexExchange*exchanges.Complex > worth {
		return nil, 0
	}
	planes = linepass.Windows(planes, func(f *ir.FFT) bool { return d.newBeside(f, lanes).Windows() })
	planes = linepass.JoinMaps(planes)
	most := besideBytes / max(planes.LocalBytes(), 1) / lanes * lanes
	return planes, max(lanes, min(most, mostLines, p.Outer[n-1]/lanes*lanes))
}

// compileSpreads finds room for shared slots behind that of the tiles.
func (d *Device) compileSpreads(w *lineWork) error {
	for i := range w.p.Shared {
		s := &w.p.Shared[i]
		for _, slot := range s.Writes {
			at := &w.p.Slots[slot]
			w.base[slot] = w.memory
			w.memory += (w.tile*at.Len*at.Type.Size() + alignment - 1) &^ (alignment - 1)
		}
		work, err := d.compileBesideStage(w, s.Program, s.Reads, s.Writes, w.tile)
		if err != nil {
			return err
		}
		w.spreads = append(w.spreads, spread{work, s})
	}
	return nil
}

// besideFFT is a transform of the lines of a tile.
type besideFFT struct {
	plan    besidePlan
	inverse bool
	size    int // bytes of a row
	offset  [2]int
}

func (f *besideFFT) run(l *launch) error {
	in, out := f.offset[0]*f.size, f.offset[1]*f.size
	work := l.s.pointer(f.plan.WorkBytes())
	if f.inverse {
		f.plan.Run(unsafe.Add(l.mem[2], out), unsafe.Add(l.mem[0], in), unsafe.Add(l.mem[1], in), work)
	} else {
		f.plan.Run(unsafe.Add(l.mem[0], in), unsafe.Add(l.mem[1], out), unsafe.Add(l.mem[2], out), work)
	}
	return nil
}

// besideReduce combines the rows of a slot into one, in the order in which the
// same reduction of a line adds up its elements.
type besideReduce struct {
	fold  fold
	op    ir.ReduceOp
	rows  int
	lanes int // running sums of a line
	tile  int
	out   int // offset of the result, in bytes
	lines int // that have one
}

func (r *besideReduce) run(l *launch) error {
	x, row, out := l.mem[0], r.tile*r.fold.size, unsafe.Add(l.mem[1], r.out)
	at := func(k int) unsafe.Pointer { return unsafe.Add(x, k*row) }
	if r.op != ir.Sum { // any order will do
		for k := 1; k < r.rows; k++ {
			r.fold.add(x, at(k), r.tile, k)
		}
		copy(slice[byte](out, r.lines*r.fold.size), slice[byte](x, row))
		return nil
	}
	n := min(r.rows, r.lanes)
	for k := r.lanes; k < r.rows; k += r.lanes {
		r.fold.add(x, at(k), min(r.lanes, r.rows-k)*r.tile, 0)
	}
	for half := r.lanes / 2; half > 0; half /= 2 {
		if n > half {
			r.fold.add(x, at(half), (n-half)*r.tile, 0)
			n = half
		}
	}
	// The running sums of a line begin with +0, and so never are -0.
	r.fold.none(out, r.lines)
	r.fold.add(out, x, r.lines, 0)
	return nil
}

// compileBesideStage compiles a stage for some lines of a tile.
func (d *Device) compileBesideStage(w *lineWork, p ir.Program, reads, writes []ir.SlotID, lines int) (work, error) {
	switch p := p.(type) {
	case *ir.FFT:
		if p.Window != nil {
			return d.compileWindowed(w, p, reads, writes, lines), nil
		}
		return &besideFFT{plan: d.newBeside(p, w.tile), inverse: p.Kind == ir.FFTRealInverse,
			size: w.tile * p.In.Type.Real().Size(), offset: [2]int{p.In.Offset, p.Out.Offset}}, nil
	case *ir.Reduce:
		t := w.p.Slots[reads[0]].Type
		f, ok := foldOf(d.vec, p.Op, t)
		if !ok {
			return nil, unsupported(p, p.Op.String())
		}
		r := &besideReduce{f, p.Op, p.Dims[0], runningSumBytes / t.Size(), w.tile, p.Out.Offset * f.size, lines}
		if w.onChip(writes[0]) {
			r.out *= w.tile
		}
		return r, nil
	}
	m := *p.(*ir.Map)
	over := func(list []ir.Operand, slots []ir.SlotID) []ir.Operand {
		out := make([]ir.Operand, len(list))
		for i, o := range list {
			s := &w.p.Slots[slots[i]]
			if w.onChip(slots[i]) {
				row := w.row(slots[i])
				o.Offset, o.Strides = o.Offset*row, []int{o.Strides[0] * row, 1}
			} else {
				o.Strides = []int{o.Strides[0], s.Strides[len(s.Strides)-1]}
			}
			out[i] = o
		}
		return out
	}
	m.Dims, m.In, m.Out = []int{m.Dims[0], lines}, over(m.In, reads), over(m.Out, writes)
	positions := lists.Map(m.Positions, func(o ir.Operand) ir.Operand {
		return ir.Operand{Type: o.Type, Offset: o.Offset, Strides: []int{o.Strides[0], 0}}
	})
	m.Positions = positions
	// What is on chip at the same time has places of its own.
	apart := true
	for _, slot := range writes {
		apart = apart && w.onChip(slot) && !slices.Contains(reads, slot)
	}
	return d.compileMapFor(&m, apart)
}

// runningSumBytes is how much the running sums of a line take: see the sums of
// package vec.
const runningSumBytes = 256
