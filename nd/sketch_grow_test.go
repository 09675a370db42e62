package nd

// grow applies one operation, chosen by the script, to Arrays of the sketch.
// Arguments are sometimes nonsense: the result is then an error or the
// documented value, never a panic.
func (s *sketch) grow() {
	if s.next(6) == 0 {
		s.hub = s.next(len(s.places))
	}
	x := s.pick()
	families := []func(place){
		s.growMap, s.growMap, s.growBinary, s.growBinary, s.growScalar, s.growView, s.growView, s.growView,
		s.growSlice, s.growSlice, s.growShape, s.growReduce, s.growReduce, s.growOrder, s.growIndex, s.growJoin,
		s.growPad, s.growMatMul, s.growFFT, s.growButterfly, s.growButterfly, s.growSource, s.growStream,
		s.growSame, s.growSame, s.growLine, s.growLine, s.growSmooth, s.growEval,
	}
	families[s.next(len(families))](x)
}

// small keeps whole numbers small enough for exact arithmetic in float16. A
// rough number is clipped: the remainder of 13 is 0 and that of the float64
// before it nearly 13, so that a rounding within bounds would look like a
// wrong result. No discontinuous function of a rough number is drawn.
func small(a *Array, g grain) *Array {
	switch {
	case a.Err() != nil || !a.DType().IsOrdered() || a.DType() == Bool:
		return a
	case g > exact:
		return a.Clip(-13, 13)
	}
	return a.RemScalar(13)
}

func (s *sketch) growMap(x place) {
	switch s.next(12) {
	case 0:
		s.keep(x.Neg(), x.grain, "neg %%%d", x.id)
	case 1:
		s.keep(x.Abs(), max(x.grain, roundedIf(x.DType().IsComplex())), "abs %%%d", x.id)
	case 2:
		if x.grain == exact {
			s.keep(x.Sign(), roundedIf(x.DType().IsComplex()), "sign %%%d", x.id)
		}
	case 3:
		s.keep(small(x.AbsSquared(), x.grain), x.grain, "abs_squared %%%d", x.id)
	case 4:
		s.keep(x.Conj(), x.grain, "conj %%%d", x.id)
	case 5:
		s.keep(x.Real(), x.grain, "real %%%d", x.id)
	case 6:
		s.keep(x.Imag(), x.grain, "imag %%%d", x.id)
	case 7:
		s.keep(x.Not(), exact, "not %%%d", x.id)
	case 8:
		if x.grain == exact { // a transform of infinities is NaN or not by its method
			s.keep(x.IsNaN(), exact, "isnan %%%d", x.id)
		}
	case 9:
		if t := s.dtype(); x.grain == exact {
			s.keep(small(x.Cast(t), exact), exact, "cast %%%d to %s", x.id, t)
		}
	case 10:
		if x.DType().IsComplex() { // has poles
			return
		}
		s.keep(x.Tanh(), max(x.grain, rounded), "tanh %%%d", x.id)
	case 11:
		if x.grain == exact {
			s.keep(x.Floor(), exact, "floor %%%d", x.id)
		}
	}
}

func (s *sketch) growBinary(x place) {
	y := s.pick()
	g := max(x.grain, y.grain)
	switch s.next(11) {
	case 0, 1:
		s.keep(small(x.Add(y.Array), g), g, "add %%%d %%%d", x.id, y.id)
	case 2:
		s.keep(small(x.Sub(y.Array), g), g, "sub %%%d %%%d", x.id, y.id)
	case 3:
		if g == exact {
			s.keep(small(x.Mul(y.Array), exact), roundedIf(x.DType().IsComplex()), "mul %%%d %%%d", x.id, y.id)
		}
	case 4:
		s.keep(x.Maximum(y.Array), g, "maximum %%%d %%%d", x.id, y.id)
	case 5:
		s.keep(x.Minimum(y.Array), g, "minimum %%%d %%%d", x.id, y.id)
	case 6:
		if g == exact {
			s.keep(x.Less(y.Array), exact, "less %%%d %%%d", x.id, y.id)
		}
	case 7:
		if g == exact {
			s.keep(x.Equal(y.Array), exact, "equal %%%d %%%d", x.id, y.id)
		}
	case 8:
		s.keep(x.Xor(y.Array), exact, "xor %%%d %%%d", x.id, y.id)
	case 9:
		z := s.pick()
		s.keep(Where(z.Array, x.Array, y.Array), g, "where %%%d %%%d %%%d", z.id, x.id, y.id)
	case 10:
		s.keep(Complex(x.Array, y.Array), g, "complex %%%d %%%d", x.id, y.id)
	}
}

func (s *sketch) growScalar(x place) {
	v := s.next(9) - 4
	switch s.next(5) {
	case 0:
		s.keep(small(x.AddScalar(v), x.grain), x.grain, "add %%%d, %d", x.id, v)
	case 1:
		s.keep(small(x.MulScalar(v), x.grain), x.grain, "mul %%%d, %d", x.id, v)
	case 2:
		s.keep(x.Clip(v, v+3), x.grain, "clip %%%d, %d", x.id, v)
	case 3:
		if x.grain == exact {
			s.keep(x.GreaterScalar(v), exact, "greater %%%d, %d", x.id, v)
		}
	case 4:
		s.keep(x.DivScalar(3), max(x.grain, rounded), "div %%%d, 3", x.id)
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
		s.keep(x.Transpose(perm...), x.grain, "transpose %%%d %v", x.id, perm)
	case 1:
		axis, size, hop := s.axis(x), 1+s.next(5), 1+s.next(3)
		if s.next(10) == 0 {
			size, hop = s.any(4), s.any(3)
		}
		s.keep(x.Frames(size, hop, axis), x.grain, "frames %%%d size %d hop %d axis %d", x.id, size, hop, axis)
	case 2:
		dims := append(s.shape(1), x.Shape()...)
		for i, d := range dims {
			if d == 1 {
				dims[i] = 1 + s.next(4)
			}
		}
		s.keep(x.BroadcastTo(dims...), x.grain, "broadcast %%%d %v", x.id, dims)
	case 3:
		axis := s.axis(x)
		s.keep(x.Flip(axis), x.grain, "flip %%%d %d", x.id, axis)
	case 4:
		i, j := s.axis(x), s.axis(x)
		s.keep(x.SwapAxes(i, j), x.grain, "swap %%%d %d %d", x.id, i, j)
	case 5:
		t := s.dtype()
		if t.IsInteger() && x.DType().IsInteger() { // floats of any bits would be inexact
			s.keep(small(x.BitCast(t), x.grain), x.grain, "bitcast %%%d %s", x.id, t)
		}
	case 6:
		axis, shift := s.axis(x), s.any(20)
		s.keep(x.Roll(shift, axis), x.grain, "roll %%%d by %d axis %d", x.id, shift, axis)
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
	s.keep(x.Slice(ranges...), x.grain, "slice %%%d %v", x.id, ranges)
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
		s.keep(x.Reshape(dims...), x.grain, "reshape %%%d %v", x.id, dims)
	case 1:
		axis := s.axis(x)
		s.keep(x.ExpandDims(axis), x.grain, "expand %%%d %d", x.id, axis)
	case 2:
		s.keep(x.Squeeze(), x.grain, "squeeze %%%d", x.id)
	case 3:
		counts := make([]int, s.next(3))
		for i := range counts {
			counts[i] = s.next(4)
		}
		s.keep(x.Tile(counts...), x.grain, "tile %%%d %v", x.id, counts)
	case 4:
		count, axis := s.next(4), s.axis(x)
		s.keep(x.Repeat(count, axis), x.grain, "repeat %%%d %d axis %d", x.id, count, axis)
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
		s.keep(small(x.Sum(axes...), x.grain), x.grain, "sum %%%d %v", x.id, axes)
	case 2:
		s.keep(x.Max(axes...), x.grain, "max %%%d %v", x.id, axes)
	case 3:
		s.keep(x.Min(axes...), x.grain, "min %%%d %v", x.id, axes)
	case 4:
		if x.grain == exact {
			s.keep(x.ArgMax(axes...), exact, "argmax %%%d %v", x.id, axes)
		}
	case 5:
		if x.grain == exact {
			s.keep(x.ArgMin(axes...), exact, "argmin %%%d %v", x.id, axes)
		}
	case 6:
		s.keep(x.All(axes...), exact, "all %%%d %v", x.id, axes)
	case 7:
		s.keep(x.Any(axes...), exact, "any %%%d %v", x.id, axes)
	case 8:
		s.keep(x.Mean(axes...), max(x.grain, rounded), "mean %%%d %v", x.id, axes)
	}
}

func (s *sketch) growOrder(x place) {
	axis := s.axis(x)
	switch s.next(5) {
	case 0:
		s.keep(small(x.CumSum(axis), x.grain), x.grain, "cumsum %%%d axis %d", x.id, axis)
	case 1:
		s.keep(x.Sort(axis), x.grain, "sort %%%d axis %d", x.id, axis)
	case 2:
		if x.grain == exact {
			s.keep(x.ArgSortDescending(axis), exact, "argsort descending %%%d axis %d", x.id, axis)
		}
	case 3:
		if k := s.any(4); x.grain == exact {
			values, positions := x.TopK(k, axis)
			s.keep(values, exact, "topk values %%%d axis %d k %d", x.id, axis, k)
			s.keep(positions, exact, "topk positions %%%d axis %d k %d", x.id, axis, k)
		}
	case 4:
		if x.DType().IsInteger() { // a float product soon rounds
			s.keep(x.CumProd(axis), x.grain, "cumprod %%%d axis %d", x.id, axis)
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
		s.keep(x.Take(index, axis), x.grain, "take %%%d axis %d at %%%d mod %d", x.id, axis, len(s.places)-1, n)
	case 1, 2:
		dims := x.Shape()
		dims[axis] = 1 + s.next(4)
		index := s.addLeaf(t, dims).RemScalar(n)
		id := len(s.places) - 1
		if s.next(2) == 0 {
			s.keep(x.Gather(index, axis), x.grain, "gather %%%d axis %d at %%%d mod %d", x.id, axis, id, n)
		} else {
			updates := s.addLeaf(x.DType(), dims)
			s.keep(small(x.ScatterAdd(index, updates.Array, axis), x.grain), x.grain, "scatter_add %%%d axis %d at %%%d mod %d of %%%d", x.id, axis, id, n, updates.id)
		}
	}
}

func (s *sketch) growJoin(x place) {
	y := s.pick()
	axis := s.axis(x)
	switch s.next(4) {
	case 0:
		s.keep(Concat(axis, x.Array, y.Array), max(x.grain, y.grain), "concat %%%d %%%d axis %d", x.id, y.id, axis)
	case 1:
		s.keep(Concat(axis, x.Array, x.Flip(), x.Array), x.grain, "concat %%%d and flipped, axis %d", x.id, axis)
	case 2:
		s.keep(Stack(axis, x.Array, x.Neg()), x.grain, "stack %%%d axis %d", x.id, axis)
	case 3:
		for i, part := range Split(x.Array, 1+s.next(3), axis) {
			s.keep(part, x.grain, "split %%%d axis %d part %d", x.id, axis, i)
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
	s.keep(x.Pad(p, margins...), x.grain, "pad %%%d %v %v", x.id, p, margins)
}

func (s *sketch) growMatMul(x place) {
	if x.grain > exact || x.NDim() < 1 {
		return
	}
	y := s.pick()
	if s.next(4) > 0 { // mostly one that fits
		dims := []int{x.Dim(-1), 1 + s.next(5)}
		y = s.addLeaf(x.DType(), dims)
	}
	if y.grain == exact {
		s.keep(small(x.MatMul(y.Array), exact), roundedIf(x.DType().IsComplex()), "matmul %%%d %%%d", x.id, y.id)
	}
}

func (s *sketch) growFFT(x place) {
	opt := FFT{N: s.next(12), Norm: Norm(s.next(3)), Axis: Axis(s.axis(x))}
	if s.next(20) == 0 {
		opt.N = s.any(4)
	}
	switch s.next(4) {
	case 0:
		s.keep(x.FFT(opt), max(x.grain, rounded), "fft %%%d %v", x.id, opt)
	case 1:
		s.keep(x.IFFT(opt), max(x.grain, rounded), "ifft %%%d %v", x.id, opt)
	case 2:
		s.keep(x.RFFT(opt), max(x.grain, rounded), "rfft %%%d %v", x.id, opt)
	case 3:
		s.keep(x.IRFFT(opt), max(x.grain, rounded), "irfft %%%d %v", x.id, opt)
	}
}

func (s *sketch) growSource(place) {
	t, dims := s.dtype(), s.shape(3)
	key := Key(s.next(100))
	switch s.next(5) {
	case 0:
		s.keep(Full(s.next(3), t, dims...), exact, "full %s %v", t, dims)
	case 1:
		s.keep(Randint(key, -5, 6, t, dims...), exact, "randint %s %v", t, dims)
	case 2:
		s.keep(Uniform(key, t, dims...), rounded, "uniform %s %v", t, dims)
	case 3:
		s.keep(Permutation(key, s.next(20)), exact, "permutation")
	case 4:
		s.keep(Arange(int64(s.next(5)), int64(s.next(20)), int64(s.next(5)-1)), exact, "arange")
	}
}

func (s *sketch) growStream(x place) {
	i := s.next(len(s.streams))
	s.keep(x.On(s.stream(i)), x.grain, "%%%d on stream %d", x.id, i)
}
