package nd

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd/internal/shape"
)

// Einsum multiplies arrays and sums over the axes that the result does not
// name, in Einstein's notation as NumPy has it: a letter for each axis of each
// operand, and those of the result.
//
//	nd.Einsum("bij,bjk->bik", a, b) // products of matrices
//	nd.Einsum("ii->", a)            // the trace
//	nd.Einsum("...c,c->...", x, w)  // the last axis against a vector
//
// Without an arrow the result has the letters that occur once, in alphabetical
// order. An ellipsis stands for any leading axes, which broadcast. Operands are
// taken from left to right, two at a time; what is summed over is a matrix
// product.
func Einsum(subscripts string, operands ...*Array) *Array {
	if bad := unusable("einsum", operands...); bad != nil {
		return bad
	}
	terms, result, err := parseEinsum(subscripts, operands)
	if err != nil {
		return failed("einsum", fmt.Errorf("%q: %w", subscripts, err), operands...)
	}
	for i := range terms {
		terms[i] = terms[i].diagonals()
	}
	out := terms[0]
	for i, next := range terms[1:] {
		wanted := slices.Clone(result)
		for _, later := range terms[i+2:] {
			wanted = append(wanted, later.axes...)
		}
		out = contracted(out.reducedTo(append(next.axes, wanted...)), next.reducedTo(append(out.axes, wanted...)), wanted)
	}
	return named("einsum", out.reducedTo(result).ordered(result).array)
}

// term is an operand with a letter for each axis.
type term struct {
	array *Array
	axes  []rune
}

// ellipsisAxis is the letter of the i-th last axis of an ellipsis.
func ellipsisAxis(i int) rune { return -1 - rune(i) }

// parseEinsum gives operands their letters, and those of the result.
func parseEinsum(subscripts string, operands []*Array) (terms []term, result []rune, err error) {
	left, right, explicit := strings.Cut(strings.ReplaceAll(subscripts, " ", ""), "->")
	parts := strings.Split(left, ",")
	if len(parts) != len(operands) {
		return nil, nil, fmt.Errorf("%s for %s", counted.Of(len(parts), "term"), counted.Of(len(operands), "array"))
	}
	sizes := map[rune]int{}
	for i, part := range parts {
		axes, err := einsumAxes(part, operands[i].NDim())
		if err != nil {
			return nil, nil, fmt.Errorf("term %d: %w", i, err)
		}
		for d, l := range axes {
			n := operands[i].Dim(d)
			switch old, seen := sizes[l]; {
			case !seen || l < 0 && old == 1:
				sizes[l] = n
			case old != n && !(l < 0 && n == 1):
				return nil, nil, fmt.Errorf("axis %s has %s and %d", axisName(l), counted.Of(old, "element"), n)
			}
		}
		terms = append(terms, term{operands[i], axes})
	}
	for i, t := range terms {
		terms[i].array = t.spread(sizes)
	}
	if explicit {
		widest := 0
		for l := range sizes {
			widest = max(widest, int(-l))
		}
		result, err = einsumAxes(right, len([]rune(strings.Replace(right, "...", "", 1)))+widest)
		if err != nil {
			return nil, nil, fmt.Errorf("result: %w", err)
		}
		for i, l := range result {
			if _, known := sizes[l]; !known || slices.Contains(result[:i], l) {
				return nil, nil, fmt.Errorf("result: axis %s is named by no term, or twice", axisName(l))
			}
		}
		return terms, result, nil
	}
	count := map[rune]int{}
	for _, t := range terms {
		for _, l := range t.axes {
			count[l]++
		}
	}
	for l, n := range count {
		if n == 1 || l < 0 {
			result = append(result, l)
		}
	}
	slices.Sort(result) // those of an ellipsis are negative: first
	return terms, result, nil
}

// einsumAxes is the letters of a term with rank axes.
func einsumAxes(part string, rank int) ([]rune, error) {
	before, after, dots := strings.Cut(part, "...")
	named := len([]rune(before)) + len([]rune(after))
	if named > rank || !dots && named < rank {
		return nil, fmt.Errorf("%q names %s, the operand has %d", part, counted.Of(named, "axis", "axes"), rank)
	}
	axes := []rune(before)
	for i := rank - named; i > 0; i-- {
		axes = append(axes, ellipsisAxis(i-1))
	}
	axes = append(axes, []rune(after)...)
	for _, l := range axes {
		if l > 0 && !unicode.IsLetter(l) {
			return nil, fmt.Errorf("%q is not a letter", l)
		}
	}
	return axes, nil
}

func axisName(l rune) string {
	if l < 0 {
		return "..."
	}
	return string(l)
}

// spread broadcasts the axes of an ellipsis to their sizes.
func (t term) spread(sizes map[rune]int) *Array {
	dims := t.array.Shape()
	for d, l := range t.axes {
		dims[d] = sizes[l]
	}
	if slices.Equal(dims, t.array.node.Shape) {
		return t.array
	}
	return t.array.BroadcastTo(dims...)
}

// diagonals makes one axis of those with the same letter.
func (t term) diagonals() term {
	for i := 0; i < len(t.axes); i++ {
		for j := i + 1; j < len(t.axes); j++ {
			if t.axes[i] != t.axes[j] {
				continue
			}
			axes := slices.Concat(t.axes[:i], t.axes[i+1:j], t.axes[j+1:])
			perm := slices.Concat(slices.Delete(slices.Delete(shape.AllAxes(len(t.axes)), j, j+1), i, i+1), []int{i, j})
			square := t.array.Transpose(perm...)
			n := square.Dim(-1)
			dims := square.Shape()[:len(axes)]
			flat := square.Reshape(append(dims, n*n)...)
			return term{flat.SliceAxis(-1, Range{Stop: End, Step: n + 1}), append(axes, t.axes[i])}.diagonals()
		}
	}
	return t
}

// reducedTo sums over the axes that are not in keep.
func (t term) reducedTo(keep []rune) term {
	var axes []rune
	var over []int
	for d, l := range t.axes {
		if slices.Contains(keep, l) {
			axes = append(axes, l)
		} else {
			over = append(over, d)
		}
	}
	if len(over) == 0 {
		return t
	}
	return term{t.array.Sum(over...), axes}
}

// ordered brings the axes into an order.
func (t term) ordered(axes []rune) term {
	perm := make([]int, len(axes))
	for i, l := range axes {
		perm[i] = slices.Index(t.axes, l)
	}
	if len(perm) == 0 || slices.IsSorted(perm) {
		return term{t.array, axes}
	}
	return term{t.array.Transpose(perm...), axes}
}

// contracted multiplies two terms and sums over what both have and nobody wants.
func contracted(a, b term, wanted []rune) term {
	var batch, left, right, inner []rune
	for _, l := range a.axes {
		switch shared := slices.Contains(b.axes, l); {
		case !shared:
			left = append(left, l)
		case slices.Contains(wanted, l):
			batch = append(batch, l)
		default:
			inner = append(inner, l)
		}
	}
	for _, l := range b.axes {
		if !slices.Contains(a.axes, l) {
			right = append(right, l)
		}
	}
	a, b = a.ordered(slices.Concat(batch, left, inner)), b.ordered(slices.Concat(batch, inner, right))
	axes := slices.Concat(batch, left, right)
	dims := append(a.array.Shape()[:len(batch)+len(left)], b.array.Shape()[len(batch)+len(inner):]...)
	rows, columns := elements(a.array.Shape()[len(batch):][:len(left)]), elements(b.array.Shape()[len(batch)+len(inner):])
	size := a.array.Shape()[:len(batch)]
	depth := elements(a.array.Shape()[len(batch)+len(left):])
	x := a.array.Reshape(append(slices.Clone(size), rows, depth)...)
	y := b.array.Reshape(append(slices.Clone(size), depth, columns)...)
	if len(inner) == 0 {
		return term{x.Mul(y).Reshape(dims...), axes}
	}
	return term{x.MatMul(y).Reshape(dims...), axes}
}

// elements is the number of elements of a shape.
func elements(dims []int) int {
	n := 1
	for _, d := range dims {
		n *= d
	}
	return n
}
