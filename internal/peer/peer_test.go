package peer

import (
	"errors"
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"strings"
	"testing"
)

// dft is the definition, unscaled.
func dft(x []complex128, inverse bool) []complex128 {
	n := len(x)
	sign := -2 * math.Pi / float64(n)
	if inverse {
		sign = -sign
	}
	y := make([]complex128, n)
	for k := range y {
		for j := range x {
			y[k] += x[j] * cmplx.Rect(1, sign*float64(j*k%n))
		}
	}
	return y
}

func TestFFTPeers(t *testing.T) {
	for _, name := range []string{"fftw", "mkl", "vdsp"} {
		peer, err := OpenFFT(name)
		if errors.Is(err, ErrNotPresent) {
			t.Run(name, func(t *testing.T) { t.Skip(err) })
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, bits := range []int{32, 64} {
			for _, real := range []bool{false, true} {
				for _, inverse := range []bool{false, true} {
					for _, threads := range []int{1, 2} {
						n := 30
						if name == "vdsp" {
							n = 48 // it has few lengths
						}
						tr := Transform{N: n, Batch: 3, Bits: bits, Real: real, Inverse: inverse, Threads: threads, Quick: threads == 1}
						t.Run(fmt.Sprintf("%s/%+v", name, tr), func(t *testing.T) { checkPeer(t, peer, tr) })
					}
				}
			}
		}
	}
}

// A variable that is set to what is no library is named, and not what was not tried.
func TestChosenLibrary(t *testing.T) {
	for _, path := range []string{t.TempDir(), "typo"} {
		t.Setenv("TWIDDLE_FFTW", path)
		_, err := open("FFTW", "TWIDDLE_FFTW", "libfftw3.so.3")
		if !errors.Is(err, ErrNotPresent) || !strings.Contains(err.Error(), fmt.Sprintf("TWIDDLE_FFTW=%q", path)) || strings.Contains(err.Error(), "libfftw3") {
			t.Errorf("%v", err)
		}
	}
}

func checkPeer(t *testing.T, peer FFT, tr Transform) {
	p, err := peer.Plan(tr)
	if errors.Is(err, ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	rng := rand.New(rand.NewPCG(1, 2))
	signal := make([][]complex128, tr.Batch)
	spectrum := make([][]complex128, tr.Batch)
	for b := range signal {
		signal[b] = make([]complex128, tr.N)
		for i := range signal[b] {
			signal[b][i] = complex(rng.Float64()-0.5, 0)
			if !tr.Real {
				signal[b][i] += complex(0, rng.Float64()-0.5)
			}
		}
		spectrum[b] = dft(signal[b], false)
	}
	in, want := signal, spectrum
	if tr.Inverse {
		in = spectrum
		want = make([][]complex128, tr.Batch)
		for b := range want {
			want[b] = dft(spectrum[b], true)
		}
	}
	inLine, outLine := tr.N, tr.bins()
	if tr.Inverse {
		inLine, outLine = outLine, inLine
	}
	for b := range in {
		for i := range inLine {
			store(p, tr, b*inLine+i, in[b][i])
		}
	}
	p.Run(3)
	tolerance := map[int]float64{32: 1e-5, 64: 1e-13}[tr.Bits]
	for b := range want {
		for i := range outLine {
			if got := load(p, tr, b*outLine+i); cmplx.Abs(got-want[b][i]) > tolerance*float64(tr.N) {
				t.Fatalf("line %d element %d: got %v, want %v", b, i, got, want[b][i])
			}
		}
	}
}

func store(p *Plan, tr Transform, i int, v complex128) {
	switch real := tr.Real && !tr.Inverse; {
	case real && tr.Bits == 32:
		In[float32](p)[i] = float32(realPart(v))
	case real:
		In[float64](p)[i] = realPart(v)
	case tr.Bits == 32:
		In[complex64](p)[i] = complex64(v)
	default:
		In[complex128](p)[i] = v
	}
}

func load(p *Plan, tr Transform, i int) complex128 {
	switch real := tr.Real && tr.Inverse; {
	case real && tr.Bits == 32:
		return complex(float64(Out[float32](p)[i]), 0)
	case real:
		return complex(Out[float64](p)[i], 0)
	case tr.Bits == 32:
		return complex128(Out[complex64](p)[i])
	}
	return Out[complex128](p)[i]
}

func realPart(v complex128) float64 { return real(v) }

func TestBadTransforms(t *testing.T) {
	for _, tr := range []Transform{
		{N: 0, Bits: 32}, {N: -1, Bits: 32}, {N: 4, Bits: 16}, {N: 4, Bits: 32, Batch: -1},
		{N: 4, Bits: 32, Threads: -1}, {N: 1 << 30, Batch: 1 << 30, Bits: 32},
	} {
		if _, err := tr.withDefaults(); err == nil {
			t.Errorf("%+v: no error", tr)
		}
	}
	if _, err := OpenFFT("abacus"); err == nil {
		t.Error("unknown peer: no error")
	}
}

func TestAbsentLibrary(t *testing.T) {
	t.Setenv("TWIDDLE_ABACUS", "")
	_, err := open("abacus", "TWIDDLE_ABACUS", "libabacus-not-there.so")
	if !errors.Is(err, ErrNotPresent) {
		t.Errorf("err %v, want ErrNotPresent", err)
	}
}

func TestSgemm(t *testing.T) {
	blas, err := OpenBLAS()
	if errors.Is(err, ErrNotPresent) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	const m, n, k = 3, 4, 5
	x, y := make([]float32, m*k), make([]float32, k*n)
	for i := range x {
		x[i] = float32(i%7) - 2
	}
	for i := range y {
		y[i] = float32(i%5) - 3
	}
	for _, threads := range []int{1, 2} {
		blas.SetThreads(threads)
		got := make([]float32, m*n)
		if err := blas.Sgemm(m, n, k, got, x, y); err != nil {
			t.Fatal(err)
		}
		for i := range m {
			for j := range n {
				var want float32
				for l := range k {
					want += x[i*k+l] * y[l*n+j]
				}
				if got[i*n+j] != want {
					t.Errorf("c[%d,%d] = %v, want %v", i, j, got[i*n+j], want)
				}
			}
		}
	}
	if err := blas.Sgemm(2, 2, 2, make([]float32, 3), make([]float32, 4), make([]float32, 4)); err == nil {
		t.Error("short destination: no error")
	}
}
