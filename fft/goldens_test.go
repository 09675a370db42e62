package fft

import (
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
)

// goldenRow is one call of SciPy or NumPy; see testdata/make_goldens.py.
type goldenRow struct {
	Op    string    `json:"op"`
	Shape []int     `json:"shape"`
	Axes  []int     `json:"axes"`
	Norm  string    `json:"norm"`
	D     float64   `json:"d"`
	Want  []float64 `json:"want"`
}

// samples and elements are the inputs the script used.
func samples(n int) []float64 {
	x := make([]float64, n)
	for j := range x {
		x[j] = math.Sin(3*float64(j)+1) + float64(j)/10
	}
	return x
}

func elements(n int) []complex128 {
	z := make([]complex128, n)
	for j, re := range samples(n) {
		z[j] = complex(re, math.Cos(2*float64(j)-1))
	}
	return z
}

func flat(z []complex128) []float64 {
	out := make([]float64, 0, 2*len(z))
	for _, v := range z {
		out = append(out, real(v), imag(v))
	}
	return out
}

func elementsOf(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

func TestGoldens(t *testing.T) {
	content, err := os.ReadFile("testdata/goldens.json")
	if err != nil {
		t.Fatal(err)
	}
	var rows []goldenRow
	if err := json.Unmarshal(content, &rows); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for _, row := range rows {
		seen[row.Op]++
		got, err := row.run()
		if err != nil {
			t.Errorf("%+v: %v", row, err)
			continue
		}
		if len(got) != len(row.Want) {
			t.Errorf("%s %v: %d values, want %d", row.Op, row.Shape, len(got), len(row.Want))
			continue
		}
		for i, want := range row.Want {
			if !(math.Abs(got[i]-want) <= 1e-12*max(1, math.Abs(want))) {
				t.Errorf("%s %v axes %v norm %s: value %d is %v, want %v", row.Op, row.Shape, row.Axes, row.Norm, i, got[i], want)
				break
			}
		}
	}
	if len(seen) != 33 {
		t.Errorf("%d operations in the goldens, want 33: %v", len(seen), seen)
	}
}

var trigByName = map[string]Trig{
	"DCT1": DCT1, "DCT2": DCT2, "DCT3": DCT3, "DCT4": DCT4,
	"DST1": DST1, "DST2": DST2, "DST3": DST3, "DST4": DST4, "Hartley": Hartley,
}

// run does what the row says, with float64 plans.
func (r goldenRow) run() ([]float64, error) {
	n := r.Shape[0]
	switch r.Op {
	case "fftfreq":
		return Freq(n, r.D)
	case "rfftfreq":
		return RFreq(n, r.D)
	case "fftshift":
		x := samples(n)
		Shift(x)
		return x, nil
	case "ifftshift":
		x := samples(n)
		IShift(x)
		return x, nil
	case "next_fast_len", "next_fast_real_len":
		return r.fastLengths()
	}
	norm, err := ParseNorm(r.Norm)
	if err != nil {
		return nil, err
	}
	o := Options{Norm: norm}
	switch {
	case strings.HasSuffix(r.Op, "fftn"):
		return r.runND(o)
	case strings.HasSuffix(r.Op, "fft"):
		return r.runLine(n, o)
	}
	name, inverse := strings.CutPrefix(r.Op, "inverse ")
	p, err := NewTrigPlan[float64](trigByName[name], n, o)
	if err != nil {
		return nil, err
	}
	x := samples(n)
	if inverse {
		return x, p.Inverse(x, x)
	}
	return x, p.Forward(x, x)
}

func (r goldenRow) fastLengths() ([]float64, error) {
	var out []float64
	for _, n := range r.Shape {
		next := NextFastLen
		if r.Op == "next_fast_real_len" {
			next = NextFastRealLen
		}
		m, err := next(n)
		if err != nil {
			return nil, err
		}
		out = append(out, float64(m))
	}
	return out, nil
}

func (r goldenRow) runLine(n int, o Options) ([]float64, error) {
	if r.Op == "fft" || r.Op == "ifft" {
		p, err := NewPlan[complex128](n, o)
		if err != nil {
			return nil, err
		}
		z := elements(n)
		if r.Op == "fft" {
			err = p.Forward(z, z)
		} else {
			err = p.Inverse(z, z)
		}
		return flat(z), err
	}
	p, err := NewRealPlan[float64, complex128](n, o)
	if err != nil {
		return nil, err
	}
	x, z := make([]float64, n), make([]complex128, n/2+1)
	switch r.Op {
	case "rfft":
		err = p.Forward(z, samples(n))
		return flat(z), err
	case "ihfft":
		err = p.HermitianInverse(z, samples(n))
		return flat(z), err
	case "irfft":
		return x, p.Inverse(x, elements(n/2+1))
	}
	return x, p.HermitianForward(x, elements(n/2+1))
}

func (r goldenRow) runND(o Options) ([]float64, error) {
	size := elementsOf(r.Shape)
	if r.Op == "fftn" || r.Op == "ifftn" {
		p, err := NewNDPlan[complex128](r.Shape, r.Axes, o)
		if err != nil {
			return nil, err
		}
		z := make([]complex128, size)
		if r.Op == "fftn" {
			err = p.Forward(z, elements(size))
		} else {
			err = p.Inverse(z, elements(size))
		}
		return flat(z), err
	}
	p, err := NewRealNDPlan[float64, complex128](r.Shape, r.Axes, o)
	if err != nil {
		return nil, err
	}
	if r.Op == "rfftn" {
		z := make([]complex128, p.Bins())
		err = p.Forward(z, samples(size))
		return flat(z), err
	}
	x := make([]float64, size)
	return x, p.Inverse(x, elements(p.Bins()))
}
