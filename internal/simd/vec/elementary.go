package vec

import "math"

func exp32(x float32) float32     { return float32(math.Exp(float64(x))) }
func expm132(x float32) float32   { return float32(math.Expm1(float64(x))) }
func log32(x float32) float32     { return float32(math.Log(float64(x))) }
func log1p32(x float32) float32   { return float32(math.Log1p(float64(x))) }
func sin32(x float32) float32     { return float32(math.Sin(float64(x))) }
func cos32(x float32) float32     { return float32(math.Cos(float64(x))) }
func tan32(x float32) float32     { return float32(math.Tan(float64(x))) }
func tanh32(x float32) float32    { return float32(math.Tanh(float64(x))) }
func sigmoid32(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }
func erf32(x float32) float32     { return float32(math.Erf(float64(x))) }

func exp64(x float64) float64     { return math.Exp(x) }
func expm164(x float64) float64   { return math.Expm1(x) }
func log64(x float64) float64     { return math.Log(x) }
func log1p64(x float64) float64   { return math.Log1p(x) }
func sin64(x float64) float64     { return math.Sin(x) }
func cos64(x float64) float64     { return math.Cos(x) }
func tan64(x float64) float64     { return math.Tan(x) }
func tanh64(x float64) float64    { return math.Tanh(x) }
func sigmoid64(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
func erf64(x float64) float64     { return math.Erf(x) }

func powVV[T Float](dst, x, y []T, _ bool) {
	n := min(len(dst), len(x), len(y))
	dst, x, y = dst[:n], x[:n], y[:n]
	for i := range dst {
		dst[i] = T(math.Pow(float64(x[i]), float64(y[i])))
	}
}

func powVS[T Float](dst, x []T, y T, _ bool) {
	n := min(len(dst), len(x))
	dst, x = dst[:n], x[:n]
	for i := range dst {
		dst[i] = T(math.Pow(float64(x[i]), float64(y)))
	}
}

func powSV[T Float](dst []T, x T, y []T, _ bool) {
	n := min(len(dst), len(y))
	dst, y = dst[:n], y[:n]
	for i := range dst {
		dst[i] = T(math.Pow(float64(x), float64(y[i])))
	}
}
