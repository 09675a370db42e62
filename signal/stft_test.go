package signal_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func TestSTFTGoldens(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := waves(2, 60)
	for _, c := range []struct {
		name string
		stft signal.STFT
	}{
		{"torch", signal.STFT{NFFT: 16}},
		{"torch ones", signal.STFT{NFFT: 16, Window: signal.Window{Name: "boxcar"}}},
		{"torch constant", signal.STFT{NFFT: 16, Border: signal.BorderZeros, TwoSided: true}},
		{"torch replicate", signal.STFT{NFFT: 16, Border: signal.BorderEdge, Hop: 5}},
		{"torch short window", signal.STFT{NFFT: 16, WinLength: 11, Hop: 3, Scale: signal.ScaleOrtho}},
		{"torch uncentred", signal.STFT{NFFT: 16, Border: signal.BorderNone}},
		{"librosa", signal.Librosa(16, 4)},
		{"librosa odd", signal.Librosa(15, 5)},
		{"scipy even", signal.SciPy(16, 8, 16)},
		{"scipy odd", signal.SciPy(15, 0, 0)},
		{"scipy nfft", signal.SciPy(12, 9, 20)},
		{"scipy apart", signal.SciPy(16, signal.None, 16)},
	} {
		check(t, "stft "+c.name, c.stft.Apply(x), 1e-13)
		single := c.stft.Apply(x.Cast(nd.Float32))
		check(t, "stft "+c.name, single, 1e-6)
		if single.DType() != nd.Complex64 {
			t.Errorf("%s: %s of float32", c.name, single.DType())
		}
		if all, err := goldens(); err != nil {
			t.Fatal(err)
		} else if _, has := all["istft "+c.name]; has && strings.HasPrefix(c.name, "torch") {
			check(t, "istft "+c.name, c.stft.Inverse(c.stft.Apply(x), signal.Inverse{Length: 60}), 1e-13)
		}
		if strings.HasPrefix(c.name, "scipy") && c.name != "scipy apart" {
			check(t, "istft "+c.name, c.stft.Inverse(c.stft.Apply(x)), 1e-13)
		}
	}
	s := signal.SciPy(16, 8, 16)
	s.Axis = nd.Axis(0)
	check(t, "stft scipy axis 0", s.Apply(waves(60, 2)), 1e-13)
}

// TestSTFTPadsOnTheWay holds centred frames to those of a signal that was padded
// before: the same bits in one launch, for frames that are longer than the signal,
// too, and for hops that leave samples out.
func TestSTFTPadsOnTheWay(t *testing.T) {
	ctx := context.Background()
	for border, mode := range map[signal.Border]nd.PadMode{
		signal.BorderReflect: nd.PadReflect, signal.BorderZeros: nd.PadConstant, signal.BorderEdge: nd.PadEdge, signal.BorderWrap: nd.PadWrap,
	} {
		for _, shape := range [][]int{{1000}, {3, 1000}, {2, 3, 70}} {
			for _, s := range []signal.STFT{{NFFT: 128, Hop: 32}, {NFFT: 64, Hop: 1}, {NFFT: 100, Hop: 130}, {NFFT: 15, Hop: 4}, {NFFT: 128, Hop: 40, WinLength: 50}} {
				s.Border = border
				x := nd.Normal(7, nd.Float32, shape...)
				padded := x.PadAxis(-1, nd.Margin{Before: s.NFFT / 2, After: s.NFFT / 2}, nd.Pad{Mode: mode})
				if err := nd.Eval(ctx, x, padded); err != nil {
					t.Fatal(err)
				}
				name := fmt.Sprintf("%+v of %v", s, shape)
				y := s.Apply(x)
				if y.Dim(-1) > 1 {
					if p, err := nd.Explain(y); err != nil || p.Launches != 1 {
						t.Errorf("%s: %v, %v", name, p, err)
					}
				}
				s.Border = signal.BorderNone
				got, err := nd.Slice[complex64](ctx, y)
				want, err2 := nd.Slice[complex64](ctx, s.Apply(padded))
				if err != nil || err2 != nil || !slices.Equal(got, want) {
					t.Errorf("%s: other bits than with a padded signal: %v, %v", name, err, err2)
				}
			}
		}
	}
}

// TestSTFTInverts holds ISTFT(STFT(x)) to x for windows that can be inverted.
func TestSTFTInverts(t *testing.T) {
	testdevice.NeedsFloat64(t)
	for _, c := range []signal.STFT{
		{NFFT: 16}, {NFFT: 15}, {NFFT: 16, Hop: 7}, {NFFT: 16, Hop: 1}, {NFFT: 9, Hop: 2},
		{NFFT: 16, WinLength: 9, Hop: 3}, {NFFT: 16, WinLength: 12, Hop: 5, Trailing: true},
		{NFFT: 16, Border: signal.BorderZeros, Scale: signal.ScaleOrtho}, {NFFT: 16, Border: signal.BorderEdge},
		{NFFT: 16, Border: signal.BorderWrap, Scale: signal.ScaleWindow}, {NFFT: 16, TwoSided: true, Scale: signal.ScaleDensity, FS: 8},
		{NFFT: 16, Hop: 8, Window: signal.Window{Name: "hamming"}, Border: signal.BorderNone, Fill: true},
		{NFFT: 10, Hop: 10, Window: signal.Window{Name: "boxcar"}, Border: signal.BorderNone, Fill: true},
		{NFFT: 12, WinLength: 10, Hop: 10, Trailing: true, Window: signal.Window{Name: "boxcar"}, Border: signal.BorderNone},
		signal.Librosa(32, 8), signal.SciPy(16, 12, 20),
	} {
		if ok, err := c.NOLA(0); !ok || err != nil {
			t.Errorf("%+v: NOLA is %v, %v", c, ok, err)
		}
		for _, n := range []int{60, 61} {
			x := waves(2, 3, n)
			if c.Border == signal.BorderNone && n == 61 && !c.Fill {
				continue
			}
			c.Fill = true
			inverts(t, fmt.Sprintf("%+v of %d", c, n), x, c.Inverse(c.Apply(x), signal.Inverse{Length: n}), 1e-13)
			f := x.Cast(nd.Float32)
			inverts(t, fmt.Sprintf("%+v of %d", c, n), f, c.Inverse(c.Apply(f), signal.Inverse{Length: n}), 1e-6)
			c.Axis = nd.Axis(1)
			y := x.SwapAxes(1, 2)
			inverts(t, fmt.Sprintf("%+v axis 1", c), y, c.Inverse(c.Apply(y), signal.Inverse{Length: n}), 1e-13)
			z := swirls(2, n)
			c.Axis = nd.Axis(-1)
			inverts(t, fmt.Sprintf("%+v complex", c), z, c.Inverse(c.Apply(z), signal.Inverse{Length: n, Complex: true}), 1e-13)
		}
	}
}

func inverts(t *testing.T, name string, x, y *nd.Array, tolerance float64) {
	t.Helper()
	w, err := elements(x)
	if err != nil {
		t.Fatal(err)
	}
	g, err := elements(y)
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	if !slices.Equal(x.Shape(), y.Shape()) || x.DType() != y.DType() {
		t.Errorf("%s: %s of shape %v became %s of %v", name, x.DType(), x.Shape(), y.DType(), y.Shape())
		return
	}
	compare(t, name, g, w, tolerance)
}

func TestOverlapChecks(t *testing.T) {
	for _, c := range []struct {
		stft       signal.STFT
		cola, nola bool
	}{
		{signal.STFT{NFFT: 120, Hop: 60}, true, true},
		{signal.STFT{NFFT: 120, Hop: 120, Window: signal.Window{Name: "boxcar"}}, true, true},
		{signal.STFT{NFFT: 120, Hop: 30, Window: signal.Window{Name: "tukey", Param: 0.25}}, false, true},
		{signal.STFT{NFFT: 64, Hop: 64}, false, false},
		{signal.STFT{NFFT: 64, Hop: 65, Window: signal.Window{Name: "boxcar"}}, false, false},
	} {
		cola, err := c.stft.COLA(0)
		nola, err2 := c.stft.NOLA(0)
		if err != nil || err2 != nil || cola != c.cola || nola != c.nola {
			t.Errorf("%+v: COLA %v, NOLA %v, want %v and %v (%v, %v)", c.stft, cola, nola, c.cola, c.nola, err, err2)
		}
	}
}

// A window far longer than the signal is not made before it is refused.
func TestLongWindowIsNotMade(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := waves(2, 60)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, y := range []*nd.Array{signal.STFT{NFFT: 1 << 25}.Apply(x), signal.Mel{STFT: signal.STFT{NFFT: 1 << 25}}.Apply(x)} {
		if y.Err() == nil {
			t.Errorf("60 samples in frames of 2^25: %v", y)
		}
	}
	if _, err := (signal.STFT{NFFT: 1 << 25}).Frames(60); err == nil {
		t.Error("60 samples have frames of 2^25")
	}
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 16<<20 {
		t.Errorf("%d bytes were allocated", bytes)
	}
}

func TestSTFTErrors(t *testing.T) {
	testdevice.NeedsFloat64(t)
	x := waves(2, 60)
	z := signal.STFT{NFFT: 16}.Apply(x)
	bare := signal.STFT{NFFT: 16, Border: signal.BorderNone}
	for fact, got := range map[string]*nd.Array{
		"stft: 60 samples are too few to be reflected by 1024": signal.STFT{}.Apply(x),
		"stft: 60 samples do not fill a frame of 100":          signal.STFT{NFFT: 100, Border: signal.BorderNone}.Apply(x),
		"stft: WinLength 17: want 1 to NFFT, which is 16":      signal.STFT{NFFT: 16, WinLength: 17}.Apply(x),
		"stft: Hop -1": signal.STFT{Hop: -1}.Apply(x),
		"stft: frames overlap by all of their samples: want noverlap less than nperseg": signal.SciPy(16, 16, 0).Apply(x),
		"stft: NFFT -4":                        signal.STFT{NFFT: -4}.Apply(x),
		"stft: unknown border 9":               signal.STFT{NFFT: 16, Border: 9}.Apply(x),
		`unknown window "x"`:                   signal.STFT{NFFT: 16, Window: signal.Window{Name: "x"}}.Apply(x),
		"has no samples":                       signal.STFT{NFFT: 16}.Apply(nd.Zeros(nd.Float32, 2, 0)),
		"istft: z is float64":                  signal.STFT{NFFT: 16}.Inverse(x),
		"has 9 bins, NFFT 32 gives 17":         signal.STFT{NFFT: 32}.Inverse(z),
		"istft: no window covers sample 0":     bare.Inverse(bare.Apply(x)),
		"istft: Length -1":                     signal.STFT{NFFT: 16}.Inverse(z, signal.Inverse{Length: -1}),
		"istft: nil Array":                     signal.STFT{}.Inverse(nil),
		"istft: 1 frame of 16 samples are all": signal.STFT{NFFT: 16}.Inverse(z.SliceAxis(-1, nd.Range{Stop: 1})),
	} {
		if err := got.Err(); err == nil || !strings.Contains(err.Error(), fact) {
			t.Errorf("%v, want %q", err, fact)
		}
	}
	y := bare.Inverse(bare.Apply(x), signal.Inverse{Masked: true})
	if _, err := nd.Slice[float64](context.Background(), y); err != nil {
		t.Error(err)
	}
	f, err := signal.STFT{NFFT: 8, FS: 16}.Frequencies()
	if err != nil || !near(f, []float64{0, 2, 4, 6, 8}, 0) {
		t.Errorf("frequencies %v, %v", f, err)
	}
}

// TestTimesGoldens is for sizes of frames that are odd, too.
func TestTimesGoldens(t *testing.T) {
	for _, n := range []int{2, 3, 15, 16} {
		s := signal.SciPy(n, 0, 0)
		s.FS = 7
		times, err := s.Times(40)
		if err != nil {
			t.Fatal(err)
		}
		checkFloats(t, fmt.Sprintf("stft times %d", n), times, 1e-14)
		s.Border, s.Fill = signal.BorderNone, false
		if times, err = s.Times(40); err != nil {
			t.Fatal(err)
		}
		checkFloats(t, fmt.Sprintf("stft times %d inside", n), times, 1e-14)
	}
}
