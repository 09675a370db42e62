package signal

import "math"

// find is FindPeaks for one line. What it gives is its own; only the search is
// used again.
func (c *PeakConditions) find(p *Peaks, x []float64, s *search) {
	if c.findTops(p, x, s) {
		return
	}
	s.Find(x)
	if c.PlateauSize.given {
		s.Keep(func(i int) bool {
			left, right := plateau(x, int(s.At[i]))
			return c.PlateauSize.holds(float64(right-left+1), int(s.At[i]))
		})
	}
	if c.Height.given {
		s.keepValues(s.Heights(), &c.Height)
	}
	if c.Threshold.given {
		s.Keep(func(i int) bool {
			k := int(s.At[i])
			l, r := x[k]-x[k-1], x[k]-x[k+1]
			return c.Threshold.holdBoth(min(l, r), max(l, r), k)
		})
	}
	if c.Distance > 1 {
		s.KeepDistant(int(math.Ceil(min(c.Distance, float64(len(x))))))
	}
	if c.Prominence.given || c.Width.given {
		s.measure(x, c.WLen)
	}
	if c.Prominence.given {
		s.keepValues(s.Prominences, &c.Prominence)
	}
	if c.Width.given {
		s.Cross(x, c.relHeight())
		s.keepValues(s.Widths, &c.Width)
	}
	c.gather(p, x, s)
}

// findTops is find where heights are all that is asked for: they go where results
// are. It gives false where more has to be looked at.
func (c *PeakConditions) findTops(p *Peaks, x []float64, s *search) bool {
	if c.PlateauSize.given || c.Threshold.given || c.Distance > 1 || c.Prominence.given || c.Width.given || c.Height.each != nil {
		return false
	}
	low, high := math.Inf(-1), math.Inf(1)
	if c.Height.given {
		low, high = c.Height.low, c.Height.high
	}
	most := len(x) / 2
	n, ok := s.Tops(s.ints.room(most), s.floats.room(most), x, low, high)
	if !ok {
		return false
	}
	p.Indices, p.Heights = s.ints.cut(n), s.floats.cut(n)
	c.refine(p, x, s)
	return true
}

func (c *PeakConditions) refine(p *Peaks, x []float64, s *search) {
	n := len(p.Indices)
	if c.Refine == RefineNone {
		s.floats.room(n)
		p.Positions, p.Levels = s.floats.cut(n), p.Heights
		for j, k := range p.Indices {
			p.Positions[j] = float64(k)
		}
		return
	}
	s.floats.room(2 * n)
	p.Positions, p.Levels = s.floats.cut(n), s.floats.cut(n)
	for j, k := range p.Indices {
		p.Positions[j], p.Levels[j] = refined(x, k, c.Refine)
	}
}

func (c *PeakConditions) relHeight() float64 {
	if c.RelHeight == 0 {
		return 0.5
	}
	return number(c.RelHeight)
}

// gather copies what was asked for of the peaks that are left.
func (c *PeakConditions) gather(p *Peaks, x []float64, s *search) {
	n := s.Count()
	p.Indices, p.Heights = s.places(n), s.values(n, s.Heights())
	if c.PlateauSize.given {
		s.ints.room(3 * n)
		p.PlateauSizes, p.LeftEdges, p.RightEdges = s.ints.cut(n), s.ints.cut(n), s.ints.cut(n)
		for j, k := range p.Indices {
			p.LeftEdges[j], p.RightEdges[j] = plateau(x, k)
			p.PlateauSizes[j] = p.RightEdges[j] - p.LeftEdges[j] + 1
		}
	}
	if c.Threshold.given {
		s.floats.room(2 * n)
		p.LeftThresholds, p.RightThresholds = s.floats.cut(n), s.floats.cut(n)
		for j, k := range p.Indices {
			p.LeftThresholds[j], p.RightThresholds[j] = x[k]-x[k-1], x[k]-x[k+1]
		}
	}
	if c.Prominence.given || c.Width.given {
		p.Prominences = s.values(n, s.Prominences)
		p.LeftBases, p.RightBases = s.bases(n)
	}
	if c.Width.given {
		p.Widths, p.WidthHeights = s.values(n, s.Widths), s.values(n, s.Crossings.Levels)
		p.LeftIPs, p.RightIPs = s.values(n, s.Left), s.values(n, s.Right)
	}
	c.refine(p, x, s)
}
