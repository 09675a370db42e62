package learn

import (
	"errors"
	"fmt"
	"math"
)

// The conditions of Wolfe: the loss falls by at least armijo times what its
// slope promised, and the slope by the part that curvature leaves.
const (
	armijo    = 1e-4
	curvature = 0.9
)

// lineSearch looks along a direction for a place that meets the strong
// conditions of Wolfe: Nocedal and Wright, Numerical Optimization, algorithms
// 3.5 and 3.6, with cubic interpolation.
type lineSearch struct {
	at    func(t float64) (trial, error)
	limit int // evaluations

	start trial
	used  int
}

var errEvaluations = errors.New("too many evaluations")

func (l *lineSearch) try(t float64) (trial, error) {
	if l.used++; l.used > l.limit {
		return trial{}, errEvaluations
	}
	p, err := l.at(t)
	if math.IsNaN(p.loss) {
		p.loss = math.Inf(1)
	}
	return p, err
}

// low reports a loss that has fallen enough.
func (l *lineSearch) low(p trial) bool { return p.loss <= l.start.loss+armijo*p.t*l.start.slope }

// flat reports a slope that has.
func (l *lineSearch) flat(p trial) bool { return math.Abs(p.slope) <= -curvature*l.start.slope }

// run gives a place that meets both conditions, or, when evaluations run out,
// the best one that is lower than the start.
func (l *lineSearch) run(loss, slope, first float64) (trial, error) {
	l.start = trial{loss: loss, slope: slope}
	before, t := l.start, first
	for {
		p, err := l.try(t)
		if err != nil {
			return l.best(before, err)
		}
		switch {
		case !l.low(p) || before.t > 0 && p.loss >= before.loss:
			return l.zoom(before, p)
		case l.flat(p):
			return p, nil
		case p.slope >= 0:
			return l.zoom(p, before)
		}
		before, t = p, min(2*t, 10*first*math.Pow(2, float64(l.used)))
	}
}

// zoom narrows an interval down: low is its better end, and the slope there
// points into it.
func (l *lineSearch) zoom(low, high trial) (trial, error) {
	for {
		width := math.Abs(high.t - low.t)
		if width <= 1e-14*max(low.t, high.t) {
			return l.best(low, ErrConverged)
		}
		p, err := l.try(between(low, high))
		if err != nil {
			return l.best(low, err)
		}
		if !l.low(p) || p.loss >= low.loss {
			high = p
			continue
		}
		if l.flat(p) {
			return p, nil
		}
		if p.slope*(high.t-low.t) >= 0 {
			high = low
		}
		low = p
	}
}

// best is a place that is better than the start though the search did not end
// well; without one it has converged as far as it can.
func (l *lineSearch) best(p trial, err error) (trial, error) {
	if err != ErrConverged && err != errEvaluations {
		return trial{}, err
	}
	if p.t > 0 && p.loss < l.start.loss {
		return p, nil
	}
	if err == errEvaluations {
		err = fmt.Errorf("%w in %d evaluations", ErrConverged, l.limit)
	}
	return trial{}, err
}

// between is the minimum of the cubic with the losses and slopes of both ends,
// kept away from them, or the middle.
func between(a, b trial) float64 {
	d := a.slope + b.slope - 3*(a.loss-b.loss)/(a.t-b.t)
	square := d*d - a.slope*b.slope
	middle := (a.t + b.t) / 2
	if !(square >= 0) || math.IsInf(b.loss, 0) {
		return middle
	}
	root := math.Copysign(math.Sqrt(square), b.t-a.t)
	t := b.t - (b.t-a.t)*(b.slope+root-d)/(b.slope-a.slope+2*root)
	lo, hi := min(a.t, b.t), max(a.t, b.t)
	if margin := 0.1 * (hi - lo); !(t > lo+margin && t < hi-margin) {
		return middle
	}
	return t
}
