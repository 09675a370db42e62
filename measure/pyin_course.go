package measure

import (
	"context"
	"math"
)

// course finds the likeliest pitches of frame after frame, by Viterbi's algorithm. A
// state is a pitch, voiced or not: voiced ones come first. From one frame to the next a
// pitch moves by at most half a width, a small step being likelier than a large one.
type course struct {
	n, half    int
	stay, turn []float64 // logarithms, by state it comes from and step plus half
	least      float64   // of what cannot be
}

func newCourse(n, width int, turn float64) *course {
	c := &course{n: n, half: width / 2, least: math.Log(tiny)}
	c.stay, c.turn = make([]float64, n*(2*c.half+1)), make([]float64, n*(2*c.half+1))
	for from := range n {
		low, high := max(-c.half, -from), min(c.half, n-1-from)
		sum := 0.0
		for step := low; step <= high; step++ {
			sum += c.weight(step)
		}
		for step := low; step <= high; step++ {
			at, w := from*(2*c.half+1)+step+c.half, c.weight(step)/sum
			c.stay[at], c.turn[at] = math.Log(w*(1-turn)+tiny), math.Log(w*turn+tiny)
		}
	}
	return c
}

// tiny stands for a probability of 0: it can be compared with others.
const tiny = 0x1p-1022

// weight is a triangle.
func (c *course) weight(step int) float64 {
	return 1 - math.Abs(float64(step))/float64(c.half+1)
}

// likeliest is the states of frames.
func (c *course) likeliest(ctx context.Context, frames []observation) ([]int, error) {
	value, next := make([]float64, 2*c.n), make([]float64, 2*c.n)
	from := make([]int32, len(frames)*2*c.n)
	for t := range frames {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if t == 0 {
			for s := range next {
				next[s] = math.Log(1/float64(2*c.n) + tiny) // it may begin with any
			}
		} else {
			c.step(next, value, from[t*2*c.n:][:2*c.n])
		}
		o := &frames[t]
		unvoiced := math.Log((1-o.voiced)/float64(c.n) + tiny)
		for s := range c.n {
			next[s] += c.least
			next[c.n+s] += unvoiced
		}
		for k, s := range o.at {
			next[s] += math.Log(o.chance[k]+tiny) - c.least
		}
		value, next = next, value
	}
	states := make([]int, len(frames))
	s := highest(value)
	for t := len(frames) - 1; t >= 0; t-- {
		states[t] = s
		s = int(from[t*2*c.n+s])
	}
	return states, nil
}

// step finds the best way to each state from those before.
func (c *course) step(next, value []float64, from []int32) {
	// One that is too far away can be reached at the price of what cannot be.
	far := highest(value)
	for s := range next {
		next[s], from[s] = value[far]+c.least, int32(far)
	}
	width := 2*c.half + 1
	for voiced := range 2 {
		for p := range c.n {
			to := voiced*c.n + p
			best, at := next[to], from[to]
			for before := range 2 {
				log := c.stay
				if before != voiced {
					log = c.turn
				}
				for q := max(0, p-c.half); q <= min(c.n-1, p+c.half); q++ {
					if v := value[before*c.n+q] + log[q*width+p-q+c.half]; v > best {
						best, at = v, int32(before*c.n+q)
					}
				}
			}
			next[to], from[to] = best, at
		}
	}
}

// highest is the place of the greatest value, the first of several.
func highest(list []float64) int {
	at := 0
	for i, v := range list {
		if v > list[at] {
			at = i
		}
	}
	return at
}
