package cpu

import (
	"slices"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// overlapSum is an output to which the lines of a program are added where they
// overlap. A worker goes through neighbouring tiles and keeps the stretch that
// its tile reaches on chip; what no later line reaches is stored. Frames are
// added one after the other, so the bits do not depend on the tiles.
//
// A worker begins with the tiles before its own that still reach its part of the
// result, so that nobody waits for a neighbour: they are computed twice.
type overlapSum struct {
	*ir.Overlap
	from, to ir.SlotID
	add      fold
	// diagonals adds whole tiles of lines that lie side by side, or is nil; the
	// rows of the slot then have gaps of zeros between them.
	diagonals func(dst, x unsafe.Pointer, rows, n, step int)
}

func (d *Device) overlapsOf(p *ir.Line) []overlapSum {
	return lists.Map(p.Sums(), func(s ir.Stage) overlapSum {
		o := s.Program.(*ir.Overlap)
		add, _ := foldOf(d.vec, ir.Sum, o.In.Type)
		return overlapSum{Overlap: o, from: s.Reads[0], to: s.Writes[0], add: add}
	})
}

// gap puts zeros between the rows of slots whose lines are added side by side,
// each an element further on. Such a slot keeps its place.
func (d *Device) gap(w *lineWork) {
	for i := range w.overlaps {
		o := &w.overlaps[i]
		if !w.beside || o.Hop != 1 || w.gaps[o.from] != 0 || !onlyAdded(w.p, o.from) {
			continue
		}
		switch o.In.Type {
		case elem.Float32:
			o.diagonals = diagonalKernel(d.vec.F32.AddDiagonals)
		case elem.Float64:
			o.diagonals = diagonalKernel(d.vec.F64.AddDiagonals)
		}
		w.gaps[o.from] = alignment / o.add.size
	}
}

// placeGaps gives slots with gaps their places, behind all others.
func (w *lineWork) placeGaps() {
	for slot, gap := range w.gaps {
		if gap > 0 {
			s := &w.p.Slots[slot]
			w.base[slot] = w.memory + alignment
			w.memory += alignment + w.row(ir.SlotID(slot))*s.Len*s.Type.Size()
		}
	}
}

func diagonalKernel[T float32 | float64](k func(dst, x *T, rows, n, step int)) func(dst, x unsafe.Pointer, rows, n, step int) {
	return func(dst, x unsafe.Pointer, rows, n, step int) { k((*T)(dst), (*T)(x), rows, n, step) }
}

// onlyAdded reports a slot that is written for one sum, by what knows of gaps.
func onlyAdded(p *ir.Line, slot ir.SlotID) bool {
	for _, s := range p.Stages {
		_, isMap := s.Program.(*ir.Map)
		f, isFFT := s.Program.(*ir.FFT)
		isWindowed := isFFT && f.Window != nil
		_, isSum := s.Program.(*ir.Overlap)
		if slices.Contains(s.Writes, slot) && !isMap && !isWindowed || slices.Contains(s.Reads, slot) && !isSum {
			return false
		}
	}
	return true
}

// row is how far the rows of a slot on chip are apart, where lines lie side by
// side.
func (w *lineWork) row(slot ir.SlotID) int { return w.tile + w.gaps[slot] }

// clearGaps makes the gaps of a worker's slots zero.
func (r *lineRun) clearGaps() {
	w := r.w
	for slot, gap := range w.gaps {
		if gap > 0 {
			s := &w.p.Slots[slot]
			clear(slice[byte](unsafe.Add(r.chip, w.base[slot]-alignment), alignment+w.row(ir.SlotID(slot))*s.Len*s.Type.Size()))
		}
	}
}

// frameTiles is how many tiles the frames of one sum take.
func (w *lineWork) frameTiles() int {
	n := len(w.p.Outer)
	frames := w.p.Outer[n-w.p.FrameDims():]
	if len(frames) == 0 {
		return 1
	}
	return ir.Count(frames[:len(frames)-1]) * w.perRow
}

// firstFrame is the number of the first frame of tile t among those of its sum.
func (w *lineWork) firstFrame(t int) int {
	if w.p.FrameDims() == 0 {
		return 0
	}
	t %= w.frameTiles()
	return t/w.perRow*w.columns + t%w.perRow*w.tile
}

// halo is how many tiles before a tile reach what it adds to, at most.
func (w *lineWork) halo() int {
	frames := lists.Max(0, w.overlaps, func(o overlapSum) int { return (max(o.Size, 1) - 1) / o.Hop })
	// Every row of tiles ends with one that may be short.
	rows := frames/w.columns + 1
	return (frames+w.tile-1)/w.tile + rows
}

func (w *lineWork) runOverlaps(l *launch) error {
	tiles := w.frameTiles()
	all := w.perRow * ir.Count(w.rows)
	// Parts so long that what is computed twice is little.
	const longer = 8
	// As many as all workers have the same share of.
	shares := 8 * l.team.size
	per := min(tiles, max(longer*w.halo(), (all+shares-1)/shares))
	perSum := (tiles + per - 1) / per
	return l.team.do(all/tiles*perSum, l.s, func(part int, s *scratch) error {
		r, err := w.begin(l, s)
		defer l.team.put(r.stage.s)
		if err != nil {
			return err
		}
		first := part / perSum * tiles // of the sum
		from := first + part%perSum*per
		return r.addTiles(first, from, min(from+per, first+tiles), first+tiles)
	})
}

// stretch is what a worker has of a sum on chip: sum elements from at on.
type stretch struct {
	sum unsafe.Pointer
	at  int
	// from and end are the part of the result that is the worker's.
	from, end int
	out       unsafe.Pointer
}

// addTiles runs the tiles from..end of a sum whose tiles are first..last.
func (r *lineRun) addTiles(first, from, end, last int) error {
	w := r.w
	begin := max(first, from-w.halo())
	held := make([]stretch, len(w.overlaps))
	for i := range w.overlaps {
		o := &w.overlaps[i]
		h := &held[i]
		room := o.reach(w.tile)*o.add.size + alignment // what a vector may exceed it by
		h.sum = r.own.pointer(room)
		clear(slice[byte](h.sum, room))
		h.at = w.firstFrame(begin)*o.Hop - o.Skip
		h.from, h.end = 0, o.Length
		if from > first {
			h.from = min(max(w.firstFrame(from)*o.Hop-o.Skip, 0), o.Length)
		}
		if end < last {
			h.end = min(max(w.firstFrame(end)*o.Hop-o.Skip, 0), o.Length)
		}
	}
	for t := begin; t < end; t++ {
		r.shadow = t < from
		if err := r.tile(t); err != nil {
			return err
		}
		lines := min(w.tile, w.columns-t%w.perRow*w.tile)
		for i := range w.overlaps {
			o, h := &w.overlaps[i], &held[i]
			h.out = r.start[o.to]
			r.addLines(o, h, min(lines, o.Count-w.firstFrame(t)))
			o.store(h, lines*o.Hop)
			o.advance(h, lines*o.Hop, w.tile)
		}
	}
	for i := range w.overlaps {
		o, h := &w.overlaps[i], &held[i]
		if end == last { // what the last lines reach, and zeros behind it
			o.store(h, o.reach(w.tile))
			if at := max(h.from, h.at+o.reach(w.tile)); at < h.end {
				clear(slice[byte](unsafe.Add(h.out, at*o.add.size), (h.end-at)*o.add.size))
			}
		}
	}
	return nil
}

// reach is how many elements the lines of a tile are added to.
func (o *overlapSum) reach(tile int) int { return (tile-1)*o.Hop + max(o.Size, o.Hop) }

// addLines adds the first lines of the tile on chip to a stretch.
func (r *lineRun) addLines(o *overlapSum, h *stretch, lines int) {
	w, size := r.w, o.add.size
	x := unsafe.Add(r.start[o.from], o.In.Offset*size)
	if !w.beside {
		pitch := w.pitch(w.p.Slots[o.from])
		for l := range lines {
			o.add.add(unsafe.Add(h.sum, l*o.Hop*size), unsafe.Add(x, l*pitch*size), o.Size, 0)
		}
		return
	}
	step := w.row(o.from) * size
	x = unsafe.Add(r.start[o.from], o.In.Offset*step)
	if o.diagonals != nil && lines == w.tile {
		o.diagonals(h.sum, x, o.Size, lines, step)
		return
	}
	if o.Hop > 1 {
		mark := r.own.level()
		turned := r.own.pointer(w.tile * o.Size * size)
		w.move.Transpose(size, turned, x, o.Size, w.tile, o.Size, w.tile, false)
		for l := range lines {
			o.add.add(unsafe.Add(h.sum, l*o.Hop*size), unsafe.Add(turned, l*o.Size*size), o.Size, 0)
		}
		r.own.back(mark)
		return
	}
	// The later a frame, the earlier the element that it adds to a sum.
	for e := o.Size - 1; e >= 0 && lines > 0; e-- {
		o.add.add(unsafe.Add(h.sum, e*size), unsafe.Add(x, e*step), lines, 0)
	}
}

// store writes the worker's part of the first n elements of a stretch.
func (o *overlapSum) store(h *stretch, n int) {
	from, end := max(h.at, h.from), min(h.at+n, h.end)
	if from < end {
		size := o.add.size
		copy(slice[byte](unsafe.Add(h.out, from*size), (end-from)*size), slice[byte](unsafe.Add(h.sum, (from-h.at)*size), (end-from)*size))
	}
}

// advance moves a stretch on by n elements.
func (o *overlapSum) advance(h *stretch, n, tile int) {
	size, all := o.add.size, o.reach(tile)
	keep := max(0, all-n)
	copy(slice[byte](h.sum, keep*size), slice[byte](unsafe.Add(h.sum, n*size), keep*size))
	clear(slice[byte](unsafe.Add(h.sum, keep*size), (all-keep)*size))
	h.at += n
}
