package nd

import "math/bits"

// grow applies one operation, chosen by the script, to Arrays of the sketch.
// Arguments are sometimes nonsense: the result is then an error or the
// documented value, never a panic.
func (s *sketch) grow() {
	x := s.pick()
	families := []func(place){
		s.growMap, s.growMap, s.growBinary, s.growBinary, s.growScalar, s.growView, s.growView, s.growView,
		s.growSlice, s.growSlice, s.growShape, s.growReduce, s.growReduce, s.growOrder, s.growIndex, s.growJoin,
		s.growPad, s.growMatMul, s.growFFT, s.growButterfly, s.growSource, s.growStream,
	}
	families[s.next(len(families))](x)
}

// small keeps whole numbers small enough for exact arithmetic in float16. A
// rough number is clipped: the remainder of 13 is 0 and that of the float64
// before it nearly 13, so that a rounding within bounds would look like a
// wrong result. No discontinuous function of a rough number is drawn.
func small(a *Array, rough bool) *Array {
	switch {
	case a.Err() != nil || !a.DType().IsOrdered() || a.DType() == Bool:
		return a
	case rough:
		return a.Clip(-13, 13)
	}
	return a.RemScalar(13)
}

func (s *sketch) growMap(x place) {
	switch s.next(12) {
	case 0:
		s.keep(x.Neg(), x.rough, "neg %%%d", x.id)
	case 1:
		s.keep(x.Abs(), x.rough || x.DType().IsComplex(), "abs %%%d", x.id)
	case 2:
		if !x.rough {
			s.keep(x.Sign(), x.DType().IsComplex(), "sign %%%d", x.id)
		}
	case 3:
		s.keep(small(x.AbsSquared(), x.rough), x.rough, "abs_squared %%%d", x.id)
	case 4:
		s.keep(x.Conj(), x.rough, "conj %%%d", x.id)
	case 5:
		s.keep(x.Real(), x.rough, "real %%%d", x.id)
	case 6:
		s.keep(x.Imag(), x.rough, "imag %%%d", x.id)
	case 7:
		s.keep(x.Not(), false, "not %%%d", x.id)
	case 8:
		s.keep(x.IsNaN(), false, "isnan %%%d", x.id)
	case 9:
		if t := s.dtype(); !x.rough {
			s.keep(x.Cast(t), false, "cast %%%d to %s", x.id, t)
		}
	case 10:
		s.keep(x.Tanh(), true, "tanh %%%d", x.id)
	case 11:
		if !x.rough {
			s.keep(x.Floor(), false, "floor %%%d", x.id)
		}
	}
}

func (s *sketch) growBinary(x place) {
	y := s.pick()
	rough := x.rough || y.rough
	switch s.next(11) {
	case 0, 1:
		s.keep(small(x.Add(y.Array), rough), rough, "add %%%d %%%d", x.id, y.id)
	case 2:
		s.keep(small(x.Sub(y.Array), rough), rough, "sub %%%d %%%d", x.id, y.id)
	case 3:
		if !rough {
			s.keep(small(x.Mul(y.Array), false), x.DType().IsComplex(), "mul %%%d %%%d", x.id, y.id)
		}
	case 4:
		s.keep(x.Maximum(y.Array), rough, "maximum %%%d %%%d", x.id, y.id)
	case 5:
		s.keep(x.Minimum(y.Array), rough, "minimum %%%d %%%d", x.id, y.id)
	case 6:
		if !rough {
			s.keep(x.Less(y.Array), false, "less %%%d %%%d", x.id, y.id)
		}
	case 7:
		if !rough {
			s.keep(x.Equal(y.Array), false, "equal %%%d %%%d", x.id, y.id)
		}
	case 8:
		s.keep(x.Xor(y.Array), false, "xor %%%d %%%d", x.id, y.id)
	case 9:
		z := s.pick()
		s.keep(Where(z.Array, x.Array, y.Array), rough, "where %%%d %%%d %%%d", z.id, x.id, y.id)
	case 10:
		s.keep(Complex(x.Array, y.Array), rough, "complex %%%d %%%d", x.id, y.id)
	}
}

func (s *sketch) growScalar(x place) {
	v := s.next(9) - 4
	switch s.next(5) {
	case 0:
		s.keep(small(x.AddScalar(v), x.rough), x.rough, "add %%%d, %d", x.id, v)
	case 1:
		s.keep(small(x.MulScalar(v), x.rough), x.rough, "mul %%%d, %d", x.id, v)
	case 2:
		s.keep(x.Clip(v, v+3), x.rough, "clip %%%d, %d", x.id, v)
	case 3:
		if !x.rough {
			s.keep(x.GreaterScalar(v), false, "greater %%%d, %d", x.id, v)
		}
	case 4:
		s.keep(x.DivScalar(3), true, "div %%%d, 3", x.id)
	}
}

func (s *sketch) growView(x place) {
	n := x.NDim()
	switch s.next(7) {
	case 0:
		perm := make([]int, n)
		for i := range perm {
			perm[i] = i
		}
		for i := n - 1; i > 0; i-- {
			j := s.next(i + 1)
			perm[i], perm[j] = perm[j], perm[i]
		}
		if s.next(10) == 0 {
			perm = append(perm, s.any(n))
		}
		s.keep(x.Transpose(perm...), x.rough, "transpose %%%d %v", x.id, perm)
	case 1:
		axis, size, hop := s.axis(x), 1+s.next(5), 1+s.next(3)
		if s.next(10) == 0 {
			size, hop = s.any(4), s.any(3)
		}
		s.keep(x.Frames(size, hop, axis), x.rough, "frames %%%d size %d hop %d axis %d", x.id, size, hop, axis)
	case 2:
		dims := append(s.shape(1), x.Shape()...)
		for i, d := range dims {
			if d == 1 {
				dims[i] = 1 + s.next(4)
			}
		}
		s.keep(x.BroadcastTo(dims...), x.rough, "broadcast %%%d %v", x.id, dims)
	case 3:
		axis := s.axis(x)
		s.keep(x.Flip(axis), x.rough, "flip %%%d %d", x.id, axis)
	case 4:
		i, j := s.axis(x), s.axis(x)
		s.keep(x.SwapAxes(i, j), x.rough, "swap %%%d %d %d", x.id, i, j)
	case 5:
		t := s.dtype()
		if t.IsInteger() && x.DType().IsInteger() { // floats of any bits would be inexact
			s.keep(small(x.BitCast(t), x.rough), x.rough, "bitcast %%%d %s", x.id, t)
		}
	case 6:
		axis, shift := s.axis(x), s.any(20)
		s.keep(x.Roll(shift, axis), x.rough, "roll %%%d by %d axis %d", x.id, shift, axis)
	}
}

func (s *sketch) growSlice(x place) {
	ranges := make([]Range, s.next(x.NDim()+2))
	for i := range ranges {
		ranges[i] = Range{Start: s.any(3), Stop: s.any(6), Step: s.next(7) - 3}
		if s.next(3) == 0 {
			ranges[i].Stop = End
		}
	}
	s.keep(x.Slice(ranges...), x.rough, "slice %%%d %v", x.id, ranges)
}

func (s *sketch) growShape(x place) {
	switch s.next(5) {
	case 0: // another shape of as many elements
		dims := []int{}
		for n := x.Len(); n > 1; {
			d := 2 + s.next(5)
			if n%d != 0 {
				d = n
			}
			dims = append(dims, d)
			n /= d
		}
		if s.next(3) == 0 && len(dims) > 0 {
			dims[s.next(len(dims))] = -1
		}
		s.keep(x.Reshape(dims...), x.rough, "reshape %%%d %v", x.id, dims)
	case 1:
		axis := s.axis(x)
		s.keep(x.ExpandDims(axis), x.rough, "expand %%%d %d", x.id, axis)
	case 2:
		s.keep(x.Squeeze(), x.rough, "squeeze %%%d", x.id)
	case 3:
		counts := make([]int, s.next(3))
		for i := range counts {
			counts[i] = s.next(4)
		}
		s.keep(x.Tile(counts...), x.rough, "tile %%%d %v", x.id, counts)
	case 4:
		count, axis := s.next(4), s.axis(x)
		s.keep(x.Repeat(count, axis), x.rough, "repeat %%%d %d axis %d", x.id, count, axis)
	}
}

func (s *sketch) growReduce(x place) {
	axes := make([]int, s.next(3))
	for i := range axes {
		axes[i] = s.axis(x)
	}
	// A whole sum of half numbers is exact in float32 and rounded once, in
	// any order.
	switch s.next(9) {
	case 0, 1:
		s.keep(small(x.Sum(axes...), x.rough), x.rough, "sum %%%d %v", x.id, axes)
	case 2:
		s.keep(x.Max(axes...), x.rough, "max %%%d %v", x.id, axes)
	case 3:
		s.keep(x.Min(axes...), x.rough, "min %%%d %v", x.id, axes)
	case 4:
		if !x.rough {
			s.keep(x.ArgMax(axes...), false, "argmax %%%d %v", x.id, axes)
		}
	case 5:
		if !x.rough {
			s.keep(x.ArgMin(axes...), false, "argmin %%%d %v", x.id, axes)
		}
	case 6:
		s.keep(x.All(axes...), false, "all %%%d %v", x.id, axes)
	case 7:
		s.keep(x.Any(axes...), false, "any %%%d %v", x.id, axes)
	case 8:
		s.keep(x.Mean(axes...), true, "mean %%%d %v", x.id, axes)
	}
}

func (s *sketch) growOrder(x place) {
	axis := s.axis(x)
	switch s.next(5) {
	case 0:
		s.keep(small(x.CumSum(axis), x.rough), x.rough, "cumsum %%%d axis %d", x.id, axis)
	case 1:
		s.keep(x.Sort(axis), x.rough, "sort %%%d axis %d", x.id, axis)
	case 2:
		if !x.rough {
			s.keep(x.ArgSortDescending(axis), false, "argsort descending %%%d axis %d", x.id, axis)
		}
	case 3:
		if k := s.any(4); !x.rough {
			values, positions := x.TopK(k, axis)
			s.keep(values, false, "topk values %%%d axis %d k %d", x.id, axis, k)
			s.keep(positions, false, "topk positions %%%d axis %d k %d", x.id, axis, k)
		}
	case 4:
		if x.DType().IsInteger() { // a float product soon rounds
			s.keep(x.CumProd(axis), x.rough, "cumprod %%%d axis %d", x.id, axis)
		}
	}
}

func (s *sketch) growIndex(x place) {
	axis := s.next(x.NDim() + 1)
	n := x.Dim(axis)
	if n == 0 {
		return
	}
	t := Int64
	if s.next(2) == 0 {
		t = Int32
	}
	switch s.next(3) {
	case 0:
		index := s.addLeaf(t, s.shape(2)).RemScalar(n)
		s.keep(x.Take(index, axis), x.rough, "take %%%d axis %d at %%%d mod %d", x.id, axis, len(s.places)-1, n)
	case 1, 2:
		dims := x.Shape()
		dims[axis] = 1 + s.next(4)
		index := s.addLeaf(t, dims).RemScalar(n)
		id := len(s.places) - 1
		if s.next(2) == 0 {
			s.keep(x.Gather(index, axis), x.rough, "gather %%%d axis %d at %%%d mod %d", x.id, axis, id, n)
		} else {
			updates := s.addLeaf(x.DType(), dims)
			s.keep(small(x.ScatterAdd(index, updates.Array, axis), x.rough), x.rough, "scatter_add %%%d axis %d at %%%d mod %d of %%%d", x.id, axis, id, n, updates.id)
		}
	}
}

func (s *sketch) growJoin(x place) {
	y := s.pick()
	axis := s.axis(x)
	switch s.next(4) {
	case 0:
		s.keep(Concat(axis, x.Array, y.Array), x.rough || y.rough, "concat %%%d %%%d axis %d", x.id, y.id, axis)
	case 1:
		s.keep(Concat(axis, x.Array, x.Flip(), x.Array), x.rough, "concat %%%d and flipped, axis %d", x.id, axis)
	case 2:
		s.keep(Stack(axis, x.Array, x.Neg()), x.rough, "stack %%%d axis %d", x.id, axis)
	case 3:
		for i, part := range Split(x.Array, 1+s.next(3), axis) {
			s.keep(part, x.rough, "split %%%d axis %d part %d", x.id, axis, i)
		}
	}
}

func (s *sketch) growPad(x place) {
	margins := make([]Margin, x.NDim())
	for i := range margins {
		margins[i] = Margin{s.next(4), s.next(4)}
		if s.next(40) == 0 {
			margins[i].After = s.any(3)
		}
	}
	p := Pad{Mode: PadMode(s.next(5))}
	if s.next(2) == 0 {
		p.Value = s.next(5)
	}
	s.keep(x.Pad(p, margins...), x.rough, "pad %%%d %v %v", x.id, p, margins)
}

func (s *sketch) growMatMul(x place) {
	if x.rough || x.NDim() < 1 {
		return
	}
	y := s.pick()
	if s.next(4) > 0 { // mostly one that fits
		dims := []int{x.Dim(-1), 1 + s.next(5)}
		y = s.addLeaf(x.DType(), dims)
	}
	if !y.rough {
		s.keep(small(x.MatMul(y.Array), false), x.DType().IsComplex(), "matmul %%%d %%%d", x.id, y.id)
	}
}

func (s *sketch) growFFT(x place) {
	opt := FFT{N: s.next(12), Norm: Norm(s.next(3)), Axis: Axis(s.axis(x))}
	if s.next(20) == 0 {
		opt.N = s.any(4)
	}
	switch s.next(4) {
	case 0:
		s.keep(x.FFT(opt), true, "fft %%%d %v", x.id, opt)
	case 1:
		s.keep(x.IFFT(opt), true, "ifft %%%d %v", x.id, opt)
	case 2:
		s.keep(x.RFFT(opt), true, "rfft %%%d %v", x.id, opt)
	case 3:
		s.keep(x.IRFFT(opt), true, "irfft %%%d %v", x.id, opt)
	}
}

// growButterfly mixes a line of 2, 4 or 8 elements, by blocks that are a leaf or
// computed in the same plan.
func (s *sketch) growButterfly(x place) {
	if s.next(10) == 0 {
		y := s.pick()
		s.keep(x.Butterfly(y.Array), true, "butterfly %%%d %%%d", x.id, y.id)
		return
	}
	n := 2 << s.next(3)
	if x.NDim() == 0 || x.Dim(-1) == 0 {
		return
	}
	line := x.Take(Arange[int64](0, int64(n), 1).RemScalar(x.Dim(-1)), -1)
	var opt Butterfly
	for range 1 + s.next(3) {
		opt.Spans = append(opt.Spans, 1<<s.next(bits.Len(uint(n))-1))
	}
	if s.next(2) == 0 {
		for i := range n {
			opt.From = append(opt.From, i^1)
			opt.To = append(opt.To, n-1-i)
		}
	}
	w := s.addLeaf(x.DType(), []int{len(opt.Spans), 2, 2, n / 2}).Array
	if s.next(2) == 0 {
		w = w.Neg()
	}
	s.keep(line.Butterfly(w, opt), true, "butterfly of %d places of %%%d, %v", n, x.id, opt)
}

func (s *sketch) growSource(place) {
	t, dims := s.dtype(), s.shape(3)
	key := Key(s.next(100))
	switch s.next(5) {
	case 0:
		s.keep(Full(s.next(3), t, dims...), false, "full %s %v", t, dims)
	case 1:
		s.keep(Randint(key, -5, 6, t, dims...), false, "randint %s %v", t, dims)
	case 2:
		s.keep(Uniform(key, t, dims...), true, "uniform %s %v", t, dims)
	case 3:
		s.keep(Permutation(key, s.next(20)), false, "permutation")
	case 4:
		s.keep(Arange(int64(s.next(5)), int64(s.next(20)), int64(s.next(5)-1)), false, "arange")
	}
}

func (s *sketch) growStream(x place) {
	i := s.next(len(s.streams))
	s.keep(x.On(s.streams[i]), x.rough, "%%%d on stream %d", x.id, i)
}
