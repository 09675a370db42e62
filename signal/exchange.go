package signal

import (
	"errors"
	"math"
	"slices"
)

// exchange finds the polynomial whose greatest weighted distance from what is wanted
// on a grid is least: at its extremes the error alternates in sign and is the same
// in size.
type exchange struct {
	x, want, weight []float64 // the grid
	bands           []int     // where stretches of the grid begin, and its end

	places []int     // the extremes
	b, y   []float64 // barycentric weights of the extremes and the polynomial there
}

// mostExchanges is far more than the dozen that designs which succeed take.
const mostExchanges = 60

// run looks for an error with as many extremes.
func (e *exchange) run(extremes int) error {
	e.places = make([]int, extremes)
	for i := range e.places {
		e.places[i] = i * (len(e.x) - 1) / (extremes - 1)
	}
	err := make([]float64, len(e.x))
	for range mostExchanges {
		level := e.level()
		top := 0.0
		for i, x := range e.x {
			err[i] = e.weight[i] * (e.want[i] - e.at(x))
			top = max(top, math.Abs(err[i]))
		}
		// At the extremes the error is the level by construction, also where the
		// polynomial was not interpolated well.
		for i, k := range e.places {
			err[k] = level
			if i%2 == 1 {
				err[k] = -level
			}
		}
		next := e.extremes(err, extremes)
		if next == nil {
			return errors.New("the error does not alternate often enough: want wider bands or fewer taps")
		}
		if slices.Equal(next, e.places) || top <= math.Abs(level)*(1+1e-12) {
			return nil
		}
		e.places = next
	}
	return errors.New("the exchange does not converge: want wider transitions or fewer taps")
}

// level interpolates an alternating error of one size through the extremes, and
// gives that size.
func (e *exchange) level() float64 {
	n := len(e.places)
	e.b, e.y = make([]float64, n), make([]float64, n)
	num, den := 0.0, 0.0
	for i, k := range e.places {
		// Distances on an interval of length 2 multiply to about 2^-n.
		p := 1.0
		for j, l := range e.places {
			if j != i {
				p *= 2 * (e.x[k] - e.x[l])
			}
		}
		e.b[i] = 1 / p
		num += e.b[i] * e.want[k]
		den += alternating(i) * e.b[i] / e.weight[k]
	}
	level := num / den
	for i, k := range e.places {
		e.y[i] = e.want[k] - alternating(i)*level/e.weight[k]
	}
	return level
}

func alternating(i int) float64 {
	if i%2 == 1 {
		return -1
	}
	return 1
}

// at is the polynomial at a place.
func (e *exchange) at(x float64) float64 {
	num, den := 0.0, 0.0
	for i, k := range e.places {
		d := x - e.x[k]
		if d == 0 {
			return e.y[i]
		}
		w := e.b[i] / d
		num, den = num+w*e.y[i], den+w
	}
	return num / den
}

// extremes is where the error is extreme with alternating signs, as many times, or
// nil if it is not.
func (e *exchange) extremes(err []float64, count int) []int {
	var list []int
	for s := 0; s+1 < len(e.bands); s++ {
		from, to := e.bands[s], e.bands[s+1]
		for i := from; i < to; i++ {
			v := math.Abs(err[i])
			// As high as the point before and higher than the one behind, among
			// those of the same sign.
			if i > from && err[i-1]*err[i] > 0 && math.Abs(err[i-1]) > v || i+1 < to && err[i+1]*err[i] > 0 && math.Abs(err[i+1]) >= v {
				continue
			}
			switch last := len(list) - 1; {
			case v == 0:
			case last < 0 || err[list[last]]*err[i] < 0:
				list = append(list, i)
			case v > math.Abs(err[list[last]]):
				list[last] = i
			}
		}
	}
	for len(list) > count {
		// The least one goes: at an end by itself, inside with the lesser of its
		// neighbours, which then have one sign.
		least := 0
		for i := range list {
			if math.Abs(err[list[i]]) < math.Abs(err[list[least]]) {
				least = i
			}
		}
		switch {
		case len(list) == count+1:
			if math.Abs(err[list[0]]) < math.Abs(err[list[count]]) {
				list = list[1:]
			} else {
				list = list[:count]
			}
		case least == 0:
			list = list[1:]
		case least == len(list)-1:
			list = list[:least]
		default:
			if math.Abs(err[list[least-1]]) < math.Abs(err[list[least+1]]) {
				least--
			}
			list = slices.Delete(list, least, least+2)
		}
	}
	if len(list) < count {
		return nil
	}
	return list
}
