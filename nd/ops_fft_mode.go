package nd

import "github.com/twiddle-go/twiddle/internal/elem"

// withDigits is a transform in mode Compensated or Exact where it is made of
// others; nil where the device of the array does it by itself.
func (a *Array) withDigits(f transform, axis, n int, norm Norm, mode Accumulation) *Array {
	// float32 has twice its digits in float64: one rounding at the end, by any
	// device and fused with what surrounds it.
	if t := a.node.Type; mode == Compensated && (t == elem.Float32 || t == elem.Complex64) {
		double, single := elem.Float64, elem.Float32
		if t.IsComplex() {
			double = elem.Complex128
		}
		out := a.Cast(double).transform(f, axis, n, norm, Pairwise)
		if out.err == nil && out.node.Type.IsComplex() {
			single = elem.Complex64
		}
		return named(f.name, out.Cast(single))
	}
	// Numbers of many digits are the CPU's; copies to it and back are part of the
	// plan.
	if cpu := CPU().Stream(); a.node.Device != cpu.dev.Index() {
		out := a.On(cpu).transform(f, axis, n, norm, mode)
		if out.err != nil {
			return out
		}
		home, err := a.Device()
		if err != nil {
			return failed(f.name, err, a)
		}
		return named(f.name, out.On(&Stream{home.d, a.node.Stream}))
	}
	return nil
}
