package machine_test

import (
	"math"
	"math/big"
)

// exactFMA computes x*y+z without rounding and rounds the result once.
func exactFMA(x, y, z float32) float32 {
	fx, fy, fz := float64(x), float64(y), float64(z)
	if s := fx*fy + fz; math.IsNaN(s) || math.IsInf(s, 0) || fx == 0 || fy == 0 {
		return float32(s)
	}
	exact := func(v float64) *big.Float { return new(big.Float).SetPrec(2000).SetFloat64(v) }
	sum := new(big.Float).SetPrec(2000).Mul(exact(fx), exact(fy))
	sum.Add(sum, exact(fz))
	f, _ := sum.Float32()
	return f
}
