package nd

import (
	"encoding/json"
	"math"
	"math/cmplx"
	"os"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
)

// TestGradGoldens compares gradients with those of PyTorch, which
// testdata/make_grad_goldens.py has written.
func TestGradGoldens(t *testing.T) {
	testdevice.NeedsFloat64(t)
	raw, err := os.ReadFile("testdata/grad_goldens.json")
	if err != nil {
		t.Fatal(err)
	}
	var g goldens
	if err := json.Unmarshal(raw, &g); err != nil {
		t.Fatal(err)
	}
	in := map[string]*Array{}
	for name, v := range g.Inputs {
		in[name] = v.array(t, leaves{})
	}
	count := Arange[float64](0, 12, 1).Reshape(4, 3)
	hann := make([]float64, 16)
	for i := range hann {
		hann[i] = 0.5 - 0.5*math.Cos(2*math.Pi*float64(i)/16)
	}
	tests := []struct {
		name, in string
		loss     func(*Array) *Array
	}{
		{"complex modulus squared", "z", func(z *Array) *Array { return z.Mul(z.Conj()).Real().Sum() }},
		{"complex modulus", "z", func(z *Array) *Array { return z.Abs().Sum() }},
		{"complex angle", "z", func(z *Array) *Array { return z.Angle().AbsSquared().Sum() }},
		{"complex exp", "z", func(z *Array) *Array { return z.Exp().Real().Add(z.Exp().Imag().MulScalar(2)).Sum() }},
		{"complex division", "z", func(z *Array) *Array { return FullLike(z, 1+2i).Div(z).Abs().Log().Sum() }},
		{"complex product", "z", func(z *Array) *Array { return z.Prod().Abs() }},
		{"complex matmul", "z", func(z *Array) *Array { return z.MatMul(z.Transpose().Conj()).Abs().Sum() }},
		{"rfft", "x", func(x *Array) *Array { return x.RFFT().Abs().Sum() }},
		{"rfft of odd length", "x", func(x *Array) *Array { return x.RFFT(FFT{N: 7}).Abs().Log().Sum() }},
		{"rfft with zeros", "x", func(x *Array) *Array { return x.RFFT(FFT{N: 11, Norm: Ortho}).AbsSquared().Sum() }},
		{"irfft of odd length", "z", func(z *Array) *Array { return z.IRFFT(FFT{N: 9}).AbsSquared().Sum() }},
		{"irfft of even length", "z", func(z *Array) *Array { return z.IRFFT(FFT{N: 8, Norm: Forward}).Abs().Sum() }},
		{"irfft cut", "z", func(z *Array) *Array { return z.IRFFT(FFT{N: 5}).AbsSquared().Sum() }},
		{"hfft", "z", func(z *Array) *Array { return z.HFFT(FFT{N: 7}).AbsSquared().Sum() }},
		{"fft2", "z", func(z *Array) *Array { return z.FFTN().Abs().Sum() }},
		{"stft", "signal", func(s *Array) *Array { return s.Frames(16, 4).Mul(From(hann)).RFFT().Abs().Clip(1e-8, nil).Log().Sum() }},
		{"cumprod", "m", func(m *Array) *Array { return m.CumProd(0).AbsSquared().Sum() }},
		{"prod", "m", func(m *Array) *Array { return m.Prod(1).AbsSquared().Sum() }},
		{"logsumexp", "m", func(m *Array) *Array { return m.LogSumExp(0).AbsSquared().Sum() }},
		{"sort", "m", func(m *Array) *Array { return m.Sort(0).Mul(count).Sum() }},
		{"softmax", "m", func(m *Array) *Array {
			e := m.Sub(m.LogSumExp(1).ExpandDims(1)).Exp()
			return e.Mul(count).Sum()
		}},
	}
	if len(tests) != len(g.Cases) {
		t.Errorf("%d rows for %d goldens", len(tests), len(g.Cases))
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := in[tt.in]
			got, err := toHost(Grad(tt.loss(x), x)[0])
			if err != nil {
				t.Fatal(err)
			}
			want := g.Cases[tt.name].complexes()
			for i, w := range want {
				if d := cmplx.Abs(got.Values[i].Num - w); !(d <= 1e-12*max(1, cmplx.Abs(w))) {
					t.Fatalf("gradient %v at %d, PyTorch has %v", got.Values[i].Num, i, w)
				}
			}
		})
	}
}
