package linalg

import (
	"math"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/gemm"
	"github.com/twiddle-go/twiddle/internal/simd/row"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd"
)

// Cholesky's factors: the upper half of a matrix, whose rows are solved with a triangle as those of
// elimination are, so that the lower half is read and written across.

func nativeCholesky(g *nd.Group) {
	if g.Inputs[0].Type == nd.Float64 {
		choleskyMatrices[float64](g)
		return
	}
	choleskyMatrices[float32](g)
}

func choleskyMatrices[T float32 | float64](g *nd.Group) {
	n := g.Inputs[0].Shape[1]
	s := systems.Get().(*system64)
	defer systems.Put(s)
	each(g, func(m int) {
		a, l, fault := matrixOf[T](g.Inputs[0], m, n*n), matrixOf[T](g.Outputs[0], m, n*n), &nd.Elements[int64](g.Outputs[1])[m]
		s.prepare(n, n)
		// Blocks of rows of the lower half: of strips across all rows, what is not in a cache would take twice as long.
		for i := 0; i < n; i += row.Block {
			rows := min(row.Block, n-i)
			across(s.v[i:], a[i*n:], s.length, n, rows, i+rows)
		}
		*fault = -1
		if place := s.root(); place >= 0 {
			*fault = int64(n*n + place)
			// What is not finite below the diagonal is always found here, in the pivot of its row at the latest.
			for i := range n {
				if at := notFinite(a[i*n:][:i+1]); at >= 0 {
					*fault = int64(i*n + at)
					return
				}
			}
			return
		}
		for first := 0; first < n; first += row.Block {
			end := min(first+row.Block, n)
			across(l[first*n:], s.v[first:], n, s.length, end, end-first)
			for i := first; i < end; i++ {
				clear(l[i*n+i+1 : (i+1)*n])
			}
		}
	})
}

// across copies rows of some columns as columns.
func across[A, B float32 | float64](dst []A, src []B, dstStride, srcStride, rows, columns int) {
	if to, ok := any(dst).([]float64); ok {
		if from, ok := any(src).([]float64); ok {
			vec.For(simd.Active()).Move.Transpose(8, unsafe.Pointer(&to[0]), unsafe.Pointer(&from[0]), dstStride, srcStride, rows, columns, false)
			return
		}
	}
	for i := range rows {
		for j, v := range src[i*srcStride:][:columns] {
			dst[j*dstStride+i] = A(v)
		}
	}
}

// columnsOf makes n rows the columns of a matrix. Lines of what is written stay in a cache.
func columnsOf[T float32 | float64](to []T, rows square, n int) {
	for i := 0; i < n; i += row.Block {
		across(to[i*n:], rows.v[i:], n, rows.length, n, min(row.Block, n-i))
	}
}

// rootRows is how many rows of the root are made before a product takes them out of all others.
const rootRows = 32

// root makes the upper half R, where R' R is what it was. It gives the first pivot that is not
// positive, or not finite, or -1.
func (s *system64) root() int {
	if size := rootRows * s.length; cap(s.beside) < size {
		s.beside = make([]float64, size)
	}
	// What is taken out of others, negative, as rows of a panel.
	negative := gemm.Matrix[float64]{Data: s.beside[:rootRows*s.length], Row: 1, Col: s.length}
	for first := 0; first < s.n; first += rootRows {
		end := min(first+rootRows, s.n)
		for r := first; r < end; r += row.Block {
			next := min(r+row.Block, s.n)
			negative.Offset = r
			gemm.AddMul(next-r, s.n-r, r-first, s.matrix(r, r), negative, s.matrix(first, r), nil)
			if place := s.rootBlock(r, next); place >= 0 {
				return place
			}
			if next == s.n {
				return -1
			}
			rowOps.Substitute(&s.block, s.v, r*s.length+next, s.length, roundUp(s.n-next, row.Block))
			for i := r; i < next; i++ {
				to := negative.Data[(i-first)*s.length+next:]
				for k, v := range s.row(i)[next:s.n] {
					to[k] = -v
				}
			}
		}
		const rows = 64
		for at := end; at < s.n; at += rows {
			negative.Offset = at
			gemm.AddMul(min(rows, s.n-at), s.n-at, end-first, s.matrix(at, at), negative, s.matrix(first, at), nil)
		}
	}
	return -1
}

// rootBlock is root for a few rows and as many columns. It leaves in block what solves with them.
func (s *system64) rootBlock(first, end int) int {
	by := &s.block.By
	for i := first; i < end; i++ {
		line := (*[row.Block]float64)(s.row(i)[first:])
		d := line[i-first]
		if !(d > 0 && d <= math.MaxFloat64) {
			return i
		}
		over := 1 / math.Sqrt(d)
		for k := i - first; k < end-first; k++ {
			line[k] *= over
		}
		by[(i-first)*(row.Block+1)] = over
		for r := i + 1; r < end; r++ {
			v := line[r-first]
			by[(r-first)*row.Block+i-first] = -v
			under := (*[row.Block]float64)(s.row(r)[first:])
			for k := r - first; k < end-first; k++ {
				under[k] -= v * line[k]
			}
		}
	}
	return -1
}
