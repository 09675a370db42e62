package signal

import "math"

// find is FindPeaks for one line. What it gives is its own; only the search is
// used again.
func (c *PeakConditions) find(x []float64, s *search) Peaks {
	s.look(x)
	sel := s.all()
	if c.PlateauSize.given {
		sel = s.keep(sel, func(i int32) bool {
			left, right := plateau(x, int(s.at[i]))
			return c.PlateauSize.holds(float64(right-left+1), int(s.at[i]))
		})
	}
	if c.Height.given {
		sel = s.keepHeights(x, sel, &c.Height)
	}
	if c.Threshold.given {
		sel = s.keep(sel, func(i int32) bool {
			k := int(s.at[i])
			low, high := c.Threshold.at(k)
			l, r := x[k]-x[k-1], x[k]-x[k+1]
			return min(l, r) >= low && max(l, r) <= high
		})
	}
	if c.Distance > 1 {
		sel = s.distant(x, sel, int(math.Ceil(min(c.Distance, float64(len(x))))))
	}
	if c.Prominence.given || c.Width.given {
		s.measure(x, sel, c.WLen)
	}
	if c.Prominence.given {
		sel = s.keepProminences(sel, &c.Prominence)
	}
	if c.Width.given {
		s.widths(x, sel, c.relHeight())
		sel = s.keep(sel, func(i int32) bool { return c.Width.holds(s.crossed[i].right-s.crossed[i].left, int(s.at[i])) })
	}
	return c.gather(x, s, sel)
}

func (c *PeakConditions) relHeight() float64 {
	if c.RelHeight == 0 {
		return 0.5
	}
	return c.RelHeight
}

// gather copies what was asked for of the peaks that are left.
func (c *PeakConditions) gather(x []float64, s *search, sel []int32) Peaks {
	n := len(sel)
	p := Peaks{Indices: s.ints.cut(n), Heights: s.floats.cut(n)}
	for j, i := range sel {
		k := s.at[i]
		p.Indices[j], p.Heights[j] = int(k), x[k]
	}
	if c.PlateauSize.given {
		p.PlateauSizes, p.LeftEdges, p.RightEdges = s.ints.cut(n), s.ints.cut(n), s.ints.cut(n)
		for j, k := range p.Indices {
			p.LeftEdges[j], p.RightEdges[j] = plateau(x, k)
			p.PlateauSizes[j] = p.RightEdges[j] - p.LeftEdges[j] + 1
		}
	}
	if c.Threshold.given {
		p.LeftThresholds, p.RightThresholds = s.floats.cut(n), s.floats.cut(n)
		for j, k := range p.Indices {
			p.LeftThresholds[j], p.RightThresholds[j] = x[k]-x[k-1], x[k]-x[k+1]
		}
	}
	if c.Prominence.given || c.Width.given {
		p.Prominences, p.LeftBases, p.RightBases = s.floats.cut(n), s.ints.cut(n), s.ints.cut(n)
		for j, i := range sel {
			m := &s.measured[i]
			p.Prominences[j], p.LeftBases[j], p.RightBases[j] = m.prominence, int(m.left), int(m.right)
		}
	}
	if c.Width.given {
		p.Widths, p.WidthHeights, p.LeftIPs, p.RightIPs = s.floats.cut(n), s.floats.cut(n), s.floats.cut(n), s.floats.cut(n)
		for j, i := range sel {
			w := &s.crossed[i]
			p.Widths[j], p.WidthHeights[j], p.LeftIPs[j], p.RightIPs[j] = w.right-w.left, w.height, w.left, w.right
		}
	}
	if c.Refine != RefineNone {
		p.Positions, p.Levels = s.floats.cut(n), s.floats.cut(n)
		for j, k := range p.Indices {
			p.Positions[j], p.Levels[j] = refined(x, k, c.Refine)
		}
	}
	return p
}
