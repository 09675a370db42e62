package signal

import "github.com/twiddle-go/twiddle/nd"

// lanes is how many lines are filtered at a time: a sample waits for the one
// before it, and other lines fill the time.
const lanes = 4

// blockSamples is how many samples of them are taken through one section before
// the next: 16 KiB, half of a first-level cache.
const blockSamples = 512

type quad = [lanes]float64

// nativeRecurse is body/recurse.
func nativeRecurse(g *nd.Group) {
	if g.Inputs[0].Type == nd.Float64 {
		recurseGroup[float64](g, false)
		return
	}
	recurseGroup[float32](g, false)
}

// nativeRecurseBack is body/recurse_back.
func nativeRecurseBack(g *nd.Group) {
	if g.Inputs[0].Type == nd.Float64 {
		recurseGroup[float64](g, true)
		return
	}
	recurseGroup[float32](g, true)
}

func recurseGroup[T float32 | float64](g *nd.Group, back bool) {
	lines, n := g.Inputs[0].Shape[0], g.Inputs[0].Shape[1]
	x, y := nd.Elements[T](g.Inputs[0]), nd.Elements[T](g.Outputs[0])
	sections, taps := g.Inputs[1].Shape[0], g.Inputs[1].Shape[2]
	c := nd.Elements[float64](g.Inputs[1])
	zi, zf := nd.Elements[float64](g.Inputs[2]), nd.Elements[float64](g.Outputs[1])
	states := sections * (taps - 1)
	per := g.Constant("LINES")
	from := g.Position[0] * per
	to := min(from+per, lines)
	block, state := make([]quad, min(n, blockSamples)), make([]quad, states)
	for l := from; l < to; l += lanes {
		count := min(lanes, to-l)
		for i := range state {
			for k := range count {
				state[i][k] = zi[(l+k)*states+i]
			}
		}
		for done := 0; done < n; done += blockSamples {
			if g.Context.Err() != nil {
				return
			}
			size := min(blockSamples, n-done)
			at := done
			if back {
				at = n - done - size
			}
			block = block[:size]
			for k := range count {
				for t, v := range x[(l+k)*n+at:][:size] {
					block[t][k] = float64(v)
				}
			}
			for s := range sections {
				if back {
					s = sections - 1 - s
				}
				b, z := coefficients(c[2*s*taps:2*(s+1)*taps]), state[s*(taps-1):(s+1)*(taps-1)]
				switch {
				case back:
					b.sectionBack(block, z)
				case taps == 3:
					b.biquad(block, z)
				default:
					b.section(block, z)
				}
			}
			for k := range count {
				out := y[(l+k)*n+at:][:size]
				for t := range out {
					out[t] = T(block[t][k])
				}
			}
		}
		for i := range state {
			for k := range count {
				zf[(l+k)*states+i] = state[i][k]
			}
		}
	}
}

// coefficients is those of one section: of inputs, then of outputs.
type coefficients []float64

// section filters a block in place.
func (c coefficients) section(block, state []quad) {
	taps := len(c) / 2
	b, a := c[:taps], c[taps:]
	order := len(state)
	for t := range block {
		in := &block[t]
		var out quad
		for k := range out {
			out[k] = b[0]*in[k] + state[0][k]
		}
		for j := 1; j < order; j++ {
			u, v, bj, aj := &state[j-1], &state[j], b[j], a[j]
			for k := range u {
				u[k] = bj*in[k] - aj*out[k] + v[k]
			}
		}
		u, bj, aj := &state[order-1], b[order], a[order]
		for k := range u {
			u[k] = bj*in[k] - aj*out[k]
		}
		*in = out
	}
}

// biquad is section for an order of 2, its state in registers.
func (c coefficients) biquad(block, state []quad) {
	b0, b1, b2, a1, a2 := c[0], c[1], c[2], c[4], c[5]
	u0, u1, u2, u3 := state[0][0], state[0][1], state[0][2], state[0][3]
	v0, v1, v2, v3 := state[1][0], state[1][1], state[1][2], state[1][3]
	for t := range block {
		p := &block[t]
		x0, x1, x2, x3 := p[0], p[1], p[2], p[3]
		y0, y1, y2, y3 := b0*x0+u0, b0*x1+u1, b0*x2+u2, b0*x3+u3
		u0, u1, u2, u3 = b1*x0-a1*y0+v0, b1*x1-a1*y1+v1, b1*x2-a1*y2+v2, b1*x3-a1*y3+v3
		v0, v1, v2, v3 = b2*x0-a2*y0, b2*x1-a2*y1, b2*x2-a2*y2, b2*x3-a2*y3
		p[0], p[1], p[2], p[3] = y0, y1, y2, y3
	}
	state[0], state[1] = quad{u0, u1, u2, u3}, quad{v0, v1, v2, v3}
}

// sectionBack is the transpose of section, from the last sample to the first.
func (c coefficients) sectionBack(block, state []quad) {
	taps := len(c) / 2
	b, a := c[:taps], c[taps:]
	for t := len(block) - 1; t >= 0; t-- {
		p := &block[t]
		in := *p
		for j := range state {
			for k := range in {
				in[k] -= a[j+1] * state[j][k]
			}
		}
		for k := range in {
			p[k] = b[0] * in[k]
		}
		for j := len(state) - 1; j >= 0; j-- {
			for k := range in {
				p[k] += b[j+1] * state[j][k]
			}
			if j > 0 {
				state[j] = state[j-1]
			}
		}
		state[0] = in
	}
}
