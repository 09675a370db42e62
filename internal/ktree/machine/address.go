package machine

import (
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

// address is where the active lanes look, in scalars of an object, already
// known to be inside it: affine in the lane's position, or lane by lane, with
// -1 for lanes that are not active.
type address struct {
	affine bool
	base   int64
	by     [3]int64
	lanes  []int64
}

// term is a compiled part of an index.
type term struct {
	value value
	scale int64
}

// place forms addresses of one object at one point of the code.
type place struct {
	mem   *flat.Mem
	terms []term
	comp  int64
	pos   source.Pos
	depth int
	// linear says no term needs lanes: the affine form can be tried.
	linear bool
}

// find computes the address for the current lanes, or fails.
func (p *place) find(f *frame) *address {
	a := &f.addr
	if p.linear && p.tryAffine(f, a) {
		return a
	}
	a.affine = false
	n := f.n
	idx := a.lanes[:n]
	for i, t := range p.terms {
		t.value.addTo(f, idx, t.scale, i == 0)
	}
	if len(p.terms) == 0 {
		clear(idx)
	}
	m := &f.levels[p.depth]
	limit := int64(f.mem[p.mem.ID].n)
	comps := int64(p.mem.Comps)
	for l := range idx {
		if !m.full && !m.on[l] {
			idx[l] = -1
			continue
		}
		i := idx[l]
		if uint64(i) >= uint64(limit) {
			p.outside(f, l, i, limit)
		}
		idx[l] = i*comps + p.comp
	}
	return a
}

func (p *place) outside(f *frame, lane int, i, limit int64) {
	f.fail(p.pos, lane, "index %d is outside %s, which has %s", i, p.mem.Name, counted.Of(limit, "element"))
}

// tryAffine succeeds if no term wraps around its type and the whole group,
// active or not, looks inside the object.
func (p *place) tryAffine(f *frame, a *address) bool {
	var base int64
	var by [3]int64
	for i := range p.terms {
		t := &p.terms[i]
		b, c := t.value.eval(f)
		lo, hi := span(b, c, f.ext)
		if !inKind(t.value.kind, lo, hi) {
			return false
		}
		base += b * t.scale
		by[0] += c[0] * t.scale
		by[1] += c[1] * t.scale
		by[2] += c[2] * t.scale
	}
	lo, hi := span(base, by, f.ext)
	if lo < 0 || hi >= int64(f.mem[p.mem.ID].n) {
		return false
	}
	comps := int64(p.mem.Comps)
	a.affine = true
	a.base = base*comps + p.comp
	a.by = [3]int64{by[0] * comps, by[1] * comps, by[2] * comps}
	return true
}

// span is the least and greatest value of base + by·position over ext.
func span(base int64, by [3]int64, ext [3]int) (lo, hi int64) {
	lo, hi = base, base
	for i, c := range by {
		d := c * int64(ext[i]-1)
		if d < 0 {
			lo += d
		} else {
			hi += d
		}
	}
	return lo, hi
}

// inKind reports that lo..hi is in the range of an index kind, so that
// nothing wrapped.
func inKind(k ktree.Kind, lo, hi int64) bool {
	switch k {
	case ktree.Int:
		return lo >= -1<<31 && hi < 1<<31
	case ktree.Uint:
		return lo >= 0 && hi < 1<<32
	}
	return true
}

// load copies the addressed scalars to dst, one per lane.
func load[T any](f *frame, dst, src []T, a *address) {
	if !a.affine {
		for l, i := range a.lanes[:len(dst)] {
			if i >= 0 {
				dst[l] = src[i]
			}
		}
		return
	}
	w, h := f.ext[0], f.ext[1]
	plane := w * h
	for z := range f.ext[2] {
		loadPlane(dst[z*plane:(z+1)*plane], src, a.base+int64(z)*a.by[2], a.by[0], a.by[1], w, h)
	}
}

// loadPlane fills h rows of w lanes from at + x*dx + y*dy.
func loadPlane[T any](dst, src []T, at, dx, dy int64, w, h int) {
	switch {
	case dx == 1 && (h == 1 || dy == int64(w)):
		copy(dst, src[at:])
	case dx == 1 && dy == 0: // the same row again and again
		n := copy(dst[:w], src[at:])
		for n < len(dst) {
			n += copy(dst[n:], dst[:n])
		}
	case dx == 1:
		for l := 0; l < len(dst); l += w {
			copy(dst[l:l+w], src[at:])
			at += dy
		}
	case dx == 0:
		for l := 0; l < len(dst); l += w {
			v := src[at]
			row := dst[l : l+w]
			for i := range row {
				row[i] = v
			}
			at += dy
		}
	default:
		for l := 0; l < len(dst); l += w {
			from := at
			row := dst[l : l+w]
			for i := range row {
				row[i] = src[from]
				from += dx
			}
			at += dy
		}
	}
}

// store copies src to the addressed scalars. Where lanes meet, the last wins.
func store[T any](f *frame, dst, src []T, a *address, m *mask) {
	if !a.affine {
		for l, i := range a.lanes[:len(src)] {
			if i >= 0 {
				dst[i] = src[l]
			}
		}
		return
	}
	l := 0
	for row := range f.ext[1] * f.ext[2] {
		at := a.base + int64(row%f.ext[1])*a.by[1] + int64(row/f.ext[1])*a.by[2]
		s := src[l : l+f.ext[0]]
		switch {
		case !m.full:
			for i, on := range m.on[l : l+len(s)] {
				if on {
					dst[at] = s[i]
				}
				at += a.by[0]
			}
		case a.by[0] == 1 && len(s) >= streamLanes && len(dst)*int(unsafe.Sizeof(s[0])) >= streamBytes:
			f.code.k.Move.Copy(asBytes(dst[at:at+int64(len(s))]), asBytes(s), true)
		case a.by[0] == 1:
			copy(dst[at:at+int64(len(s))], s)
		default:
			for _, v := range s {
				dst[at] = v
				at += a.by[0]
			}
		}
		l += len(s)
	}
}

// Rows of an output much larger than the caches go straight to memory: nobody
// finds them in a cache later, and reading lines only to overwrite them would
// cost a third of the traffic. Short rows would leave lines half written.
const (
	streamBytes = 8 << 20
	streamLanes = 256
)

func asBytes[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(unsafe.Sizeof(s[0])))
}

// each calls visit for every active lane, in order.
func (a *address) each(f *frame, m *mask, visit func(lane int, at int64)) {
	for l := range f.n {
		if !m.full && !m.on[l] {
			continue
		}
		at := int64(0)
		if a.affine {
			x, y, z := l%f.ext[0], l/f.ext[0]%f.ext[1], l/(f.ext[0]*f.ext[1])
			at = a.base + int64(x)*a.by[0] + int64(y)*a.by[1] + int64(z)*a.by[2]
		} else {
			at = a.lanes[l]
		}
		visit(l, at)
	}
}
