package butterfly

import (
	"fmt"
	"math/bits"
	"slices"
)

// Form is a network without its numbers.
type Form struct {
	N     int
	Spans []int // how far apart each factor's pairs are, in the order they are applied
	From  []int // the line is taken from these places; nil: in order
	To    []int // the product goes to these places; nil: in order
	Real  bool  // blocks are real
}

// Single is the form of a radix-2 transform: spans 1, 2, ..., n/2.
func Single(n int) Form {
	f := Form{N: n}
	for h := 1; h < n; h *= 2 {
		f.Spans = append(f.Spans, h)
	}
	return f
}

// Double is the product of two: spans n/2, ..., 2, 1, 2, ..., n/2.
func Double(n int) Form {
	f := Form{N: n}
	for h := n / 2; h > 1; h /= 2 {
		f.Spans = append(f.Spans, h)
	}
	f.Spans = append(f.Spans, Single(n).Spans...)
	return f
}

// isSingle and isDouble report the forms that can be trained. Of two elements
// there is one form, which is single.
func (f Form) isSingle() bool { return slices.Equal(f.Spans, Single(f.N).Spans) }
func (f Form) isDouble() bool { return f.N > 2 && slices.Equal(f.Spans, Double(f.N).Spans) }

// check says what is wrong with a form that was read or made by hand.
func (f Form) check() error {
	if err := checkLen(f.N); err != nil {
		return err
	}
	const most = 4 * 12 // twice a product of two of the greatest length
	if len(f.Spans) == 0 || len(f.Spans) > most {
		return fmt.Errorf("butterfly: %d factors, want 1 to %d", len(f.Spans), most)
	}
	for _, h := range f.Spans {
		if h < 1 || h >= f.N || bits.OnesCount(uint(h)) != 1 {
			return fmt.Errorf("butterfly: span %d: want a power of two below %d", h, f.N)
		}
	}
	for _, order := range [][]int{f.From, f.To} {
		if order == nil {
			continue
		}
		seen := make([]bool, f.N)
		for _, i := range order {
			if len(order) != f.N || i < 0 || i >= f.N || seen[i] {
				return fmt.Errorf("butterfly: an order is not a permutation of %d", f.N)
			}
			seen[i] = true
		}
	}
	return nil
}

// maxN bounds the places of a line that has an order of its own.
const maxN = 1 << 30

// BitReversal is the order in which even places come before odd ones, and so
// on within each half; none if n is no length of a line.
func BitReversal(n int) []int {
	if n < 1 || n > maxN {
		return nil
	}
	order := make([]int, n)
	for i := range order {
		order[i] = int(bits.Reverse(uint(i)) >> (bits.UintSize - bits.Len(uint(n-1))))
	}
	return order
}

// Mirrored is the order that puts places i and n-1-i half a line apart, and so
// on within each half; none if n is no power of two.
func Mirrored(n int) []int {
	if n < 1 || n > maxN || n&(n-1) != 0 {
		return nil
	}
	if n == 1 {
		return []int{0}
	}
	half := Mirrored(n / 2)
	order := slices.Clone(half)
	for _, i := range half {
		order = append(order, n-1-i)
	}
	return order
}

// FormOf is a form in which a transform has exact networks:
//
//   - dft: single, after a bit reversal. Hadamard: single, in order.
//   - conv: double, in order: the transform, the filter's spectrum and the
//     transform back.
//   - dct2, dst2: double and real. Sums and differences of mirrored places give
//     the even and the odd rows, which are transforms of half the length; those
//     of kind IV split further into cosines and sines by rotations.
//   - hartley: double and real. Sums of places half a line apart give the even
//     rows, differences the odd ones, which rotations split further. LearnForm
//     found this one.
func FormOf(t Transform, n int) (Form, error) {
	if err := checkLen(n); err != nil {
		return Form{}, err
	}
	f := Single(n)
	switch t {
	case DFT:
		f.From = BitReversal(n)
	case Hadamard:
		f.Real = true
	case Conv:
		f = Double(n)
	case DCT2, DST2:
		f = Double(n)
		f.From, f.To, f.Real = Mirrored(n), BitReversal(n), true
	case Hartley:
		f = Double(n)
		f.To, f.Real = BitReversal(n), true
	default:
		return Form{}, &UnknownTransformError{string(t)}
	}
	return f, nil
}

// checkTrainable is check for a form that is to be trained for a matrix.
func (f Form) checkTrainable(m Matrix) error {
	if err := f.check(); err != nil {
		return err
	}
	if !f.isSingle() && !f.isDouble() {
		return fmt.Errorf("butterfly: spans %v are neither those of a single nor of a double form of %d", f.Spans, f.N)
	}
	if m.N != f.N || len(m.Data) != m.N*m.N {
		return fmt.Errorf("butterfly: a matrix of %d x %d for a form of %d", m.N, m.N, f.N)
	}
	if f.Real && !m.isReal() {
		return fmt.Errorf("butterfly: a real form for a matrix that is not")
	}
	return nil
}

// core is the matrix between the orders of the form: that of the factors.
func (f Form) core(m Matrix) Matrix {
	out := Matrix{m.N, make([]complex128, len(m.Data))}
	at := func(order []int, i int) int {
		if order == nil {
			return i
		}
		return order[i]
	}
	for i := range m.N {
		row := m.Data[at(f.To, i)*m.N:][:m.N]
		for j := range m.N {
			out.Data[i*m.N+j] = row[at(f.From, j)]
		}
	}
	return out
}

// equal reports one form.
func (f Form) equal(g Form) bool {
	return f.N == g.N && f.Real == g.Real && slices.Equal(f.Spans, g.Spans) && slices.Equal(f.From, g.From) && slices.Equal(f.To, g.To)
}
