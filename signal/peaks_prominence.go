package signal

// ridge is a maximum that nothing to its right has overtaken so far.
type ridge struct {
	height float64
	peak   int32
	// The lowest places between it and the ridge before: of equal ones the
	// first and the last.
	first, last int32
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
	if len(s.stack) < len(s.at) {
		s.stack = make([]ridge, cap(s.peaks))
	}
	stack, depth := s.stack, 0
	for i, k := range s.at {
		height := x[k]
		first, last := s.before[i], s.after[i]
		for depth > 0 && stack[depth-1].height < height {
			first, last = s.overtaken(x, &stack[depth-1], first, last)
			depth--
		}
		// The left ground goes on through maxima of the same height.
		left := last
		if depth > 0 && stack[depth-1].height == height {
			if before := s.measured[stack[depth-1].peak].left; x[before] < x[left] {
				left = before
			}
		}
		s.measured[i].left = left
		stack[depth] = ridge{height, int32(i), first, last}
		depth++
	}
	first, last := s.before[len(s.at)], s.after[len(s.at)]
	for ; depth > 0; depth-- {
		first, last = s.overtaken(x, &stack[depth-1], first, last)
	}
}

// overtaken ends a ridge. The lowest places to its right, up to higher ground,
// are given, and become those since the ridge before.
func (s *search) overtaken(x []float64, r *ridge, first, last int32) (int32, int32) {
	m := &s.measured[r.peak]
	higher := m.left
	if x[first] > x[m.left] {
		higher = first
	}
	m.right = first
	m.prominence = r.height - x[higher]
	low, gap := x[last], x[r.last]
	if gap <= low {
		first = r.first
	}
	if gap < low {
		last = r.last
	}
	return first, last
}

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
