package view

import (
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/signal"
)

// scale is how frequencies lie on the screen.
type scale string

// Scales that there are.
const (
	linear      scale = "linear"
	logarithmic scale = "log"
	mel         scale = "mel"
	// twoSided is linear, from half the rate below 0 to half of it above: that of complex
	// samples, which have no other.
	twoSided scale = "iq"
)

// decades is how far below the highest frequency a logarithmic scale begins.
const decades = 3

// hz is the frequency at a part of the scale, 0 at the bottom and 1 at the top.
func (s scale) hz(at, rate float64) float64 {
	top := rate / 2
	switch s {
	case twoSided:
		return (2*at - 1) * top
	case logarithmic:
		return top * math.Pow(10, decades*(at-1))
	case mel:
		return signal.MelToHz(at*signal.HzToMel(top, false), false)
	}
	return at * top
}

func (s scale) check(info Info) error {
	switch {
	case info.IQ && s != twoSided:
		return fmt.Errorf("view: scale %q: complex samples have %q", s, twoSided)
	case !info.IQ && s != linear && s != logarithmic && s != mel:
		return fmt.Errorf("view: scale %q: want linear, log or mel", s)
	}
	return nil
}

// tileRows is the rows of a tile.
const tileRows = 256

// maxRowLevel is how often the rows of the whole scale may be doubled, from one
// tile: beyond that even the longest segment has no more to show.
const maxRowLevel = 9

// rowsOf is how the rows of a tile come from bins: from to before for the
// greatest of several, or where no bin lies in a row, between two of them.
type rowsOf struct {
	from, to []int32
	part     []float32 // of the way from bin from to the next; only if to is from
}

// rows maps the rows of tile j, at a row level, to bins of group neighbours each.
func (l look) rows(s scale, rate float64, rowLevel, j, group int) rowsOf {
	total := float64(int(tileRows) << rowLevel)
	step := rate / float64(l.N) * float64(group)
	bins := (l.bins() + group - 1) / group
	// Bins of groups lie in the middle of them.
	offset := float64(group-1) / 2 / float64(group)
	if l.IQ { // the bin of 0 Hz is in the middle
		offset -= float64(l.N/2) / float64(group)
	}
	r := rowsOf{make([]int32, tileRows), make([]int32, tileRows), make([]float32, tileRows)}
	for i := range tileRows {
		at := float64(j*tileRows + i)
		low, high := s.hz(at/total, rate)/step-offset, s.hz((at+1)/total, rate)/step-offset
		if i == tileRows-1 && j == 1<<rowLevel-1 {
			high = float64(bins) // the last bin lies on the upper edge
		}
		first, end := int(math.Ceil(low)), int(math.Ceil(high))
		first, end = max(first, 0), min(end, bins)
		if first < end {
			r.from[i], r.to[i] = int32(first), int32(end)
			continue
		}
		middle := min(max((low+high)/2, 0), float64(bins-1))
		k := min(int(middle), max(bins-2, 0))
		r.from[i], r.to[i], r.part[i] = int32(k), int32(k), float32(middle-float64(k))
	}
	return r
}

// fill makes the rows of a column of its bins, each step elements after the
// one before.
func (r rowsOf) fill(dst []uint16, step int, bins []uint16) {
	for i, from := range r.from {
		to := r.to[i]
		if from == to {
			a, b := bins[from], bins[min(int(from)+1, len(bins)-1)]
			if a == halfNaN || b == halfNaN {
				dst[i*step] = halfNaN
				continue
			}
			x, y := fromHalf(a), fromHalf(b)
			dst[i*step] = toHalf(x + (y-x)*r.part[i])
			continue
		}
		most := bins[from]
		for _, b := range bins[from+1 : to] {
			if louder(b, most) {
				most = b
			}
		}
		dst[i*step] = most
	}
}
