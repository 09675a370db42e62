package arrays

import (
	"go/types"
	"strings"
)

// words makes a set of names.
func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

// The methods of nd.Array, by what they do to elements. Methods that are in
// none of the sets are unknown to the passes.
var (
	// unary keep the shape and the element type of their array.
	unary = words(`SubFrom DivInto Diff AddScalar SubScalar MulScalar DivScalar PowScalar RemScalar MaximumScalar MinimumScalar
		Neg Exp Expm1 Log Log2 Log10 Log1p Sqrt Rsqrt Sin Cos Tan Tanh Sigmoid Erf Floor Ceil Round Sign Conj Clip
		FFTShift IFFTShift CumSum CumProd Flip Roll Sort SortDescending Donate On Not`)
	// binary broadcast a second array against theirs.
	binary = words(`Add Sub Mul MulReal Div Pow Rem Maximum Minimum Atan2`)
	// compare give bool.
	compare = words(`Equal NotEqual Less LessEqual Greater GreaterEqual EqualScalar NotEqualScalar LessScalar LessEqualScalar
		GreaterScalar GreaterEqualScalar And Or Xor Not IsNaN IsInf All Any`)
	// part give the real type of a complex one.
	part = words(`Abs AbsSquared Real Imag Angle`)
	// view show the same elements in another shape.
	view = words(`Reshape Flatten Transpose SwapAxes Squeeze ExpandDims BroadcastTo Slice SliceAxis At Frames Tile Repeat Pad PadAxis Take Gather ScatterAdd`)
	// reduce drop axes and keep the element type.
	reduce = words(`Sum Mean Prod Max Min LogSumExp Median Quantile`)
	// positions give int64.
	positions = words(`ArgMax ArgMin ArgSort ArgSortDescending`)
	// asks answer at once and build no graph.
	asks = words(`DType Dim Err Len NDim Shape String Release`)

	toComplex = words(`FFT RFFT IHFFT FFTN RFFTN IHFFTN IFFT IFFTN`)
	toReal    = words(`IRFFT IRFFTN HFFT HFFTN`)
	forward   = words(`FFT RFFT FFTN RFFTN HFFT HFFTN`)
	inverse   = words(`IFFT IRFFT IFFTN IRFFTN IHFFT IHFFTN`)
)

// IsMap reports an operation that works on each element by itself: what may
// stand between a transform and its inverse.
func (c *Call) IsMap() bool {
	if c == nil || c.Pkg != "nd" {
		return false
	}
	if c.Recv == "" {
		return c.Name == "Where" || c.Name == "Complex" || c.Name == "Polar"
	}
	return c.Recv == "Array" && (unary[c.Name] || binary[c.Name] || c.Name == "Cast") && c.Name != "Diff" && c.Name != "FFTShift" && c.Name != "IFFTShift" &&
		c.Name != "CumSum" && c.Name != "CumProd" && c.Name != "Flip" && c.Name != "Roll" && c.Name != "Sort" && c.Name != "SortDescending"
}

// IsView reports an operation that moves no elements.
func (c *Call) IsView() bool {
	return c != nil && c.Pkg == "nd" && c.Recv == "Array" && (c.Name == "Reshape" || c.Name == "Flatten" || c.Name == "Transpose" ||
		c.Name == "SwapAxes" || c.Name == "Squeeze" || c.Name == "ExpandDims" || c.Name == "On")
}

// IsForward reports a forward transform.
func (c *Call) IsForward() bool {
	return c != nil && c.Pkg == "nd" && c.Recv == "Array" && forward[c.Name]
}

// IsInverse reports an inverse transform.
func (c *Call) IsInverse() bool {
	return c != nil && c.Pkg == "nd" && c.Recv == "Array" && inverse[c.Name]
}

// Reads reports a call that brings elements to the host.
func (c *Call) Reads() bool { return c.Func("Slice", "Item") }

// Evaluates reports a call that computes arrays, or starts to.
func (c *Call) Evaluates() bool {
	return c != nil && (c.Func("Eval", "Slice", "Item", "Read", "Look", "Async", "Explain", "Prefetch", "Format", "Nonzero", "AllClose") || c.Is("nd", "Pending", "Wait", "Then", "Done") ||
		c.Is("nd", "Compiled", "Call") ||
		c.isFeature() && c.takesContext())
}

// isFeature reports a call of a package that is built on nd, such as signal.
// There, what takes a context evaluates, and what gives arrays without one
// builds graph.
func (c *Call) isFeature() bool { return c.Pkg != "nd" && c.Pkg != "fft" }

func (c *Call) takesContext() bool {
	for v := range c.sig.Params().Variables() {
		if n := namedOf(v.Type()); n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "context" && n.Obj().Name() == "Context" {
			return true
		}
	}
	return false
}

// GivesError reports a call whose last result is an error.
func (c *Call) GivesError() bool {
	r := c.sig.Results()
	return r.Len() > 0 && types.Identical(r.At(r.Len()-1).Type(), types.Universe.Lookup("error").Type())
}

func (c *Call) givesArrays() bool {
	for v := range c.sig.Results().Variables() {
		t := v.Type()
		if IsType(t, "nd", "Array") {
			return true
		}
		if s, ok := t.Underlying().(*types.Struct); ok {
			for f := range s.Fields() {
				if IsType(f.Type(), "nd", "Array") {
					return true
				}
			}
		}
	}
	return false
}

// Builds reports a call that only makes graph: nothing runs because of it.
func (c *Call) Builds() bool {
	if c == nil || c.Evaluates() {
		return false
	}
	switch {
	case c.Pkg == "nd" && c.Recv == "Array":
		return !asks[c.Name]
	case c.Pkg == "nd" && c.Recv == "":
		return creators[c.Name] || builders[c.Name]
	case c.Pkg == "nd" && c.Recv == "Kernel":
		return c.Name == "Call"
	}
	return c.isFeature() && c.givesArrays()
}

// builders make arrays from arrays.
var builders = words(`Where Complex Polar Concat Stack Split Grad ValueAndGrad Einsum SearchSorted Interp Histogram`)

// creators make arrays from something else than arrays.
var creators = words(`From Scalar Full FullLike Zeros Ones Eye Arange Linspace Normal Uniform Randint Permutation FFTFreq RFFTFreq`)
