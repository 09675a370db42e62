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
	e.places = e.spread(extremes)
	err := make([]float64, len(e.x))
	for range mostExchanges {
		level := e.level()
		top := 0.0
		for i, x := range e.x {
			err[i] = e.weight[i] * (e.want[i] - e.at(x))
			top = max(top, math.Abs(err[i]))
		}
		if top <= e.rounding() { // what is wanted is such a polynomial, as one gain for all bands is
			return nil
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

// rounding is an error that sums of float64 cannot tell from none.
func (e *exchange) rounding() float64 {
	most := 0.0
	for i, v := range e.want {
		most = max(most, math.Abs(e.weight[i]*v))
	}
	return 1e-13 * most
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

// far is the polynomial where it may be far from what is wanted, between bands: the sum of at has
// digits there of the greatest polynomial through such numbers, and this one those of its terms.
func (e *exchange) far(x float64) float64 {
	sum, product := 0.0, 0.5
	for i, k := range e.places {
		d := x - e.x[k]
		if d == 0 {
			return e.y[i]
		}
		sum, product = sum+e.b[i]/d*e.y[i], product*2*d
	}
	return sum * product
}

// spread is places on the grid that polynomials are interpolated at with few digits lost, which a
// design whose error is as small as rounding does not leave: each the one whose distances to those
// before multiply to the most (Leja's points).
func (e *exchange) spread(count int) []int {
	places := make([]int, 1, count)
	far := make([]float64, len(e.x)) // logarithms
	for len(places) < count {
		last, best := places[len(places)-1], 0
		for i, x := range e.x {
			far[i] += math.Log(math.Abs(x - e.x[last]))
			if far[i] > far[best] {
				best = i
			}
		}
		places = append(places, best)
	}
	slices.Sort(places)
	return places
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

// cosines is the polynomial as a sum of cosines, which are its Chebyshev polynomials. It is known
// where the grid is, and far from there, in a stop band that nobody asked for, it may be greater by
// any factor: so it is taken at as many places within the grid as it has coefficients, and what
// these make of Chebyshev polynomials of that interval is then written in those of the whole.
func (e *exchange) cosines(count int, value func(x float64) float64) []float64 {
	low, high := e.x[len(e.x)-1], e.x[0]
	half, middle := (high-low)/2, (high+low)/2
	at := make([]float64, count)
	for j := range at {
		at[j] = value(middle + half*math.Cos(math.Pi*(float64(j)+0.5)/float64(count)))
	}
	// Clenshaw's recurrence, of polynomials instead of numbers: with t = (x - middle)/half,
	// s[k] = c[k] + 2 t s[k+1] - s[k+2].
	s, next := make([]float64, count+1), make([]float64, count+1)
	for k := count - 1; k >= 0; k-- {
		c := 0.0
		for j, v := range at {
			c += v * math.Cos(math.Pi*float64(k*(2*j+1)%(4*count))/float64(2*count))
		}
		c *= 2 / float64(count)
		twice := 2.0
		if k == 0 {
			c, twice = c/2, 1
		}
		now := make([]float64, count+1)
		now[0] = c
		for i := range now {
			// x T[i] is (T[i+1] + T[i-1])/2, and x T[0] is T[1].
			x := 0.0
			if i+1 <= count {
				x += s[i+1] / 2
			}
			if i == 1 {
				x += s[0]
			} else if i > 1 {
				x += s[i-1] / 2
			}
			now[i] += twice*(x-middle*s[i])/half - next[i]
		}
		s, next = now, s
	}
	return s[:count]
}

// off is how far the sum of cosines is, at the extremes, from what the exchange says: as a part of
// the error there, or of 120 dB below the greatest amplitude if that is more.
func (e *exchange) off(a []float64) float64 {
	top, off := math.SmallestNonzeroFloat64, 0.0
	for _, y := range e.y {
		top = max(top, 1e-6*math.Abs(y))
	}
	for i, k := range e.places {
		// Clenshaw's recurrence at a place.
		s, next := 0.0, 0.0
		for j := len(a) - 1; j > 0; j-- {
			s, next = a[j]+2*e.x[k]*s-next, s
		}
		off = max(off, math.Abs(a[0]+e.x[k]*s-next-e.y[i])/max(top, math.Abs(e.want[k]-e.y[i])))
	}
	return off
}

var errGreat = errors.New("the gain outside of the bands is too great for float64: want more bands there, of small weights, or fewer taps")

// coefficients is the sum of cosines that loses the fewest digits. Where a polynomial is greater by
// a factor of 1e10 and more outside of the bands, no sum of float64 may have enough.
func (e *exchange) coefficients(count int) ([]float64, error) {
	a, b := e.cosines(count, e.at), e.cosines(count, e.far)
	if !(e.off(a) <= e.off(b)) {
		a = b
	}
	if !(e.off(a) <= 1) {
		return nil, errGreat
	}
	return a, nil
}
