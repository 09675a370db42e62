package cost

import (
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Again is the cost of an operation, in simple ones, where plans decide whether to
// compute it again. The speed of simple ones is far from that of others on cores, and
// so are float64 and complex numbers, so these go by what the device takes. GPUs differ
// less, and there functions alone do: an H200's exponential is 4.75 simple operations.
func Again(op scalar.Op, result, operand elem.Type, f device.Figures) float64 {
	if f.Grain == 0 {
		return weight(op, f.FunctionOps)
	}
	return typed(op, result, operand, f)
}

// typed is an operation's cost for the types of its result and of its first operand.
func typed(op scalar.Op, of, operand elem.Type, f device.Figures) float64 {
	if ns := singly(op, operand); ns > 0 && f.Grain > 0 {
		return ns * f.OpsPerNs / float64(max(f.Workers, 1))
	}
	if operand.IsComplex() {
		of = operand // its square is of two parts
	}
	if op == scalar.Abs && of.IsComplex() && f.Grain > 0 {
		// A root of float64 for either type takes as long as a function of float32: 0.95 ns
		// of complex64 at AVX-512 and AVX2, where exp takes 0.6 and 0.9 and log 1.0 and 1.2.
		return weight(scalar.Log, f.FunctionOps)
	}
	return weight(op, f.FunctionOps) * size(op, of)
}

// singly is how long a core takes for a value of an operation that has no vector kernel, in ns; 0 for
// those that have one. These are the fastest of 40 runs over 16384 elements at AVX-512.
func singly(op scalar.Op, operand elem.Type) float64 {
	if operand.IsComplex() {
		return complexNs[op]
	}
	if op == scalar.Rem && operand.IsFloat() {
		return 8
	}
	return 0
}

// complexNs are the functions of complex numbers, which are computed in complex128.
var complexNs = map[scalar.Op]float64{
	scalar.Sign: 20, scalar.Sqrt: 25, scalar.Rsqrt: 35, scalar.Exp: 40, scalar.Sin: 57, scalar.Cos: 57,
	scalar.Tan: 57, scalar.Tanh: 57, scalar.Sigmoid: 64, scalar.Log: 70, scalar.Pow: 190,
}

// weight is an operation's cost in simple operations, of which a function of the
// device takes so many, or 0 for the usual. Transcendental functions take 10 to 30
// fused multiply-adds in vectorised polynomial form; a random draw is ten rounds of
// two wide multiplications.
func weight(op scalar.Op, function float64) float64 {
	switch {
	case op.IsCheap():
		return 1
	case op.IsRandom():
		return 40
	case op == scalar.Div || op == scalar.Sqrt || op == scalar.Rsqrt || op == scalar.Rem:
		return max(divisionOps, function/4)
	case function > 0:
		return function
	}
	return functionOps
}

// functionOps is how many simple operations a sine or a logarithm is.
const functionOps = 16

// divisionOps is the same for a quotient or a root.
const divisionOps = 4

// Intermediate is a result that either is stored once and read by each of its
// users, or is computed again inside each of them.
type Intermediate struct {
	Elems int     // of the result
	Bytes int     // of one element
	Loads float64 // full-size operands that computing it reads, as wide as the result
	Ops   float64 // per element, in simple operations
	// Uses holds, for each user, how many elements of the result it computes
	// with, repetitions included.
	Uses []int
}

// Inline reports whether computing again is no dearer than storing, and by
// how many nanoseconds.
func (m Intermediate) Inline(f device.Figures) (bool, float64) {
	var read, computed float64 // in elements
	for _, u := range m.Uses {
		read += float64(min(u, m.Elems))
		computed += float64(u)
	}
	n, size := float64(m.Elems), float64(m.Bytes)
	again := per(read*m.Loads*size, f.CopyBytesPerNs) + per(computed*m.Ops, f.OpsPerNs)
	stored := f.LaunchNs + per((n*(m.Loads+1)+read)*size, f.CopyBytesPerNs) + per(n*m.Ops, f.OpsPerNs)
	return again <= stored, stored - again
}
