package butterfly

import (
	"slices"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/roots"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// MaxWhole is the longest line that some level transforms by one kernel.
const MaxWhole = 4096

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
	// JointFirst kernels keep complex numbers interleaved down the columns.
	JointFirst bool
	// ToBins kernels untangle the bins of real lines of twice the length, FromBins tangle them.
	ToBins, FromBins bool
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
	return whole{kernel, Layout{Rows: lanes, Lanes: inOrder(lanes), Tilted: true, Along: []int{first, second}, JointFirst: lanes == 16}}
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
	down, along := small[R](l.Rows), alongRow[R](columns)
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
				along(re[j*columns:], im[j*columns:], func(k int, yr, yi R) {
					to := 2 * (line*p.OutRow + j + k*l.Rows)
					*at[R](dstRe, to), *at[R](dstIm, to) = yr*R(scale), yi*R(scale)
				})
			}
		}
	}
}

// alongRow transforms a row, as one butterfly or, if it is too long for that, by its sums.
func alongRow[R Float](columns int) func(re, im []R, put func(k int, re, im R)) {
	if columns <= maxLegs {
		transform := small[R](columns)
		return func(re, im []R, put func(k int, re, im R)) {
			var x legs[R]
			copy(x.re[:columns], re)
			copy(x.im[:columns], im)
			transform(&x)
			for k := range columns {
				put(k, x.re[k], x.im[k])
			}
		}
	}
	table := roots.Of(columns)
	return func(re, im []R, put func(k int, re, im R)) {
		for k := range columns {
			var sr, si float64
			walk := table.Walk(0, k)
			for j := range columns {
				wr, wi := walk.Next()
				sr += float64(re[j])*wr - float64(im[j])*wi
				si += float64(re[j])*wi + float64(im[j])*wr
			}
			put(k, R(sr), R(si))
		}
	}
}
