package signal

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd"
)

// Window is a window function. The zero value is the periodic hann window;
// operations with another default say so.
type Window struct {
	// Name is one of WindowNames; empty is the operation's default.
	Name string
	// Param is beta of kaiser and kaiser_bessel_derived, the standard deviation
	// of gaussian in samples, the attenuation of chebwin in decibels, NW of
	// dpss, alpha of general_hamming and the power of general_gaussian: these
	// have to be given, and Zero says 0. It is alpha of tukey (0 is 0.5), tau
	// of exponential in samples (0 is 1) and the side lobes of taylor that are
	// level (0 is 4). Others have none.
	Param float64
	// Param2 is the standard deviation of general_gaussian, and how many
	// decibels the side lobes of taylor are below the main one (0 is 30).
	Param2 float64
	// Symmetric windows end as they begin, for filter design. Otherwise the window
	// is one period of a periodic sequence, for analysis by DFT.
	Symmetric bool

	given   *[]float64 // by CustomWindow
	cosines *[]float64 // by CosineWindow
}

// CosineWindow is the sum of cosines with the given weights,
// a0 - a1 cos x + a2 cos 2x - ..., as scipy.signal.windows.general_cosine.
func CosineWindow(weights ...float64) Window {
	c := slices.Clone(weights)
	return Window{Name: "general_cosine", cosines: &c}
}

// CustomWindow is a window with the given samples. It fits segments of that
// length only.
func CustomWindow(samples []float64) Window {
	c := slices.Clone(samples)
	return Window{Name: "custom", given: &c}
}

// WindowNames is the windows there are, in alphabetical order.
func WindowNames() []string {
	names := make([]string, len(windows))
	for i, w := range windows {
		names[i] = w.name
	}
	return names
}

// windowKind is one window function.
type windowKind struct {
	name   string
	params int                                      // how many it takes
	usual  [2]float64                               // what 0 stands for; NaN: it has to be given
	make   func(m int, params [2]float64) []float64 // symmetric, m >= 2
}

var needed = math.NaN()

var windows = []windowKind{
	{name: "barthann", make: barthann},
	{name: "bartlett", make: func(m int, _ [2]float64) []float64 {
		return eachSample(m, func(i float64) float64 { return 1 - math.Abs(2*i/float64(m-1)-1) })
	}},
	// The coefficients of sums of cosines are SciPy's.
	{name: "blackman", make: cosines(0.42, 0.50, 0.08)},
	{name: "blackmanharris", make: cosines(0.35875, 0.48829, 0.14128, 0.01168)},
	{name: "bohman", make: bohman},
	{name: "boxcar", make: func(m int, _ [2]float64) []float64 {
		return eachSample(m, func(float64) float64 { return 1 })
	}},
	{name: "chebwin", params: 1, usual: [2]float64{needed}, make: chebwin},
	{name: "cosine", make: func(m int, _ [2]float64) []float64 {
		return eachSample(m, func(i float64) float64 { return math.Sin(math.Pi / float64(m) * (i + 0.5)) })
	}},
	{name: "dpss", params: 1, usual: [2]float64{needed}, make: dpss},
	{name: "exponential", params: 1, usual: [2]float64{1}, make: exponential},
	{name: "flattop", make: cosines(0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368)},
	{name: "gaussian", params: 1, usual: [2]float64{needed}, make: func(m int, p [2]float64) []float64 {
		return eachSample(m, func(i float64) float64 {
			d := (i - float64(m-1)/2) / p[0]
			return math.Exp(-d * d / 2)
		})
	}},
	{name: "general_cosine"}, // by CosineWindow
	{name: "general_gaussian", params: 2, usual: [2]float64{needed, needed}, make: generalGaussian},
	{name: "general_hamming", params: 1, usual: [2]float64{needed}, make: func(m int, p [2]float64) []float64 {
		return cosines(p[0], 1-p[0])(m, p)
	}},
	{name: "hamming", make: cosines(0.54, 0.46)},
	{name: "hann", make: cosines(0.5, 0.5)},
	{name: "kaiser", params: 1, usual: [2]float64{needed}, make: kaiser},
	{name: "kaiser_bessel_derived", params: 1, usual: [2]float64{needed}, make: kaiserBesselDerived},
	{name: "lanczos", make: lanczos},
	{name: "nuttall", make: cosines(0.3635819, 0.4891775, 0.1365995, 0.0106411)},
	{name: "parzen", make: parzen},
	{name: "taylor", params: 2, usual: [2]float64{4, 30}, make: taylor},
	{name: "triang", make: triang},
	{name: "tukey", params: 1, usual: [2]float64{0.5}, make: tukey},
}

// ParseWindow is the window that a text such as "hann", "kaiser:8.6",
// "tukey:0" or "general_gaussian:1.5:3" names.
func ParseWindow(text string) (Window, error) {
	parts := strings.Split(text, ":")
	w := Window{Name: parts[0]}
	i := slices.IndexFunc(windows, func(k windowKind) bool { return k.name == w.Name })
	if i >= 0 && len(parts)-1 > windows[i].params {
		return Window{}, fmt.Errorf("signal: window: %s takes %s", w.Name, [...]string{"no parameter", "one parameter", "two parameters"}[windows[i].params])
	}
	for k, p := range parts[1:] {
		v, err := strconv.ParseFloat(p, 64)
		if err != nil {
			return Window{}, fmt.Errorf("signal: window: %q is not a number", p)
		}
		v = cmp.Or(v, Zero)
		if k == 0 {
			w.Param = v
		} else {
			w.Param2 = v
		}
	}
	if i >= 0 && len(parts)-1 < windows[i].params && math.IsNaN(windows[i].usual[len(parts)-1]) {
		return Window{}, fmt.Errorf("signal: window: %s needs a parameter, as in %s:8.6", w.Name, text)
	}
	if _, err := w.Samples(0); err != nil { // a wide dpss does not fit few samples
		return Window{}, err
	}
	return w, nil
}

// Samples is the window of n samples, in float64.
func (w Window) Samples(n int) ([]float64, error) {
	s, err := w.samples(n)
	if err != nil {
		return nil, fmt.Errorf("signal: window: %w", err)
	}
	return s, nil
}

// Array is the window of n samples as an array of a float type.
func (w Window) Array(t nd.DType, n int) *nd.Array {
	s, err := w.samples(n)
	if err == nil && t != nd.Float32 && t != nd.Float64 {
		err = fmt.Errorf("%s samples: want float32 or float64", t)
	}
	if err != nil {
		return nd.Fail("signal", "window", err)
	}
	return typed(s, t)
}

// Apply is x, real or complex, times the window along an axis, the last unless one is
// given.
func (w Window) Apply(x *nd.Array, axis ...nd.AxisChoice) *nd.Array {
	l, bad := along("window", x, first(axis), true)
	if bad != nil {
		return bad
	}
	s, err := w.samples(l.Dim(-1))
	if err != nil {
		return nd.Fail("signal", "window", err, x)
	}
	if l.DType().IsComplex() {
		return l.back(l.MulReal(constant(s, l.Real())))
	}
	return l.back(l.Mul(constant(s, l.Array)))
}

// samples is Samples, its errors without a place.
func (w Window) samples(n int) ([]float64, error) {
	if n < 0 {
		return nil, fmt.Errorf("%d samples: want 0 or more", n)
	}
	if err := checkSize("samples", n); err != nil {
		return nil, err
	}
	if w.given != nil {
		if len(*w.given) != n {
			return nil, fmt.Errorf("the window has %s, %d are needed", counted.Of(len(*w.given), "sample"), n)
		}
		return slices.Clone(*w.given), nil
	}
	name := cmp.Or(w.Name, "hann")
	i := slices.IndexFunc(windows, func(k windowKind) bool { return k.name == name })
	if i < 0 {
		return nil, fmt.Errorf("unknown window %q%s: want one of %v", w.Name, choice.Hint(w.Name, WindowNames()), WindowNames())
	}
	params, err := w.params(&windows[i])
	if err != nil {
		return nil, err
	}
	if name == "kaiser_bessel_derived" && n%2 == 1 {
		return nil, fmt.Errorf("%s of %s: want an even number", name, counted.Of(n, "sample"))
	}
	if n < 2 {
		return eachSample(n, func(float64) float64 { return 1 }), nil
	}
	whole := n
	if !w.Symmetric && name != "kaiser_bessel_derived" {
		whole++
	}
	if name == "dpss" && params[0] >= float64(whole)/2 { // all frequencies are in the band
		return nil, fmt.Errorf("dpss of NW %g: want less than half of the %d samples", params[0], whole)
	}
	if name == "general_cosine" {
		return cosines(*w.cosines...)(whole, params)[:n], nil
	}
	s, err := made.get(windowShape{i, whole, params})
	if err != nil {
		return nil, err
	}
	return slices.Clone(s[:n]), nil
}

// params is the parameters of a kind as they are given, or as they usually are.
func (w Window) params(k *windowKind) ([2]float64, error) {
	p := [2]float64{w.Param, w.Param2}
	for i := range p {
		name := [...]string{"Param", "Param2"}[i]
		switch {
		case i >= k.params && p[i] != 0:
			return p, fmt.Errorf("%s takes no %s: it is %g", k.name, name, p[i])
		case i >= k.params:
			continue
		case p[i] == 0 && math.IsNaN(k.usual[i]):
			return p, fmt.Errorf("%s needs %s: Zero says 0", k.name, name)
		case p[i] == 0:
			p[i] = k.usual[i]
		}
		p[i] = number(p[i])
		if math.IsNaN(p[i]) || math.IsInf(p[i], 0) {
			return p, fmt.Errorf("%s of parameter %g", k.name, p[i])
		}
	}
	var err error
	switch {
	case k.name == "gaussian" && p[0] <= 0:
		err = fmt.Errorf("gaussian of standard deviation %g: want Param above 0", p[0])
	case k.name == "general_gaussian" && p[1] <= 0:
		err = fmt.Errorf("general_gaussian of standard deviation %g: want Param2 above 0", p[1])
	case k.name == "exponential" && p[0] <= 0:
		err = fmt.Errorf("exponential of tau %g: want Param above 0", p[0])
	case k.name == "dpss" && p[0] <= 0:
		err = fmt.Errorf("dpss of NW %g: want Param above 0", p[0])
	case k.name == "taylor" && (p[0] < 1 || p[0] > 1000 || p[0] != math.Trunc(p[0]) || !(p[1] > 0)):
		err = fmt.Errorf("taylor of %g lobes %g dB down: want whole lobes from 1 to 1000, and a positive number of decibels", p[0], p[1])
	case k.name == "general_cosine" && w.cosines == nil:
		err = errors.New("general_cosine needs its weights: make it by CosineWindow")
	}
	return p, err
}

// windowShape is a window as it is computed: one of windows, symmetric.
type windowShape struct {
	kind, samples int
	params        [2]float64
}

var made = kept[windowShape, []float64]{samples: func(w []float64) int { return len(w) }}

func init() {
	made.make = func(s windowShape) ([]float64, error) {
		k := windows[s.kind]
		w := k.make(s.samples, s.params)
		for _, v := range w {
			if v-v != 0 {
				return nil, fmt.Errorf("%s of parameter %g: too large for float64", k.name, s.params[0])
			}
		}
		return w, nil
	}
}

func eachSample(m int, f func(i float64) float64) []float64 {
	s := make([]float64, m)
	for i := range s {
		s[i] = f(float64(i))
	}
	return s
}

// cosines is the windows a0 - a1 cos x + a2 cos 2x - ...
func cosines(a ...float64) func(int, [2]float64) []float64 {
	return func(m int, _ [2]float64) []float64 {
		return eachSample(m, func(i float64) float64 {
			// Counted from the middle all terms are added.
			x := math.Pi * (2*i/float64(m-1) - 1)
			sum := 0.0
			for k, c := range a {
				sum += c * math.Cos(float64(k)*x)
			}
			return sum
		})
	}
}

func kaiser(m int, p [2]float64) []float64 {
	beta := p[0]
	half := float64(m-1) / 2
	if half == 0 {
		return []float64{1}
	}
	return eachSample(m, func(i float64) float64 {
		r := (i - half) / half
		return besselI0(beta*math.Sqrt(max(0, 1-r*r))) / besselI0(beta)
	})
}

// besselI0 is the modified Bessel function of order 0. All terms of its series
// are positive, so it is exact to rounding for every x.
func besselI0(x float64) float64 {
	sum, term := 1.0, 1.0
	for k := 1.0; term > sum*0x1p-55; k++ {
		term *= (x / 2 / k) * (x / 2 / k)
		sum += term
	}
	return sum
}

func parzen(m int, _ [2]float64) []float64 {
	return eachSample(m, func(i float64) float64 {
		d := math.Abs(i - float64(m-1)/2)
		r := d / (float64(m) / 2)
		if d <= float64(m-1)/4 {
			return 1 - 6*r*r*(1-r)
		}
		return 2 * (1 - r) * (1 - r) * (1 - r)
	})
}

func tukey(m int, p [2]float64) []float64 {
	alpha := p[0]
	if alpha >= 1 {
		return cosines(0.5, 0.5)(m, p)
	}
	last := float64(m - 1)
	edge := math.Floor(alpha * last / 2)
	return eachSample(m, func(i float64) float64 {
		d := min(i, last-i)
		if alpha <= 0 || d > edge {
			return 1
		}
		return 0.5 * (1 + math.Cos(math.Pi*(2*d/alpha/last-1)))
	})
}
