package a

import "github.com/twiddle-go/twiddle/nd"

func unrelated() []*nd.Array {
	w := nd.Zeros(nd.Float32, 8)
	b := nd.Ones(nd.Float32, 8)
	loss := w.Mul(w).Sum()
	return nd.Grad(loss, w, b) // want `\[error TW014\] the gradient is zero: the loss does not depend on this b`
}

func rebuilt() []*nd.Array {
	w := nd.Zeros(nd.Float32, 8)
	loss := w.Mul(w).Sum()
	w = w.MulScalar(0.9)
	return nd.Grad(loss, w) // want `the loss does not depend on this w`
}

func derived() []*nd.Array {
	w := nd.Zeros(nd.Float32, 8)
	v := w.Neg()
	loss := w.Mul(w).Sum()
	return nd.Grad(loss, v) // want `does not depend on this v`
}

func choice() []*nd.Array {
	w := nd.Zeros(nd.Float32, 8)
	loss := w.ArgMax().Cast(nd.Float32)
	return nd.Grad(loss, w) // want `the loss depends on w only through ArgMax, which passes none on`
}

func rounded() []*nd.Array {
	w := nd.Zeros(nd.Float32, 8)
	target := nd.Ones(nd.Float32, 8)
	d := w.Round().Sub(target)
	return nd.Grad(d.Mul(d).Mean(), w) // want `only through Round`
}

func stopped() []*nd.Array {
	w := nd.Zeros(nd.Float32, 8)
	target := nd.StopGradient(w.Mul(w))
	return nd.Grad(target.Sum(), w) // want `only through StopGradient`
}

func value() {
	w := nd.Zeros(nd.Float32, 8)
	x := nd.Ones(nd.Float32, 8)
	loss := x.RFFT().Abs().Sum()
	nd.ValueAndGrad(loss, w) // want `does not depend on this w`
}

func parameter(w *nd.Array) []*nd.Array {
	x := nd.Ones(nd.Float32, 8)
	return nd.Grad(x.Mul(x).Sum(), w) // want `does not depend on this w`
}

func direct() []*nd.Array {
	w := nd.Zeros(nd.Float32, 8)
	return nd.Grad(w.Mul(w).Sum(), w)
}

func throughVariables(x, w *nd.Array) []*nd.Array {
	y := x.MatMul(w)
	z := y.Tanh()
	loss := z.Mul(z).Mean()
	return nd.Grad(loss, w)
}

func opaqueModel(x, w *nd.Array, model func(x, w *nd.Array) *nd.Array) []*nd.Array {
	return nd.Grad(model(x, w).Sum(), w)
}

func opaqueLoss(loss, w *nd.Array) []*nd.Array { return nd.Grad(loss, w) }

func either(w *nd.Array, flip bool) []*nd.Array {
	y := nd.Ones(nd.Float32, 8)
	if flip {
		y = w.Neg()
	}
	return nd.Grad(y.Sum(), w)
}

func updated() *nd.Array {
	w := nd.Zeros(nd.Float32, 8)
	for range 10 {
		loss := w.Mul(w).Sum()
		g := nd.Grad(loss, w)
		w = w.Sub(g[0].MulScalar(0.1))
	}
	return w
}

func alsoWithout() []*nd.Array {
	w := nd.Zeros(nd.Float32, 8)
	loss := w.Round().Sub(w).Sum()
	return nd.Grad(loss, w)
}

func list(ws []*nd.Array) []*nd.Array {
	loss := nd.Ones(nd.Float32, 8).Sum()
	return nd.Grad(loss, ws...)
}

func joined() []*nd.Array {
	w := nd.Zeros(nd.Float32, 8)
	x := nd.Concat(0, nd.Ones(nd.Float32, 8), w)
	return nd.Grad(x.Sum(), w)
}

func fields(m struct{ w *nd.Array }) []*nd.Array {
	return nd.Grad(m.w.Sum(), m.w)
}
