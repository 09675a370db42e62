package recurse

import "github.com/twiddle-go/twiddle/internal/simd"

// Cascade takes one line through sections of order 2, in place. c is six numbers for each
// section, as Section has them, and state two. It gives the bits that the level's Section
// gives, and takes about as long for all sections as that does for one.
type Cascade func(x, c, state []float64)

// CascadeFor is the kernel of a level, or nil if it has none.
func CascadeFor(l simd.Level) Cascade { return cascaded(l) }
