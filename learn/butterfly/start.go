package butterfly

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
)

// Exact is a network that equals a transform to rounding. The seed is that of
// Dense.
func Exact(t Transform, n int, seed uint64) (*Network, error) {
	f, err := FormOf(t, n)
	if err != nil {
		return nil, err
	}
	if t == DFT {
		return radix2(f)
	}
	m, err := t.Dense(n, seed)
	if err != nil {
		return nil, err
	}
	return Factorize(m, f)
}

// radix2 has the twiddles of the FFT that everyone knows.
func radix2(f Form) (*Network, error) {
	n, err := NewNetwork(f)
	if err != nil {
		return nil, err
	}
	for k, h := range f.Spans {
		for p := range f.N / 2 {
			sin, cos := math.Sincos(math.Pi * float64(p%h) / float64(h))
			w := complex(cos, -sin)
			n.W[n.at(k, 0, 0, p)], n.W[n.at(k, 0, 1, p)] = 1, w
			n.W[n.at(k, 1, 0, p)], n.W[n.at(k, 1, 1, p)] = 1, -w
		}
	}
	return n, nil
}

// draws gives normal numbers, complex ones of variance 1 unless real.
type draws struct {
	rng  *rand.Rand
	real bool
}

func newDraws(seed uint64, real bool) draws {
	return draws{rand.New(rand.NewPCG(seed, 0x62757474)), real}
}

func (d draws) next() complex128 {
	if d.real {
		return complex(d.rng.NormFloat64(), 0)
	}
	return complex(d.rng.NormFloat64(), d.rng.NormFloat64()) * complex(math.Sqrt(0.5), 0)
}

// Random has normal numbers that keep the size of a line on average.
func Random(f Form, seed uint64) (*Network, error) {
	n, err := NewNetwork(f)
	if err != nil {
		return nil, err
	}
	d := newDraws(seed, f.Real)
	for i := range n.W {
		n.W[i] = d.next() * complex(math.Sqrt(0.5), 0)
	}
	return n, nil
}

// Orthogonal has random orthogonal blocks, unitary ones unless the form is
// real, so that lines keep their size exactly.
func Orthogonal(f Form, seed uint64) (*Network, error) {
	n, err := NewNetwork(f)
	if err != nil {
		return nil, err
	}
	d := newDraws(seed, f.Real)
	for k := range f.Spans {
		for p := range f.N / 2 {
			x, y, _ := unit(d.next(), d.next())
			// The other column has any phase.
			z := d.next()
			z /= complex(max(cmplx.Abs(z), math.SmallestNonzeroFloat64), 0)
			n.W[n.at(k, 0, 0, p)], n.W[n.at(k, 1, 0, p)] = x, y
			n.W[n.at(k, 0, 1, p)], n.W[n.at(k, 1, 1, p)] = -cmplx.Conj(y)*z, cmplx.Conj(x)*z
		}
	}
	return n, nil
}

// Identity changes nothing but the order.
func Identity(f Form) (*Network, error) {
	n, err := NewNetwork(f)
	if err != nil {
		return nil, err
	}
	for k := range f.Spans {
		for p := range f.N / 2 {
			n.W[n.at(k, 0, 0, p)], n.W[n.at(k, 1, 1, p)] = 1, 1
		}
	}
	return n, nil
}

// Perturbed is the network with normal numbers of a size added.
func (n *Network) Perturbed(size float64, seed uint64) *Network {
	out := n.clone()
	d := newDraws(seed, n.Real)
	for i := range out.W {
		out.W[i] += d.next() * complex(size, 0)
	}
	return out
}

func (n *Network) clone() *Network {
	return &Network{Form: n.Form, W: append([]complex128(nil), n.W...)}
}
