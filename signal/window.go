package signal

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/twiddle-go/twiddle/nd"
)

// Window is a window function. The zero value is the periodic hann window;
// operations with another default say so.
type Window struct {
	// Name is one of WindowNames; empty is the operation's default.
	Name string
	// Param is beta of kaiser, alpha of tukey (0 is 0.5) and the standard
	// deviation of gaussian in samples. Others have none.
	Param float64
	// Symmetric makes the window end as it begins, as filter design wants.
	// Otherwise it is one period of a sequence, as analysis by DFT wants.
	Symmetric bool

	given *[]float64 // by CustomWindow
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
	name  string
	param bool                                 // it takes one
	make  func(m int, param float64) []float64 // symmetric, m >= 2
}

var windows = []windowKind{
	{"bartlett", false, func(m int, _ float64) []float64 {
		return eachSample(m, func(i float64) float64 { return 1 - math.Abs(2*i/float64(m-1)-1) })
	}},
	// The coefficients of sums of cosines are SciPy's.
	{"blackman", false, cosines(0.42, 0.50, 0.08)},
	{"blackmanharris", false, cosines(0.35875, 0.48829, 0.14128, 0.01168)},
	{"boxcar", false, func(m int, _ float64) []float64 {
		return eachSample(m, func(float64) float64 { return 1 })
	}},
	{"cosine", false, func(m int, _ float64) []float64 {
		return eachSample(m, func(i float64) float64 { return math.Sin(math.Pi / float64(m) * (i + 0.5)) })
	}},
	{"flattop", false, cosines(0.21557895, 0.41663158, 0.277263158, 0.083578947, 0.006947368)},
	{"gaussian", true, func(m int, std float64) []float64 {
		return eachSample(m, func(i float64) float64 {
			d := (i - float64(m-1)/2) / std
			return math.Exp(-d * d / 2)
		})
	}},
	{"hamming", false, cosines(0.54, 0.46)},
	{"hann", false, cosines(0.5, 0.5)},
	{"kaiser", true, kaiser},
	{"nuttall", false, cosines(0.3635819, 0.4891775, 0.1365995, 0.0106411)},
	{"parzen", false, parzen},
	{"tukey", true, tukey},
}

// ParseWindow is the window that a text such as "hann", "kaiser:8.6" or
// "tukey:0.25" names.
func ParseWindow(text string) (Window, error) {
	name, param, has := strings.Cut(text, ":")
	w := Window{Name: name}
	if has {
		v, err := strconv.ParseFloat(param, 64)
		if err != nil {
			return Window{}, fmt.Errorf("signal: window: %q is not a number", param)
		}
		w.Param = v
	}
	if _, err := w.Samples(2); err != nil {
		return Window{}, err
	}
	for _, k := range windows {
		if k.name == name && has && !k.param {
			return Window{}, fmt.Errorf("signal: window: %s takes no parameter", name)
		}
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

// samples is Samples, its errors without a place.
func (w Window) samples(n int) ([]float64, error) {
	if n < 0 {
		return nil, fmt.Errorf("%d samples", n)
	}
	if w.given != nil {
		if len(*w.given) != n {
			return nil, fmt.Errorf("the window has %d samples, %d are needed", len(*w.given), n)
		}
		return slices.Clone(*w.given), nil
	}
	name := w.Name
	if name == "" {
		name = "hann"
	}
	i := slices.IndexFunc(windows, func(k windowKind) bool { return k.name == name })
	if i < 0 {
		return nil, fmt.Errorf("unknown window %q: want one of %v", w.Name, WindowNames())
	}
	param := w.Param
	if name == "tukey" && param == 0 {
		param = 0.5
	}
	switch {
	case math.IsNaN(param) || math.IsInf(param, 0):
		return nil, fmt.Errorf("%s of parameter %g", name, param)
	case name == "gaussian" && param <= 0:
		return nil, fmt.Errorf("gaussian of standard deviation %g: want Param above 0", param)
	}
	if n < 2 {
		return eachSample(n, func(float64) float64 { return 1 }), nil
	}
	whole := n
	if !w.Symmetric {
		whole++
	}
	s, err := made.get(windowShape{i, whole, param})
	if err != nil {
		return nil, err
	}
	return slices.Clone(s[:n]), nil
}

// windowShape is a window as it is computed: one of windows, symmetric.
type windowShape struct {
	kind, samples int
	param         float64
}

var made = kept[windowShape, []float64]{samples: func(w []float64) int { return len(w) }}

func init() {
	made.make = func(s windowShape) ([]float64, error) { return windows[s.kind].make(s.samples, s.param), nil }
}

func eachSample(m int, f func(i float64) float64) []float64 {
	s := make([]float64, m)
	for i := range s {
		s[i] = f(float64(i))
	}
	return s
}

// cosines is the windows a0 - a1 cos x + a2 cos 2x - ...
func cosines(a ...float64) func(int, float64) []float64 {
	return func(m int, _ float64) []float64 {
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

func kaiser(m int, beta float64) []float64 {
	half := float64(m-1) / 2
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

func parzen(m int, _ float64) []float64 {
	return eachSample(m, func(i float64) float64 {
		d := math.Abs(i - float64(m-1)/2)
		r := d / (float64(m) / 2)
		if d <= float64(m-1)/4 {
			return 1 - 6*r*r*(1-r)
		}
		return 2 * (1 - r) * (1 - r) * (1 - r)
	})
}

func tukey(m int, alpha float64) []float64 {
	if alpha >= 1 {
		return cosines(0.5, 0.5)(m, 0)
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
