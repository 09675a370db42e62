package cpu

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/nd/internal/kern"
	"github.com/twiddle-go/twiddle/nd/internal/line"
)

// overlapSum is an output to which the lines of a program are added where they
// overlap. A worker goes through neighbouring tiles and keeps the stretch that
// its tile reaches on chip; what no later line reaches is stored. Frames are
// added one after the other, so the bits do not depend on the tiles.
//
// A worker begins with the tiles before its own that still reach its part of the
// result, so that nobody waits for a neighbour: they are computed twice.
type overlapSum struct {
	*kern.Overlap
	from, to int // slots
	add      fold
}

func (d *Device) overlapsOf(p *line.Program) []overlapSum {
	var list []overlapSum
	for _, s := range p.Sums() {
		o := s.Program.(*kern.Overlap)
		add, _ := foldOf(d.vec, kern.Sum, o.In.Type)
		list = append(list, overlapSum{Overlap: o, from: s.Reads[0], to: s.Writes[0], add: add})
	}
	return list
}

// frameTiles is how many tiles the frames of one sum take.
func (w *lineWork) frameTiles() int {
	n := len(w.p.Outer)
	frames := w.p.Outer[n-w.p.FrameDims():]
	if len(frames) == 0 {
		return 1
	}
	return kern.Count(frames[:len(frames)-1]) * w.perRow
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
	frames := 0
	for _, o := range w.overlaps {
		frames = max(frames, (max(o.Size, 1)-1)/o.Hop)
	}
	// Every row of tiles ends with one that may be short.
	rows := frames/w.columns + 1
	return (frames+w.tile-1)/w.tile + rows
}

func (w *lineWork) runOverlaps(l *launch) error {
	tiles := w.frameTiles()
	all := w.perRow * kern.Count(w.rows)
	if w.p.FrameDims() == 0 {
		tiles = 1
	}
	// Parts so long that what is computed twice is little.
	const longer = 8
	per := min(tiles, max(longer*w.halo(), all/(8*l.team.size), 1))
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
		room := o.reach(w.tile) * o.add.size
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
	x = unsafe.Add(r.start[o.from], o.In.Offset*w.tile*size)
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
		o.add.add(unsafe.Add(h.sum, e*size), unsafe.Add(x, e*w.tile*size), lines, 0)
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
