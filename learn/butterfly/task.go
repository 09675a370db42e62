package butterfly

import (
	"context"
	"math"

	"github.com/twiddle-go/twiddle/learn"
	"github.com/twiddle-go/twiddle/nd"
)

// task is some matrices of one size to be taken apart together.
type task struct {
	form   Form
	count  int
	half   int
	scales []float64 // root mean square of each
	target *nd.Array // (count, row, col, i, j): element (row*half+i, col*half+j), over its scale
}

func newTask(f Form, all []Matrix, which []int) *task {
	size := all[0].N
	t := &task{form: f, count: len(which), half: size / 2}
	data := make([]complex128, 0, len(which)*size*size)
	for _, w := range which {
		sum := 0.0
		for _, v := range all[w].Data {
			sum += real(v)*real(v) + imag(v)*imag(v)
		}
		scale := math.Sqrt(sum / float64(size*size))
		if scale == 0 {
			scale = 1
		}
		t.scales = append(t.scales, scale)
		for _, v := range all[w].Data {
			data = append(data, v/complex(scale, 0))
		}
	}
	a := nd.From(data, t.count, 2, t.half, 2, t.half).Transpose(0, 1, 3, 2, 4)
	if f.Real {
		a = a.Real()
	}
	t.target = a
	return t
}

// shapes are those of the parameters: in a single form the blocks of S and the
// rows of T1 and T2; in a double one, for each of T1 and T2, the columns of S,
// T itself, and the rows of R.
func (t *task) shapes() (names []string, shapes [][]int) {
	n, h := t.count, t.half
	if !t.form.isDouble() {
		return []string{"s", "t"}, [][]int{{n, 2, 2, h, 1}, {n, 1, 2, h, h}}
	}
	return []string{"s1", "t1", "r1", "s2", "t2", "r2"}, [][]int{
		{n, 2, 1, h, 1}, {n, 1, 1, h, h}, {n, 1, 2, 1, h},
		{n, 2, 1, h, 1}, {n, 1, 1, h, h}, {n, 1, 2, 1, h},
	}
}

// gain is what the dense parameters are multiplied by. Each element of S and R
// meets half as many elements of the target as a row is long, each of T1 and T2
// only a few: so scaled, the loss is equally steep in all of them.
func (t *task) gain() float64 { return math.Sqrt(float64(t.half)) }

// isDense reports the parameters that gain is for.
func isDense(name string) bool { return name[0] == 't' }

// random draws parameters, normal with a standard deviation that gives
// products of about the target's size.
func (t *task) random(key nd.Key) []learn.Param {
	names, shapes := t.shapes()
	params := make([]learn.Param, len(names))
	for i, s := range shapes {
		deviation := 0.7
		if isDense(names[i]) {
			deviation /= t.gain()
		}
		draw := func(k uint64) *nd.Array {
			return nd.Normal(key.Fold(uint64(i)).Fold(k), nd.Float64, s...).MulScalar(deviation)
		}
		v := draw(0)
		if !t.form.Real {
			v = nd.Complex(v, draw(1))
		}
		params[i] = learn.Param{Name: names[i], Value: v}
	}
	return params
}

// product is what the parameters make of the target.
func (t *task) product(p []*nd.Array) *nd.Array {
	sum := p[0].Mul(p[1])
	if t.form.isDouble() {
		sum = sum.Mul(p[2]).Add(p[3].Mul(p[4]).Mul(p[5]))
	}
	return sum.MulScalar(t.gain())
}

// loss is the sum, over matrices, of the mean squared error.
func (t *task) loss(p []*nd.Array) *nd.Array {
	return t.product(p).Sub(t.target).AbsSquared().Sum().MulScalar(1 / float64(4*t.half*t.half))
}

// splits reads the outcome, with the vectors in S and R of length 1.
func (t *task) splits(ctx context.Context, params []learn.Param) ([]split, error) {
	list := make([]*nd.Array, len(params))
	for i, p := range params {
		list[i] = p.Value
	}
	off, err := nd.Slice[float64](ctx, t.product(list).Sub(t.target).AbsSquared().Mean(1, 2, 3, 4).Sqrt())
	if err != nil {
		return nil, err
	}
	values := make([][]complex128, len(list))
	for i, a := range list {
		if values[i], err = nd.Slice[complex128](ctx, a.Cast(nd.Complex128)); err != nil {
			return nil, err
		}
	}
	out := make([]split, t.count)
	for b := range out {
		if t.form.isDouble() {
			out[b] = t.splitDouble(values, b)
		} else {
			out[b] = t.splitSingle(values, b)
		}
		out[b].off = off[b]
	}
	return out, nil
}

func (t *task) newSplit() split {
	h := t.half
	s := split{left: make([]block, h)}
	for k := range s.middle {
		s.middle[k] = Matrix{h, make([]complex128, h*h)}
	}
	if t.form.isDouble() {
		s.right = make([]block, h)
	}
	return s
}

func (t *task) splitSingle(v [][]complex128, b int) split {
	h := t.half
	s := t.newSplit()
	for c := range 2 {
		for i := range h {
			x, y := v[0][((b*2+0)*2+c)*h+i], v[0][((b*2+1)*2+c)*h+i]
			x, y, length := unit(x, y)
			s.left[i][0][c], s.left[i][1][c] = x, y
			for j := range h {
				s.middle[c].Data[i*h+j] = v[1][((b*2+c)*h+i)*h+j] * complex(length*t.scales[b]*t.gain(), 0)
			}
		}
	}
	return s
}

func (t *task) splitDouble(v [][]complex128, b int) split {
	h := t.half
	s := t.newSplit()
	for k := range 2 {
		sides, mid, rows := v[3*k], v[3*k+1], v[3*k+2]
		long, wide := make([]float64, h), make([]float64, h)
		for i := range h {
			s.left[i][0][k], s.left[i][1][k], long[i] = unit(sides[(b*2+0)*h+i], sides[(b*2+1)*h+i])
			s.right[i][k][0], s.right[i][k][1], wide[i] = unit(rows[(b*2+0)*h+i], rows[(b*2+1)*h+i])
		}
		for i := range h {
			for j := range h {
				s.middle[k].Data[i*h+j] = mid[(b*h+i)*h+j] * complex(long[i]*wide[j]*t.scales[b]*t.gain(), 0)
			}
		}
	}
	return s
}

// unit makes a vector of length 1, and gives the length it had.
func unit(x, y complex128) (complex128, complex128, float64) {
	length := math.Sqrt(real(x)*real(x) + imag(x)*imag(x) + real(y)*real(y) + imag(y)*imag(y))
	if length == 0 {
		return 1, 0, 0
	}
	return x / complex(length, 0), y / complex(length, 0), length
}
