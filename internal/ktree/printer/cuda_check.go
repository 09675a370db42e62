package printer

import (
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

// Access is a place in a checked kernel where an index may leave its object.
type Access struct {
	Pos  source.Pos
	Name string // the object, or the pointer into it
}

// FaultWords are the words of a checked kernel's fault cell: the Access by
// number, from 1; the index; how many elements there are; and the thread, by
// its place in the grid in row-major order, x fastest. All are zero at first;
// the first fault to be seen stays.
const FaultWords = 4

// CUDAChecked is CUDA with every index checked. After the parameters of CUDA
// come the lengths in elements, as unsigned long longs, of all inputs, outputs
// and metadata pointers, and a pointer to the fault cell. An access outside its
// object touches nothing and is noted in the cell; the kernel goes on.
func CUDAChecked(p *ktree.Program, threadgroup [3]int) (text string, accesses []Access) {
	c := &cuda{p: p, group: threadgroup, turns: 1, check: true}
	c.b.WriteString(cudaPrelude)
	c.b.WriteString(cudaCheckPrelude)
	c.program()
	return c.b.String(), c.accesses
}

// Fault tells what a fault cell holds after a launch over a grid of threads, in
// the words of the CPU's machine; ok is false if there was no fault.
func Fault(p *ktree.Program, accesses []Access, words [FaultWords]uint64, grid [3]int) (e *source.Error, thread [3]int, ok bool) {
	if words[0] == 0 || words[0] > uint64(len(accesses)) {
		return nil, thread, false
	}
	a := accesses[words[0]-1]
	e = &source.Error{Place: p.Source.Place(a.Pos),
		Msg: fmt.Sprintf("index %d is outside %s, which has %s", int64(words[1]), a.Name, counted.Of(words[2], "element"))}
	x, y := uint64(grid[0]), uint64(grid[1])
	return e, [3]int{int(words[3] % x), int(words[3] / x % y), int(words[3] / x / y)}, true
}

// cudaCheckPrelude has pointers that know their object.
const cudaCheckPrelude = `
__device__ double tw_trash[8];
__shared__ unsigned long long* tw_cell;
__shared__ unsigned long long tw_threads[2];
namespace tw {
TW void outside(int access, i64 i, u64 n) {
  if (atomicCAS(&tw_cell[0], 0ull, (u64)access + 1ull) != 0ull) return;
  tw_cell[1] = (u64)i; tw_cell[2] = n;
  const u64 x = (u64)blockIdx.x * blockDim.x + threadIdx.x;
  const u64 y = (u64)blockIdx.y * blockDim.y + threadIdx.y;
  const u64 z = (u64)blockIdx.z * blockDim.z + threadIdx.z;
  tw_cell[3] = x + tw_threads[0] * (y + tw_threads[1] * z);
}
TW i64 inside(i64 i, u64 n, int access) { if ((u64)i < n) return i; outside(access, i, n); return 0; }
template <class T> struct span {
  T* p; i64 off; u64 n;
  TW span(T* p, u64 n, i64 off = 0) : p(p), off(off), n(n) {}
  template <class U> TW span(const span<U>& o) : p(o.p), off(o.off), n(o.n) {}
  TW T& at(i64 i, int access) const {
    i += off;
    if ((u64)i < n) return p[i];
    outside(access, i, n);
    return *(T*)tw_trash;
  }
  TW span operator+(i64 k) const { return span(p, n, off + k); }
};
}  // namespace tw
`

// access numbers a place where an index may go wrong.
func (c *cuda) access(pos source.Pos, e ktree.Expr) int {
	name := "it"
	if v, ok := ktree.Root(e); ok {
		name = v.Name
	}
	c.accesses = append(c.accesses, Access{Pos: pos, Name: name})
	return len(c.accesses) - 1
}

// checkedIndex is an element whose index is looked at.
func (c *cuda) checkedIndex(e *ktree.Index) string {
	if e.X.T().Form == ktree.Pointer {
		return fmt.Sprintf("%s.at(%s, %d)", c.expr(e.X), bare(c.expr(e.I)), c.access(e.Pos, e.X))
	}
	base, flat, total := c.flatIndex(e)
	return fmt.Sprintf("%s[tw::inside(%s, %d, %d)]", base, flat, total, c.access(e.Pos, e))
}

// flatIndex is x[i][j] as the first element's address, one index, and the
// number of all elements.
func (c *cuda) flatIndex(e ktree.Expr) (base, flat string, total int) {
	var parts []string
	for {
		ix, ok := e.(*ktree.Index)
		if !ok {
			break
		}
		part := "(tw::i64)" + c.expr(ix.I)
		if ix.Type.Form == ktree.Array {
			part = fmt.Sprintf("%s * %d", part, ix.Type.Len())
		}
		parts = append([]string{part}, parts...)
		e = ix.X
	}
	if len(parts) == 0 {
		parts = []string{"0"}
	}
	return c.firstElement(e), strings.Join(parts, " + "), e.T().Len()
}

// firstElement is a pointer to the start of an array; tables have one
// dimension whatever their type.
func (c *cuda) firstElement(e ktree.Expr) string {
	s := c.expr(e)
	if e.T().Space == ktree.Constant {
		return s
	}
	for _, d := range e.T().Dims {
		if d != 0 {
			s += "[0]"
		}
	}
	return "(&" + s + ")"
}

// checkedAddress is &x as a pointer that knows its object.
func (c *cuda) checkedAddress(e *ktree.Addr) string {
	elem := c.value(e.Type.Elem())
	if e.Type.Const {
		elem = "const " + elem
	}
	switch x := e.X.(type) {
	case *ktree.Index:
		if x.X.T().Form == ktree.Pointer {
			return fmt.Sprintf("(%s + %s)", c.expr(x.X), c.expr(x.I))
		}
	case *ktree.Ref:
		if x.Type.Form == ktree.Value {
			return fmt.Sprintf("tw::span<%s>(&%s, 1)", elem, c.expr(x))
		}
	}
	base, flat, total := c.flatIndex(e.X)
	return fmt.Sprintf("tw::span<%s>(%s, %d, %s)", elem, base, total, flat)
}
