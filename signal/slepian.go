package signal

import (
	"math"

	"github.com/twiddle-go/twiddle/fft"
)

// slepian is what Slepian's sequences of a length depend on.
type slepian struct {
	n     int
	nw    float64 // half of the band in cycles per sample, times n
	count int
}

// tapers is Slepian's sequences: orthogonal, of energy 1, and of all sequences those with the most
// energy in a band, the parts of which are the ratios. Those of even order have a positive mean,
// those of odd order begin by rising.
type tapers struct {
	samples []float64 // one after another
	ratios  []float64
}

// slepians are kept, because a series of recordings is of one length. Seven of a million samples take half a
// minute, and a transform with them a second.
var slepians = kept[slepian, tapers]{make: slepian.tapers, samples: func(t tapers) int { return len(t.samples) }, most: 8 << 20}

func (s slepian) tapers() (tapers, error) {
	t := tapers{samples: make([]float64, 0, s.n*s.count), ratios: make([]float64, s.count)}
	length, err := fft.NextFastRealLen(2*s.n - 1)
	if err != nil {
		return t, err
	}
	plan, err := fft.NewRealPlan[float64, complex128](length)
	if err != nil {
		return t, err
	}
	for k := range t.ratios {
		v := s.sequence(k)
		t.samples = append(t.samples, v...)
		if t.ratios[k], err = s.ratio(plan, v); err != nil {
			return t, err
		}
	}
	return t, nil
}

// sequence is the eigenvector at the eigenvalue k, of which 0 is the least, of a tridiagonal matrix of which
// Slepian showed that it commutes with limiting to the band. His matrix is a constant less this one: the
// Laplacian of a chain with the given links, and a potential. Pivots of it are a link and a remainder, and
// remainders follow from each other without cancellation. His own elements grow with the square of n while
// their eigenvalues stay near each other, and lose half of the digits where n is 60000.
func (s slepian) sequence(k int) []float64 {
	n := s.n
	half := math.Abs(math.Sin(math.Pi * s.nw / float64(n)))
	potential, links := make([]float64, n), make([]float64, n+1)
	for i := range n {
		d := float64(n-1-2*i) * half
		potential[i] = d * d / 2
		links[i] = float64(i) * float64(n-i) / 2 // between i-1 and i
	}
	low, high := 0.0, max(potential[0], half)
	for s.below(high, k, potential, links) {
		low, high = high, 2*high
	}
	for {
		middle := low + (high-low)/2
		if middle <= low || middle >= high {
			break
		}
		if s.below(middle, k, potential, links) {
			low = middle
		} else {
			high = middle
		}
	}
	// Twisted factorization: pivots from both ends meet where the vector is large, at the least
	// remainder. Away from there elements follow from their neighbours without cancellation.
	down, up := make([]float64, n), make([]float64, n)
	for i := range n {
		down[i] = potential[i] - low
		if i > 0 {
			down[i] += passed(links[i], down[i-1])
		}
	}
	for i := n - 1; i >= 0; i-- {
		up[i] = potential[i] - low
		if i+1 < n {
			up[i] += passed(links[i+1], up[i+1])
		}
	}
	at, least := 0, math.Inf(1)
	for i := range n {
		if g := math.Abs(down[i] + up[i] - (potential[i] - low)); g < least {
			at, least = i, g
		}
	}
	v := make([]float64, n)
	v[at] = 1
	for i := at; i > 0; i-- {
		v[i-1] = v[i] * links[i] / pivot(links[i], down[i-1])
	}
	for i := at + 1; i < n; i++ {
		v[i] = v[i-1] * links[i] / pivot(links[i], up[i])
	}
	// They are even or odd, so the two halves are two results for one number.
	sign := 1.0
	if k%2 == 1 {
		sign = -1
	}
	for i := range (n + 1) / 2 {
		m := (v[i] + sign*v[n-1-i]) / 2
		v[i], v[n-1-i] = m, sign*m
	}
	energy, side := 0.0, 0.0
	for i, x := range v {
		energy += x * x
		if k%2 == 0 {
			side += x
		} else {
			side += x * float64(n-1-2*i)
		}
	}
	for i := range v {
		v[i] *= math.Copysign(1/math.Sqrt(energy), side)
	}
	return v
}

// ratio is the part of a sequence's energy that is in the band: its autocorrelation, weighted by the
// band's.
func (s slepian) ratio(plan *fft.RealPlan[float64, complex128], v []float64) (float64, error) {
	padded, bins := make([]float64, plan.Len()), make([]complex128, plan.Bins())
	copy(padded, v)
	if err := plan.Forward(bins, padded); err != nil {
		return 0, err
	}
	for i, z := range bins {
		bins[i] = complex(real(z)*real(z)+imag(z)*imag(z), 0)
	}
	if err := plan.Inverse(padded, bins); err != nil {
		return 0, err
	}
	w := s.nw / float64(s.n)
	sum := 2 * w * padded[0]
	for lag := 1; lag < s.n; lag++ {
		x := float64(lag)
		sum += 2 * padded[lag] * math.Sin(2*math.Pi*math.Mod(w*x, 1)) / (math.Pi * x)
	}
	return min(sum, 1), nil
}

// below reports whether at most k eigenvalues are below a shift: as many as pivots are negative.
func (s slepian) below(shift float64, k int, potential, links []float64) bool {
	count, e := 0, 0.0
	for i, v := range potential {
		e = v - shift + passed(links[i], e)
		if links[i+1]+e < 0 {
			count++
			if count > k {
				return false
			}
		}
	}
	return true
}

// pivot is a link and its remainder, and not 0.
func pivot(link, e float64) float64 {
	p := link + e
	if p == 0 {
		return 0x1p-52 * max(link, 0x1p-960)
	}
	return p
}

// passed is what of a remainder reaches the next one, over a link.
func passed(link, e float64) float64 {
	if link == 0 {
		return 0
	}
	return link * (e / pivot(link, e))
}
