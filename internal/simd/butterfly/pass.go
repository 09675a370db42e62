package butterfly

import "unsafe"

// Float is a component type of the transforms.
type Float interface{ float32 | float64 }

// Pass describes one radix pass, as in the package comment. The kernels read
// it, so the order and size of its fields are part of the assembly.
type Pass struct {
	Twiddle unsafe.Pointer // Rows groups of (Radix-1) complex factors, or nil for none; split stores only
	Rows    int
	Cols    int
	InRow   int
	InLeg   int
	OutRow  int
	OutLeg  int
	Factors unsafe.Pointer // product kernels only: a factor per leg or row of every tile

	// AheadIn and AheadOut make a vector kernel prefetch what lies that many
	// elements further on, on either side; 0 for no prefetch.
	AheadIn, AheadOut int

	Beside int // paired kernels only: from a line to the other

	Places unsafe.Pointer // leads that spread rows only: where those of a tile begin, in bytes

	// Woven is how many elements of one plane lie before as many of the other, in vector kernels
	// from planes: the elements of a vector. It is 0 for planes that are apart.
	Woven int
}

// CopyTo writes the pass to raw memory and returns it there. The copy is made
// of words, not of pointers: what lies in the memory before may be anything,
// and the garbage collector must not look at it. The tables stay alive through
// the original only.
func (p *Pass) CopyTo(raw unsafe.Pointer) *Pass {
	*(*passWords)(raw) = *(*passWords)(unsafe.Pointer(p))
	return (*Pass)(raw)
}

// PointTo sets the table of such a copy.
func (p *Pass) PointTo(table unsafe.Pointer) {
	*(*uintptr)(unsafe.Pointer(&p.Twiddle)) = uintptr(table)
}

type passWords [unsafe.Sizeof(Pass{}) / unsafe.Sizeof(uintptr(0))]uintptr

// Form says where the planes of a pass lie.
type Form int

const (
	Split       Form = iota // element stride one
	Interleaved             // element stride two
)

// Kernel runs a pass. Without a twiddle table it multiplies every output by
// scale; with one, and for leads and turns, scale must be 1. dst and src must
// not overlap, except that one butterfly row may run in place when Cols is a
// multiple of the kernel's lanes.
type Kernel func(p *Pass, dstRe, dstIm, srcRe, srcIm unsafe.Pointer, scale float64)

// MaxRadix is the largest radix of a pass.
const MaxRadix = 32
