package accum

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// precise holds every sum of this test without rounding.
const precise = 4800

func exactly(x, y []float64) *big.Float {
	sum := new(big.Float).SetPrec(precise)
	for i := range x {
		p := new(big.Float).SetPrec(precise).SetFloat64(x[i])
		sum.Add(sum, p.Mul(p, new(big.Float).SetPrec(precise).SetFloat64(y[i])))
	}
	return sum
}

func anyFloat(r *rand.Rand) float64 {
	for {
		if f := math.Float64frombits(r.Uint64()); f-f == 0 {
			return f
		}
	}
}

// draws are lists that try the accumulator in different ways.
func draws(r *rand.Rand, kind, n int) (x, y []float64) {
	for i := range n {
		var a, b float64
		switch kind {
		case 0:
			a, b = r.NormFloat64(), r.NormFloat64()
		case 1:
			a, b = anyFloat(r), anyFloat(r)
		case 2: // nearly cancels, far apart in size
			a, b = math.Ldexp(r.Float64()-0.5, r.IntN(1800)-900), r.NormFloat64()
			if i%2 == 1 {
				a, b = -x[i-1], y[i-1]
				if r.IntN(4) == 0 {
					b = math.Nextafter(b, 9)
				}
			}
		case 3: // around the least numbers
			a, b = float64(r.IntN(9)-4)*math.SmallestNonzeroFloat64, math.Ldexp(float64(r.IntN(9)), -r.IntN(4))
		case 4: // halves and ties
			a, b = float64(r.IntN(3)-1)*math.Ldexp(1, r.IntN(60)), 1
		}
		x, y = append(x, a), append(y, b)
	}
	return x, y
}

func TestProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for trial := range 3000 {
		x, y := draws(r, trial%5, 1+r.IntN(40))
		want := exactly(x, y)
		w64, _ := want.Float64()
		w32, _ := want.Float32()
		for range 2 {
			var s Sum
			for i := range x {
				s.AddProduct(x[i], y[i])
			}
			once := s
			if got := once.Round(Float64); got != w64 {
				t.Fatalf("trial %d: %g, want %g: %v . %v", trial, got, w64, x, y)
			}
			if got := s.Round(Float32); got != float64(w32) {
				t.Fatalf("trial %d: float32 %g, want %g: %v . %v", trial, got, w32, x, y)
			}
			r.Shuffle(len(x), func(i, j int) { x[i], x[j], y[i], y[j] = x[j], x[i], y[j], y[i] })
		}
	}
}

func TestSums(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for trial := range 3000 {
		x, _ := draws(r, trial%5, 1+r.IntN(60))
		ones := slices.Repeat([]float64{1}, len(x))
		want, _ := exactly(x, ones).Float64()
		// Parts, joined.
		var parts [3]Sum
		for i, v := range x {
			parts[i%3].Add(v)
		}
		parts[0].Join(&parts[1])
		parts[0].Join(&parts[2])
		if got := parts[0].Round(Float64); got != want {
			t.Fatalf("trial %d: %g, want %g: %v", trial, got, want, x)
		}
	}
}

// Every value of the half formats, moved by a hair both ways, rounds as a
// comparison of exact numbers says.
func TestHalves(t *testing.T) {
	for name, f := range map[string]Format{"float16": Float16, "bfloat16": BFloat16} {
		for m := range 1 << f.Bits {
			for _, e := range []int{f.Least, f.Least + 1, f.Least + 9, 0} {
				v := math.Ldexp(float64(m), e)
				if v > f.Max {
					continue
				}
				next := math.Ldexp(float64(m+1), e)
				ulp := next - v
				if m >= 1<<(f.Bits-1) || e == f.Least {
					for share, want := range map[float64]float64{0: v, 0.49: v, 0.51: next, 0.5: []float64{v, next}[m&1]} {
						if want > f.Max {
							want = math.Inf(1)
						}
						var s Sum
						s.Add(v)
						s.Add(share * ulp)
						if got := s.Round(f); got != want {
							t.Fatalf("%s: %g and %g of its spacing is %g, want %g", name, v, share, got, want)
						}
					}
				}
			}
		}
	}
}

func TestRoot(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for trial := range 800 {
		x, _ := draws(r, trial%5, 1+r.IntN(20))
		sum := exactly(x, x)
		root := new(big.Float).SetPrec(precise).Sqrt(sum)
		w64, _ := root.Float64()
		w32, _ := root.Float32()
		var s Sum
		for _, v := range x {
			s.AddProduct(v, v)
		}
		once := s
		if got := once.Root(Float64); got != w64 {
			t.Fatalf("trial %d: %g, want %g: %v", trial, got, w64, x)
		}
		if got := s.Root(Float32); got != float64(w32) {
			t.Fatalf("trial %d: float32 %g, want %g: %v", trial, got, w32, x)
		}
	}
	var negative Sum
	negative.Add(-1)
	if got := negative.Root(Float64); !math.IsNaN(got) {
		t.Errorf("root of -1: %g", got)
	}
}

func TestSpecial(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		x    []float64
		want float64
	}{
		{nil, 0}, {[]float64{0, math.Copysign(0, -1)}, 0}, {[]float64{inf, 1}, inf}, {[]float64{-inf, 1e308, 1e308}, -inf}, {[]float64{inf, -inf}, nan}, {[]float64{nan, inf}, nan},
		{[]float64{1e308, 1e308, -1e308}, 1e308}, {[]float64{math.MaxFloat64, math.MaxFloat64}, inf}, {[]float64{-math.MaxFloat64, -math.MaxFloat64}, -inf},
		{[]float64{1e8, 1, -1e8}, 1}, {[]float64{1, 1e100, 1, -1e100}, 2},
	} {
		var s Sum
		for _, v := range c.x {
			s.Add(v)
		}
		if got := s.Round(Float64); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%v: %g, want %g", c.x, got, c.want)
		}
	}
	var s Sum
	s.AddProduct(inf, 0)
	if got := s.Round(Float64); !math.IsNaN(got) {
		t.Errorf("inf times 0: %g", got)
	}
}

// Digits are carried in time.
func TestManyAdditions(t *testing.T) {
	var s Sum
	s.added = carryEvery - 3
	for i := range s.digit {
		s.digit[i] = 1<<62 + 12345
	}
	before := s
	before.carry()
	for range 10 {
		s.Add(math.Pi)
	}
	for range 10 {
		s.Add(-math.Pi)
	}
	s.carry()
	if s.digit != before.digit {
		t.Error("ten additions and ten subtractions changed the sum")
	}
}

// A compensated sum is as good as twice the digits: its error is the rounding
// of the result and the square of the rounding times the condition.
func TestCompensated(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for trial := range 300 {
		x, y := draws(r, trial%2*2, 2+r.IntN(100))
		var s Twice
		size := 0.0
		for i := range x {
			s.AddProduct(x[i], y[i])
			size += math.Abs(x[i] * y[i])
		}
		want, _ := exactly(x, y).Float64()
		n := float64(len(x))
		if e := math.Abs(s.Value() - want); e > 0x1p-52*math.Abs(want)+4*n*n*0x1p-106*size {
			t.Fatalf("trial %d: %g, want %g", trial, s.Value(), want)
		}
	}
	inf := Twice{}
	inf.Add(math.Inf(1))
	inf.Add(1)
	if v := inf.Value(); !math.IsInf(v, 1) {
		t.Errorf("infinity: %g", v)
	}
}

func BenchmarkSum(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	x, y := draws(r, 0, 1000)
	b.Run("add", func(b *testing.B) {
		var s Sum
		for range b.N {
			for _, v := range x {
				s.Add(v)
			}
		}
	})
	b.Run("product", func(b *testing.B) {
		var s Sum
		for range b.N {
			for i := range x {
				s.AddProduct(x[i], y[i])
			}
		}
	})
}
