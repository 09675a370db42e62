package vec

import "math"

// erf(x)/x in x^2 for |x| <= 1, relative error 2^-34.8.
var erfSmall = []float64{
	0x1.20dd75040080cp+0, -0x1.8127465fb9f18p-2, 0x1.ce2f0798ce107p-4, -0x1.b829a7a93e85cp-6,
	0x1.5628ee188ed10p-8, -0x1.bcbe9c7ee3488p-11, 0x1.d8269df968ca7p-14, -0x1.4384220c1fb02p-17,
}

// log(1 - erf(x)) for 1 <= x <= 4; erf is then off by 2^-37.7.
var erfLarge = []float64{
	0x1.02ddec67ff1d0p-13, -0x1.2112d10daf04ap+0, -0x1.44b8bebd900f0p-1, -0x1.b5f6eb74522a6p-4,
	0x1.8600c95b60579p-6, -0x1.b5f19c6ebcc15p-9, 0x1.8c61184457689p-14, 0x1.152f01ef0fa5ap-14,
	-0x1.a9e3ef280ad71p-17, 0x1.ace42d6cb6c87p-21,
}

func erf32(x float32) float32 {
	a := clamp(math.Abs(float64(x)), 0, 4) // erf(4) is 1 in float32
	y := float64(a * horner(float64(a*a), erfSmall))
	if a > 1 {
		p, scale := expParts(horner(a, erfLarge))
		y = 1 - math.FMA(scale, p, scale)
	}
	return float32(math.Copysign(y, float64(x)))
}

func erf64(x float64) float64 { return math.Erf(x) }
