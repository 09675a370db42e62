package nd

import "context"

// growSame adds an operation that changes nothing, or two that undo each other:
// views and maps that a plan may drop.
func (s *sketch) growSame(x place) {
	n := x.NDim()
	all := make([]int, n)
	ones := make([]int, n)
	for i := range all {
		all[i], ones[i] = i, 1
	}
	axis := s.axis(x)
	whole := make([]Range, n)
	for i := range whole {
		whole[i] = Range{Stop: End}
	}
	var y *Array
	name := ""
	switch s.next(16) {
	case 0:
		y, name = x.Transpose(all...), "transpose in the same order"
	case 1:
		y, name = x.Reshape(x.Shape()...), "reshape to the same shape"
	case 2:
		y, name = x.Slice(whole...), "slice of all"
	case 3:
		y, name = x.Roll(x.Dim(axis)*(s.next(3)-1), axis), "roll all the way round"
	case 4:
		y, name = x.Cast(x.DType()), "cast to the same type"
	case 5:
		y, name = x.BroadcastTo(x.Shape()...), "broadcast to the same shape"
	case 6:
		y, name = x.Pad(Pad{Mode: PadMode(s.next(4))}, make([]Margin, n)...), "pad by nothing"
	case 7:
		y, name = x.Tile(ones...), "tile once"
	case 8:
		y, name = x.Repeat(1, axis), "repeat once"
	case 9:
		y, name = x.Flip(axis).Flip(axis), "flip twice"
	case 10:
		y, name = x.Take(Arange(0, int64(x.Dim(axis)), 1), axis), "take all"
	case 11:
		y, name = Concat(axis, x.Array), "concat of one"
	case 12:
		y, name = x.ExpandDims(0).Squeeze(0), "expand and squeeze"
	case 13:
		y, name = x.SwapAxes(0, -1).SwapAxes(0, -1), "swap twice"
	case 14:
		y, name = x.Neg().Neg(), "neg twice"
	case 15:
		y, name = x.BitCast(x.DType()), "bitcast to the same type"
	}
	s.keep(y, x.grain, "%s %%%d", name, x.id)
}

// growSmooth adds functions that stay near for inputs that are near.
func (s *sketch) growSmooth(x place) {
	coarse := max(x.grain, rounded)
	axis := s.axis(x)
	if x.DType().IsComplex() { // exponentials of unbounded parts
		x.Array = x.Real()
	}
	switch s.next(12) {
	case 0:
		s.keep(x.Clip(-3, 3).Exp(), coarse, "exp of clipped %%%d", x.id)
	case 1:
		s.keep(x.Sin(), coarse, "sin %%%d", x.id)
	case 2:
		s.keep(x.Sigmoid(), coarse, "sigmoid %%%d", x.id)
	case 3:
		s.keep(x.Abs().Log1p(), coarse, "log1p of abs %%%d", x.id)
	case 4:
		s.keep(x.AbsSquared().AddScalar(1).Rsqrt(), coarse, "rsqrt of 1 + abs_squared %%%d", x.id)
	case 5:
		s.keep(x.Var(axis), coarse, "var %%%d axis %d", x.id, axis)
	case 6:
		s.keep(x.LogSumExp(axis), coarse, "logsumexp %%%d axis %d", x.id, axis)
	case 7:
		if x.grain == exact { // a root of what is nearly nothing is not near
			s.keep(x.Norm(axis), coarse, "norm %%%d axis %d", x.id, axis)
		}
	case 8:
		mode := Accumulation(s.next(4))
		s.keep(small(x.SumWith(mode, axis), x.grain), x.grain, "sum %%%d axis %d mode %d", x.id, axis, mode)
	case 9:
		if x.grain == exact {
			s.keep(x.Sub(x.Max(axis).ExpandDims(axis)).Exp(), coarse, "exp of %%%d less its maximum, axis %d", x.id, axis)
		}
	case 10:
		y := s.pick()
		s.keep(small(x.Sub(y.Mean(axis)), coarse), max(coarse, y.grain), "%%%d less the mean of %%%d axis %d", x.id, y.id, axis)
	case 11:
		if x.grain > exact { // near 0, either may be chosen
			return
		}
		y := s.pick()
		s.keep(Where(x.GreaterScalar(0), x.Array, y.Array), y.grain, "where %%%d is positive, else %%%d", x.id, y.id)
	}
}

// growEval evaluates an Array in the middle: what is built on it later starts
// from its buffer.
func (s *sketch) growEval(x place) {
	want := s.expect(x)
	if err := Eval(context.Background(), x.Array); err != nil {
		s.t.Fatalf("%v\n%s", err, s)
	}
	s.check(x, want)
	s.log = append(s.log, note{x.id, "%%%d evaluated", nil})
}
