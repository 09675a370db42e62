package ir

import (
	"fmt"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/accum"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// The programs of this file work along one axis, which is always the last
// dimension of their index space; operands carry whatever strides put it there.

// Scan is a running Sum or Prod along the last dimension.
type Scan struct {
	Dims    []int
	Op      ReduceOp
	In, Out Operand
}

// Sort orders along the last dimension, stably, NaN last in either order. It
// stores the first Keep values, the int64 places where they were, or both.
type Sort struct {
	Dims       []int // of the input
	Descending bool
	Keep       int
	In         Operand
	// Values and Places are over Dims with the last replaced by Keep. One of
	// them may be nil.
	Values, Places *Operand
}

// FFTKind is which numbers go in and come out.
type FFTKind uint8

const (
	FFTComplex     FFTKind = iota // complex to complex
	FFTRealForward                // real to N/2+1 bins
	FFTRealInverse                // N/2+1 bins to real
	FFTRealWhole                  // real to N bins: those of FFTRealForward, and their mirror image
	// Bins a quarter lower: bin k has the frequency (k-1/4)/N. Products of such bins are
	// those of polynomials modulo z^N - i, so that what a convolution of N real numbers with
	// N others has beyond its first N is in the imaginary parts, which are dropped: a causal
	// convolution without padding.
	FFTQuarterForward // real to N bins
	FFTQuarterInverse // N bins to real: the real parts of the line
)

// FFT transforms lines of length N along the last dimension. Fewer input
// elements than the transform needs are followed by zeros, further ones are
// ignored. The result is multiplied by Scale. Mode is how the sums of a line
// add up: a transform is pairwise by itself.
type FFT struct {
	Outer   []int // the lines
	Kind    FFTKind
	Inverse bool // FFTComplex only
	N       int
	Scale   float64
	InLen   int // elements along the input line
	Mode    accum.Mode
	In, Out Operand // over Outer and then the line
	// Planes says that the bins of a real transform are two operands of the real
	// type that lie alike: their real parts, then their imaginary parts.
	Planes bool
	// Window, if not nil, is what a real transform multiplies its samples by: on
	// their way in if it is forward, on their way out, scaled, if it is inverse.
	// The products are rounded by themselves.
	Window *Operand
	// Rows, if not 0, says that bins a quarter lower are in the order of so many rows: bin
	// k*Rows + j is element j*N/Rows + k.
	Rows int
	// Powers says that all that is wanted of the bins of a complex line are their squared
	// magnitudes, added up over segments by the stage behind it. A device may round those sums
	// in its own way.
	Powers bool
}

// Quarter reports a transform whose bins are a quarter lower.
func (f *FFT) Quarter() bool { return f.Kind >= FFTQuarterForward }

// Halved reports a transform of real numbers to or from half of their bins.
func (f *FFT) Halved() bool { return f.Kind == FFTRealForward || f.Kind == FFTRealInverse }

// Plain reports a transform that computes in the type of its elements.
func (f *FFT) Plain() bool { return f.Mode == accum.Pairwise || f.Fast() }

// Fast reports a transform that may be less exact where that is faster.
func (f *FFT) Fast() bool { return f.Mode == accum.Fast }

// InNeeded and OutLen are the line lengths of the transform proper.
func (f *FFT) InNeeded() int {
	if f.Kind == FFTRealInverse {
		return f.N/2 + 1
	}
	return f.N
}

func (f *FFT) OutLen() int {
	if f.Kind == FFTRealForward {
		return f.N/2 + 1
	}
	return f.N
}

func (*Scan) Name() string { return "scan" }
func (*Sort) Name() string { return "sort" }
func (*FFT) Name() string  { return "fft" }

func (s *Scan) String() string { return "scan" }
func (s *Sort) String() string { return fmt.Sprintf("sort, keep %d", s.Keep) }
func (f *FFT) String() string {
	kind := [...]string{"c2c", "r2c", "c2r", "r2c whole", "r2c quarter", "c2r quarter"}[f.Kind]
	if f.Inverse {
		kind += " inverse"
	}
	if f.Window != nil {
		kind += " windowed"
	}
	return fmt.Sprintf("fft %s %d", kind, f.N)
}

func (s *Scan) Extent() []int { return s.Dims }
func (s *Sort) Extent() []int { return s.Dims }
func (f *FFT) Extent() []int  { return with(f.Outer, f.N) }

func (s *Scan) Accesses() []Access { return inAndOut(s.In, s.Dims, s.Out, s.Dims) }
func (s *Sort) Accesses() []Access {
	stored := accesses(with(s.Dims[:len(s.Dims)-1], s.Keep), true, s.stored()...)
	return append(accesses(s.Dims, false, s.In), stored...)
}

// Accesses lists what is transformed, the window, and the result.
func (f *FFT) Accesses() []Access {
	list := accesses(with(f.Outer, min(f.InLen, f.InNeeded())), false, f.ins()...)
	if f.Window != nil {
		list = append(list, Access{Operand: *f.Window, Dims: with(f.Outer, f.N)})
	}
	return append(list, accesses(with(f.Outer, f.OutLen()), true, f.outs()...)...)
}

func (f *FFT) ins() []Operand {
	if f.Planes && f.Kind == FFTRealInverse {
		return []Operand{f.In, f.In}
	}
	return []Operand{f.In}
}

func (f *FFT) outs() []Operand {
	if f.Planes && f.Kind == FFTRealForward {
		return []Operand{f.Out, f.Out}
	}
	return []Operand{f.Out}
}

func (s *Scan) key(k *keyer) {
	k.ints(s.Dims)
	k.operands(s.In, s.Out)
	k.ints([]int{int(s.Op)})
}

func (s *Sort) key(k *keyer) {
	k.ints(s.Dims)
	k.operands(append(s.stored(), s.In)...)
	k.ints([]int{flag(s.Values != nil), flag(s.Places != nil), flag(s.Descending), s.Keep})
}

func (f *FFT) key(k *keyer) {
	k.ints(f.Outer)
	k.operands(f.In, f.Out)
	k.ints([]int{int(f.Kind), flag(f.Inverse), f.N, f.InLen, int(f.Mode), flag(f.Planes), f.Rows, flag(f.Powers)})
	if f.Window != nil {
		k.operands(*f.Window)
	}
	k.float(f.Scale)
}

func (s *Scan) clone() Program { c := *s; return &c }
func (s *Sort) clone() Program { c := *s; return &c }
func (f *FFT) clone() Program  { c := *f; return &c }

// stores is the results that are stored, in the order in which they are bound.
func (s *Sort) stores() []**Operand {
	return lists.Filter([]**Operand{&s.Values, &s.Places}, func(o **Operand) bool { return *o != nil })
}

// DropWrite stops storing result i.
func (s *Sort) DropWrite(i int) { *s.stores()[i] = nil }

// SetWrites says where else the results go.
func (s *Sort) SetWrites(out []Operand) {
	for i, o := range s.stores() {
		*o = &out[i]
	}
}

func (s *Scan) spaces(visit func(*Space)) { s.Dims = aroundLine(s.Dims, visit, &s.In, &s.Out) }
func (s *Sort) spaces(visit func(*Space)) {
	operands := []*Operand{&s.In}
	for _, o := range s.stores() {
		*o = new(**o)
		operands = append(operands, *o)
	}
	s.Dims = aroundLine(s.Dims, visit, operands...)
}
func (f *FFT) spaces(visit func(*Space)) {
	operands := []*Operand{&f.In, &f.Out}
	if f.Window != nil {
		w := *f.Window
		f.Window, operands = &w, append(operands, &w)
	}
	f.Outer = outside(f.Outer, visit, operands...)
}

// aroundLine visits all dimensions but the last.
func aroundLine(dims []int, visit func(*Space), operands ...*Operand) []int {
	last := len(dims) - 1
	return with(outside(dims[:last], visit, operands...), dims[last])
}

// outside visits dimensions that come before the others of a program.
func outside(dims []int, visit func(*Space), operands ...*Operand) []int {
	s := Space{Dims: dims, Operands: operands}
	visit(&s)
	return s.Dims
}

// stored is the operands of stores.
func (s *Sort) stored() []Operand {
	return lists.Map(s.stores(), func(o **Operand) Operand { return **o })
}

func (s *Scan) Ops() float64 { return float64(Count(s.Dims)) }
func (s *Sort) Ops() float64 {
	n := s.Dims[len(s.Dims)-1]
	return float64(Count(s.Dims)) * log2(n)
}

// Ops uses the customary 5 N log2 N, half of it for real transforms to half of the bins.
func (f *FFT) Ops() float64 {
	ops := 5 * float64(f.N) * log2(f.N) * float64(Count(f.Outer))
	if f.Kind != FFTComplex && !f.Quarter() {
		ops /= 2
	}
	return ops
}

func log2(n int) float64 {
	l := 0.0
	for n > 1 {
		n >>= 1
		l++
	}
	return max(l, 1)
}

func (s *Scan) Verify() error {
	if len(s.Dims) == 0 || len(s.In.Strides) != len(s.Dims) || len(s.Out.Strides) != len(s.Dims) ||
		s.In.Type != s.Out.Type || s.Op > Prod {
		return fmt.Errorf("ir: scan: dims %v, in %v, out %v, op %s", s.Dims, s.In, s.Out, s.Op)
	}
	return nil
}

func (s *Sort) Verify() error {
	fits := func(o *Operand, t elem.Type) bool { return o == nil || o.Type == t && len(o.Strides) == len(s.Dims) }
	if len(s.Dims) == 0 || len(s.In.Strides) != len(s.Dims) || !fits(s.Values, s.In.Type) || !fits(s.Places, elem.Int64) ||
		s.Values == nil && s.Places == nil || s.Keep < 0 || s.Keep > s.Dims[len(s.Dims)-1] {
		return fmt.Errorf("ir: sort: dims %v, keep %d, in %v, values %v, places %v", s.Dims, s.Keep, s.In, s.Values, s.Places)
	}
	return nil
}

func (f *FFT) Verify() error {
	in, out := f.In.Type, f.Out.Type
	var ok bool
	switch f.Kind {
	case FFTComplex:
		ok = in.IsComplex() && out == in && !f.Planes && f.Window == nil
	case FFTRealForward:
		ok = out.IsComplex() != f.Planes && in == out.Real() && in.IsFloat() && !f.Inverse
	case FFTRealInverse:
		ok = in.IsComplex() != f.Planes && out == in.Real() && out.IsFloat()
	case FFTRealWhole, FFTQuarterForward:
		ok = out.IsComplex() && in == out.Real() && !f.Inverse && !f.Planes && f.Window == nil
	case FFTQuarterInverse:
		ok = in.IsComplex() && out == in.Real() && !f.Inverse && !f.Planes && f.Window == nil
	}
	ok = ok && (!f.Powers || f.Kind == FFTComplex) && (f.Rows == 0 || f.Quarter() && f.Rows > 0 && f.N%f.Rows == 0)
	if w := f.Window; w != nil {
		ok = ok && w.Type == in.Real() && len(w.Strides) == len(f.Outer)+1
	}
	if !ok || !f.Mode.Valid() || f.N < 1 || f.InLen < 1 || len(f.In.Strides) != len(f.Outer)+1 || len(f.Out.Strides) != len(f.Outer)+1 {
		return fmt.Errorf("ir: fft: n %d of %d elements, lines %v, in %v, out %v", f.N, f.InLen, f.Outer, f.In, f.Out)
	}
	return nil
}
