package signal

import "math"

// ridge is a maximum that nothing to its right has overtaken so far. Heights
// are keys: what is random in noise is then chosen without a branch, which
// floats are not.
type ridge struct {
	height  int64
	low     int64 // of the lowest places between it and the ridge before
	leftLow int64 // of the place that is the base on its left
	peak    int32
	left    int32
	// Of equal lowest places the first and the last.
	first, last int32
}

// key is an integer that is as much greater or less as a number is; zeros of
// either sign are equal.
func key(v float64) int64 {
	bits := int64(math.Float64bits(v + 0))
	return bits ^ int64(uint64(bits>>63)>>1)
}

// measure finds the prominences of the selected maxima. It does not walk from
// each, but visits all maxima once and keeps a stack of ridges, each lower than
// the one before or as high: the ground beside a maximum is the lowest of the
// valleys up to the first higher one. A few maxima of many, and those that look
// only so far, are walked from all the same.
func (s *search) measure(x []float64, sel []int32, wlen int) {
	if wlen != 0 || !s.ordered || 16*len(sel) < len(s.at) {
		for _, i := range sel {
			p, l, r := prominence(x, int(s.at[i]), wlen)
			s.measured[i] = measure{p, int32(l), int32(r)}
		}
		return
	}
	if len(s.at) == 0 {
		return
	}
	// A ridge higher than everything at the bottom is never overtaken.
	if len(s.stack) < len(s.at)+1 {
		s.stack = make([]ridge, cap(s.peaks)+1)
		s.stack[0].height = math.MaxInt64
	}
	stack, depth := s.stack, 0
	measured := s.measured[:len(s.at)]
	before, after := s.before[:len(s.at)+1], s.after[:len(s.at)+1]
	for i, k := range s.at {
		height := key(x[k])
		first, last := before[i], after[i]
		low := key(x[first])
		for stack[depth].height < height {
			r := &stack[depth]
			depth--
			measured[r.peak] = r.overtaken(low, first)
			// Loaded before, they are chosen without a branch.
			gap, gapFirst, gapLast := r.low, r.first, r.last
			if gap <= low {
				first = gapFirst
			}
			if gap < low {
				last = gapLast
			}
			low = min(low, gap)
		}
		// The left ground goes on through maxima of the same height.
		left, leftLow := last, low
		if r := &stack[depth]; r.height == height && r.leftLow < low {
			left, leftLow = r.left, r.leftLow
		}
		depth++
		stack[depth] = ridge{height, low, leftLow, int32(i), left, first, last}
	}
	first := before[len(s.at)]
	low := key(x[first])
	for ; depth > 0; depth-- {
		r := &stack[depth]
		measured[r.peak] = r.overtaken(low, first)
		if r.low <= low {
			first, low = r.first, r.low
		}
	}
}

// overtaken ends a ridge, given the lowest place to its right up to higher
// ground.
func (r *ridge) overtaken(low int64, right int32) measure {
	return measure{number(r.height) - number(max(low, r.leftLow)), r.left, right}
}

// number undoes key.
func number(k int64) float64 { return math.Float64frombits(uint64(k ^ int64(uint64(k>>63)>>1))) }

// prominence walks away from a peak until it finds higher ground.
func prominence(x []float64, k, wlen int) (prominence float64, left, right int) {
	from, to := 0, len(x)-1
	if wlen >= 2 {
		from, to = max(from, k-wlen/2), min(to, k+wlen/2)
	}
	top := x[k]
	lowLeft, lowRight := top, top
	left, right = k, k
	for j := k; j >= from && x[j] <= top; j-- {
		if x[j] < lowLeft {
			lowLeft, left = x[j], j
		}
	}
	for j := k; j <= to && x[j] <= top; j++ {
		if x[j] < lowRight {
			lowRight, right = x[j], j
		}
	}
	return top - max(lowLeft, lowRight), left, right
}

// widths finds where the line crosses a part of the prominence of each selected
// maximum.
func (s *search) widths(x []float64, sel []int32, relHeight float64) {
	for _, i := range sel {
		m := &s.measured[i]
		s.crossed[i] = crossings(x, int(s.at[i]), m.prominence*relHeight, int(m.left), int(m.right))
	}
}

// crossings is where the line is so far below a peak, between its bases.
func crossings(x []float64, k int, below float64, left, right int) crossing {
	c := crossing{height: x[k] - below}
	j := k
	for j > left && c.height < x[j] {
		j--
	}
	c.left = float64(j)
	if x[j] < c.height {
		c.left += (c.height - x[j]) / (x[j+1] - x[j])
	}
	j = k
	for j < right && c.height < x[j] {
		j++
	}
	c.right = float64(j)
	if x[j] < c.height {
		c.right -= (c.height - x[j]) / (x[j-1] - x[j])
	}
	return c
}
