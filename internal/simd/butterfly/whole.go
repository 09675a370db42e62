package butterfly

import (
	"slices"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// MaxWhole is the longest line that some level transforms by one kernel.
const MaxWhole = 2048

// Layout is how a whole-line kernel sees its line: as so many rows, which it transforms
// down the columns first, vectors of columns at a time.
type Layout struct {
	Rows int
	// Lanes is the column in each lane of a vector, counted from the vector's first. Where
	// complex numbers stay interleaved a column has two lanes, with the same twiddle in both.
	Lanes []int
	// Tilted kernels have a table as [TiltedTable] makes it.
	Tilted bool
	// Along are the radices of rows of several vectors, or nil.
	Along []int
}

// Width is the columns of a vector.
func (l Layout) Width() int { return slices.Max(l.Lanes) + 1 }

// whole is a whole-line kernel.
type whole struct {
	kernel Kernel
	layout Layout
}

// rowed is a kernel for rows of one vector.
func rowed(n, lanes int, kernel Kernel) whole {
	return whole{kernel, Layout{Rows: n / lanes, Lanes: inOrder(lanes), Tilted: true}}
}

// deep is a kernel for as many rows as lanes, of first*second columns.
func deep(lanes, first, second int, kernel Kernel) whole {
	return whole{kernel, Layout{Rows: lanes, Lanes: inOrder(lanes), Tilted: true, Along: []int{first, second}}}
}

// jointed is a kernel for so many rows of vectors of complex numbers.
func jointed(rows, numbers int, kernel Kernel) whole {
	lanes := make([]int, 2*numbers)
	for i := range lanes {
		lanes[i] = i / 2
	}
	return whole{kernel, Layout{Rows: rows, Lanes: lanes, Tilted: true}}
}

func inOrder(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// Whole returns the kernel of a level, or of one below, that transforms whole
// lines of n elements, and its layout; nil where there is none. Both sides are
// interleaved, and Rows lines lie InRow and OutRow elements apart. Kernels whose
// lanes are not in order want planes exchanged on both sides or on neither.
func Whole[R Float](level simd.Level, n int) (Kernel, Layout) {
	for l := level; l > simd.Portable; l-- {
		if w := vectorWhole(l, 8*sizeof[R](), n); w.kernel != nil {
			return w.kernel, w.layout
		}
	}
	return nil, Layout{}
}

// PortableWhole is the reference for the whole-line kernels of n elements. Its table
// has, for each vector of columns and each row but the first, a vector of real and one
// of imaginary parts: root j*c of order n for row j, column c.
func PortableWhole[R Float](n int, l Layout) Kernel {
	lanes, width, columns := len(l.Lanes), l.Width(), n/l.Rows
	down, along := small[R](l.Rows), small[R](columns)
	return func(p *Pass, dstRe, dstIm, srcRe, srcIm unsafe.Pointer, scale float64) {
		var x legs[R]
		var re, im [MaxWhole]R
		for line := range p.Rows {
			for v := range columns / width * lanes {
				c := v/lanes*width + l.Lanes[v%lanes]
				x.load(srcRe, srcIm, 2*(line*p.InRow+c), 2*columns, l.Rows)
				down(&x)
				for j := range l.Rows {
					if j > 0 {
						w := 2*(v/lanes*(l.Rows-1)+j-1)*lanes + v%lanes
						x.times(j, *at[R](p.Twiddle, w), *at[R](p.Twiddle, w+lanes))
					}
					re[j*columns+c], im[j*columns+c] = x.re[j], x.im[j]
				}
			}
			for j := range l.Rows {
				copy(x.re[:columns], re[j*columns:])
				copy(x.im[:columns], im[j*columns:])
				along(&x)
				x.store(dstRe, dstIm, 2*(line*p.OutRow+j), 2*l.Rows, columns, R(scale))
			}
		}
	}
}
