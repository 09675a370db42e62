package vec

import "math"

// The elementary functions of float32 are computed in float64 and rounded
// once, those of float64 in float64 with the low parts that matter carried
// along. Every multiplication that feeds an addition is either math.FMA or
// rounded by a conversion, so that no compiler fuses what the assembly does
// not. Coefficients are minimax, by the Remez exchange in 60 digits; each
// table says what it approximates and how far it is off.

// horner is c[0] + x*(c[1] + x*(c[2] + ...)).
func horner(x float64, c []float64) float64 {
	p := c[len(c)-1]
	for i := len(c) - 2; i >= 0; i-- {
		p = math.FMA(p, x, c[i])
	}
	return p
}

const (
	// shifter rounds what is added to it to an integer, which it then holds
	// in its low bits.
	shifter = 0x1.8p52

	log2e = 0x1.71547652b82fep0
	// ln2High + ln2Low is ln 2 to 107 bits.
	ln2High = 0x1.62e42fefa39efp-1
	ln2Low  = 0x1.abc9e3b39803fp-56
)

// power is 2^k for the integer k that the low bits of shifted hold.
func power(shifted float64) float64 {
	return math.Float64frombits((math.Float64bits(shifted) + 1023) << 52)
}
