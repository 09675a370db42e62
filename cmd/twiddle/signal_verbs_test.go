package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"image/png"
	"math"
	"math/cmplx"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/audio/npz"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// hum is a line of samples.
func hum(n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(math.Sin(0.3*float64(i)) + 0.2*math.Sin(1.7*float64(i)+float64(i%7)))
	}
	return x
}

// equalFile compares a file with an array.
func equalFile(t *testing.T, label, file string, want *nd.Array) {
	t.Helper()
	a, err := npy.ReadFile(file)
	if err != nil {
		t.Fatalf("%s: %v", label, err)
	}
	w, err := hostArray(t.Context(), want)
	if err != nil {
		t.Fatalf("%s: %v", label, err)
	}
	if a.DType != w.DType || !slices.Equal(a.Shape, w.Shape) || !slices.Equal(a.Data, w.Data) {
		t.Errorf("%s: %v of %v, want %v of %v", label, a.Shape, a.DType, w.Shape, w.DType)
	}
}

// TestSignalVerbs compares what verbs write with what the library gives.
func TestSignalVerbs(t *testing.T) {
	samples := hum(3 * 700)
	in, out := save(t, samples, 3, 700)
	x := nd.From(samples, 3, 700)
	kaiser := signal.Window{Name: "kaiser", Param: 8.6}
	for _, c := range []struct {
		args string
		want *nd.Array
	}{
		{"welch", signal.Welch(x).Array},
		{"welch --fs 100 --nperseg 64 --noverlap 0 --nfft 128 --window kaiser:8.6 --detrend linear --scaling spectrum --average median --two-sided",
			signal.Welch(x, signal.Spectral{FS: 100, NPerSeg: 64, NOverlap: signal.None, NFFT: 128, Window: kaiser, Detrend: signal.TrendLinear, Scaling: signal.Power, Average: signal.Median, TwoSided: true}).Array},
		{"welch --axis 0 --nperseg 2", signal.Welch(x, signal.Spectral{NPerSeg: 2, Axis: nd.Axis(0)}).Array},
		{"stft --nfft 64", signal.STFT{NFFT: 64}.Apply(x)},
		{"stft --preset librosa --nfft 64 --hop 10", signal.Librosa(64, 10).Apply(x)},
		{"stft --preset scipy", signal.SciPy(256, 0, 0).Apply(x)},
		{"stft --preset scipy --nperseg 60 --noverlap 45 --nfft 64 --scaling density --fs 10", func() *nd.Array {
			s := signal.SciPy(60, 45, 64)
			s.Scale, s.FS = signal.ScaleDensity, 10
			return s.Apply(x)
		}()},
		{"stft --nfft 64 --nperseg 50 --noverlap 30 --border edge --scaling ortho --window boxcar --two-sided --trailing --padded",
			signal.STFT{NFFT: 64, WinLength: 50, Hop: 20, Border: signal.BorderEdge, Scale: signal.ScaleOrtho, Window: signal.Window{Name: "boxcar"}, TwoSided: true, Trailing: true, Fill: true}.Apply(x)},
		{"mel --n-mels 20 --nfft 256", signal.Mel{STFT: signal.Librosa(256, 64), NMels: 20}.Spectrogram(x)},
		{"mel --n-mels 20 --nfft 256 --hop 100 --fs 8000 --htk --flat --fmin 100 --fmax 3000 --power 1 --border reflect",
			signal.Mel{STFT: signal.STFT{NFFT: 256, Hop: 100}, FS: 8000, NMels: 20, HTK: true, Flat: true, FMin: 100, FMax: 3000, Power: 1}.Spectrogram(x)},
		{"mel --n-mels 20 --nfft 256 --mfcc 5", signal.Mel{STFT: signal.Librosa(256, 64), NMels: 20}.MFCC(x, 5)},
		{"mel --n-mels 20 --nfft 256 --db", signal.PowerToDB(signal.Mel{STFT: signal.Librosa(256, 64), NMels: 20}.Spectrogram(x))},
	} {
		args := append(strings.Fields(c.args), "--in", in, "--out", out)
		if status, stdout, stderr := twiddle(t, args...); status != 0 || stderr != "" || !strings.Contains(stdout, out) {
			t.Errorf("%s: status %d, %q, %q", c.args, status, stdout, stderr)
			continue
		}
		equalFile(t, c.args, out, c.want)
	}
}

func TestISTFT(t *testing.T) {
	samples := hum(700)
	in, z := save(t, samples, 700)
	dir := filepath.Dir(in)
	back, recording := filepath.Join(dir, "c.npy"), filepath.Join(dir, "c.wav")
	for _, flags := range []string{"--nfft 64", "--preset scipy --nperseg 60 --noverlap 45", "--nfft 64 --two-sided"} {
		if status, _, stderr := twiddle(t, append(strings.Fields("stft "+flags), "--in", in, "--out", z)...); status != 0 {
			t.Fatal(stderr)
		}
		if status, _, stderr := twiddle(t, append(strings.Fields("istft --length 700 "+flags), "--in", z, "--out", back)...); status != 0 {
			t.Fatal(stderr)
		}
		if status, _, stderr := twiddle(t, append(strings.Fields("istft --fs 8000 --length 700 "+flags), "--in", z, "--out", recording)...); status != 0 {
			t.Fatal(stderr)
		}
		_, got := load(t, back)
		f, err := audio.Open(recording)
		if err != nil {
			t.Fatal(err)
		}
		played := make([]float32, 800)
		n, err := audio.ReadFull(f, played)
		f.Close()
		if len(got) != 700 || n != 700 || f.Info.Rate != 8000 {
			t.Fatalf("%s: %d samples, %d frames at %v Hz, %v", flags, len(got), n, f.Info.Rate, err)
		}
		for i, v := range samples {
			if math.Abs(real(got[i])-float64(v)) > 1e-6 || math.Abs(float64(played[i]-v)) > 1e-6 {
				t.Fatalf("%s: sample %d is %v and %v, was %v", flags, i, got[i], played[i], v)
			}
		}
	}
}

// TestCutShort reads what there is of a recording, and says what there is not.
func TestCutShort(t *testing.T) {
	tone := toneFile(t, filepath.Join(t.TempDir(), "a.wav"), 1000)
	info, err := os.Stat(tone)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(tone, info.Size()/2); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "o.npy")
	for _, args := range []string{"welch --out " + out, "peaks --json", "stft --out " + out} {
		status, stdout, stderr := twiddle(t, append(strings.Fields(args), "--in", tone)...)
		if status != 0 || stdout == "" || !strings.HasPrefix(stderr, "twiddle: warning: wav: ") || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: status %d, %d bytes, %q", args, status, len(stdout), stderr)
		}
	}
}

func TestWelchJSONAndNPZ(t *testing.T) {
	tone := toneFile(t, filepath.Join(t.TempDir(), "a.wav"), 1000)
	status, stdout, stderr := twiddle(t, "welch", "--in", tone, "--json", "--scaling", "spectrum")
	var r struct {
		Shape  []int
		Values struct{ Power, Frequencies []float64 }
	}
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || status != 0 || !slices.Equal(r.Shape, []int{129}) {
		t.Fatalf("status %d, %v, %q: %+v", status, err, stderr, r.Shape)
	}
	if p := r.Values.Power[32]; r.Values.Frequencies[32] != 1000 || math.Abs(p-0.25*0.25/2) > 1e-6 {
		t.Errorf("%v at %v Hz", p, r.Values.Frequencies[32])
	}
	both := filepath.Join(t.TempDir(), "p.npz")
	if status, stdout, stderr := twiddle(t, "welch", "--in", tone, "--out", both, "--nperseg", "100000"); status != 0 || !strings.Contains(stdout, "note: nperseg is more than the samples") {
		t.Fatalf("status %d, %q, %q", status, stdout, stderr)
	}
	z, err := npz.Open(both)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if names := z.Names(); !slices.Equal(names, []string{"frequencies", "power"}) {
		t.Error(names)
	}
	// What was written can be read again, if it is said which.
	if status, stdout, _ := twiddle(t, "peaks", "--in", both, "--array", "power", "--prominence", "1e-4"); status != 0 || !strings.Contains(stdout, "1 peak in 1 line") {
		t.Errorf("status %d: %s", status, stdout)
	}
	if status, _, stderr := twiddle(t, "peaks", "--in", both); status != 2 || !strings.Contains(stderr, "--array: frequencies, power") {
		t.Errorf("status %d, %q", status, stderr)
	}
}

// A spectrum is printed without --out, and drawn to a picture.
func TestWelchPicture(t *testing.T) {
	folder := t.TempDir()
	tone, picture := toneFile(t, filepath.Join(folder, "a.wav"), 1000), filepath.Join(folder, "p.png")
	status, stdout, stderr := twiddle(t, "welch", tone)
	top, _, _ := strings.Cut(stdout, "\n")
	if at := strings.IndexAny(top, "▁▂▃▄▅▆▇█"); status != 0 || at < 8+70*1000/4000-1 || at > 8+70*1000/4000+1 {
		t.Errorf("status %d, %q: the tone is at column %d:\n%s", status, stderr, at, stdout)
	}
	if status, _, stderr := twiddle(t, "welch", tone, "--out", picture); status != 0 {
		t.Fatal(stderr)
	}
	f, err := os.Open(picture)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := png.Decode(f); err != nil {
		t.Error(err)
	}
}

// I and Q of a radio are complex samples: a tone at a quarter of the rate below 0 is there
// and nowhere above, in numbers and in pictures, read at once or chunk by chunk.
func TestIQ(t *testing.T) {
	folder := t.TempDir()
	raw, out := filepath.Join(folder, "iq.bin"), filepath.Join(folder, "z.npy")
	const fs, n = 8000, 4096
	var b []byte
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * -0.25 * float64(i))
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(math.Round(20000*cos))))
		b = binary.LittleEndian.AppendUint16(b, uint16(int16(math.Round(20000*sin))))
	}
	if err := os.WriteFile(raw, b, 0o600); err != nil {
		t.Fatal(err)
	}
	flags := []string{raw, "--raw", "int16", "--iq", "--fs", "8000"}
	run := func(verb string, more ...string) string {
		t.Helper()
		status, stdout, stderr := twiddle(t, append(append([]string{verb}, flags...), more...)...)
		if status != 0 {
			t.Fatalf("%s %v: %s", verb, more, stderr)
		}
		return stdout
	}
	var r struct {
		Values struct{ Power, Frequencies []float64 }
	}
	if err := json.Unmarshal([]byte(run("welch", "--json", "--scaling", "spectrum", "--detrend", "none")), &r); err != nil {
		t.Fatal(err)
	}
	want := 20000.0 / 32768
	if p, f := r.Values.Power[192], r.Values.Frequencies[192]; f != -fs/4 || math.Abs(p-want*want) > 1e-4 || r.Values.Power[64] > 1e-6 {
		t.Errorf("%g at %g Hz, and %g at %g", p, f, r.Values.Power[64], r.Values.Frequencies[64])
	}
	top, _, _ := strings.Cut(run("welch"), "\n")
	if at := strings.IndexAny(top, "▁▂▃▄▅▆▇█"); at < 8+70/4-1 || at > 8+70/4+1 {
		t.Errorf("the tone is at column %d of the printed spectrum", at)
	}
	// Of twenty rows of a waterfall the fifth from below has it.
	rows := strings.Split(run("stft", "--nfft", "256", "--border", "none"), "\n")
	loud := func(row string) bool { return strings.Count(row, "█") > 10 }
	if i := slices.IndexFunc(rows, loud); i != 14 && i != 15 {
		t.Errorf("the tone is in row %d:\n%s", i, strings.Join(rows, "\n"))
	}
	run("stft", "--nfft", "256", "--hop", "64", "--border", "none", "--out", out)
	z, err := npy.Load(out)
	if err != nil || !slices.Equal(z.Shape(), []int{256, (n-256)/64 + 1}) {
		t.Fatal(z.Shape(), err)
	}
	for _, v := range []string{"welch", "stft"} {
		run(v, "--out", filepath.Join(folder, v+".png"))
	}
	if status, _, stderr := twiddle(t, append([]string{"stft", "--log-frequency"}, flags...)...); status != 2 || !strings.Contains(stderr, "--log-frequency: there are no octaves on two sides of 0 Hz") {
		t.Errorf("status %d, %q", status, stderr)
	}
}

// A picture of an array has the bins of its samples upwards, whichever their axis.
func TestSTFTPictureAlongAxis(t *testing.T) {
	in, out := save(t, make([]float32, 200), 100, 2)
	out = strings.TrimSuffix(out, ".npy") + ".png"
	status, stdout, stderr := twiddle(t, "stft", in, "--nfft", "16", "--axis", "0", "--out", out)
	if status != 0 || !strings.Contains(stdout, "float32 [9 26]") {
		t.Errorf("status %d, %q, %q", status, stdout, stderr)
	}
}

// Spectra of an array of complex samples have as many frequencies as bins.
func TestSTFTOfComplexArray(t *testing.T) {
	in, _ := save(t, make([]complex64, 64), 64)
	var r struct {
		Shape  []int
		Values struct{ Frequencies []float64 }
	}
	status, stdout, stderr := twiddle(t, "stft", in, "--nfft", "8", "--json")
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || status != 0 {
		t.Fatalf("status %d, %v, %q", status, err, stderr)
	}
	if want := []float64{0, 0.125, 0.25, 0.375, -0.5, -0.375, -0.25, -0.125}; r.Shape[0] != 8 || !slices.Equal(r.Values.Frequencies, want) {
		t.Errorf("shape %v, frequencies %v, want %v", r.Shape, r.Values.Frequencies, want)
	}
	if status, _, stderr = twiddle(t, "stft", in, "--nfft", "8", "--log-frequency"); status != 2 {
		t.Errorf("status %d, %q", status, stderr)
	}
}

func TestPeaksVerb(t *testing.T) {
	in, out := save(t, []float64{0, 1, 0, 3, 3, 0, 2, 0, 0, 5, 0}, 11)
	status, stdout, stderr := twiddle(t, "peaks", "--in", in, "--height", "1.5,4", "--prominence", "0", "--width", "0", "--plateau-size", ",9", "--threshold", "0", "--refine", "values", "--json")
	var r struct{ Peaks []map[string]float64 }
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || status != 0 || len(r.Peaks) != 2 {
		t.Fatalf("status %d, %v, %q:\n%s", status, err, stderr, stdout)
	}
	if p := r.Peaks[0]; p["index"] != 3 || p["value"] != 3 || p["plateau_size"] != 2 || p["prominence"] != 3 || len(p) != 16 {
		t.Errorf("%v", p)
	}
	limits, _ := save(t, []float64{2, 2, 2, 9, 9, 9, 1, 1, 1, 1, 1}, 11)
	if status, stdout, stderr = twiddle(t, "peaks", "--in", in, "--height", limits+",4"); status != 0 || !strings.Contains(stdout, "    6      2\n1 peak in 1 line") {
		t.Errorf("status %d, %q:\n%s", status, stderr, stdout)
	}
	if status, _, stderr = twiddle(t, "peaks", "--in", in, "--distance", "3", "--out", out); status != 0 {
		t.Fatal(stderr)
	}
	if _, at := load(t, out); !slices.Equal(at, []complex128{3, 6, 9}) {
		t.Errorf("%v", at)
	}
	many, out := save(t, []float64{0, 1, 0, 0, 0, 2, 0, 0, 0, 0}, 2, 5)
	if status, stdout, _ = twiddle(t, "peaks", "--in", many, "--out", out, "--json"); status != 0 || !strings.Contains(stdout, `"line": 0`) {
		t.Errorf("status %d: %s", status, stdout)
	}
	if a, at := load(t, out); !slices.Equal(at, []complex128{0, 1}) || !slices.Equal(a.Shape, []int{1, 2}) {
		t.Errorf("%v of shape %v", at, a.Shape)
	}
	if status, stdout, _ = twiddle(t, "peaks", "--in", many, "--height", "100"); status != 0 || stdout != "0 peaks in 2 lines\n" {
		t.Errorf("status %d: %q", status, stdout)
	}
}

func TestSignalVerbFailures(t *testing.T) {
	in, out := save(t, hum(100), 100)
	bad := filepath.Join(t.TempDir(), "bad.wav")
	if err := os.WriteFile(bad, []byte("RIFF----WAVEfmt "), 0o600); err != nil {
		t.Fatal(err)
	}
	samples := filepath.Join(t.TempDir(), "samples.bin")
	if err := os.WriteFile(samples, make([]byte, 528), 0o600); err != nil {
		t.Fatal(err)
	}
	nan, _ := save(t, []float64{1, math.NaN(), 2}, 3)
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"welch --out " + out, 2, "want a file to read"},
		{"welch a.wav b.wav --json", 2, "2 files: want 1 file"},
		{"welch a.wav --in " + in + " --json", 2, "named by flags already"},
		{"mel --in " + in + " --two-sided", 2, "--two-sided: mel bands are of the bins of real samples"},
		{"mel --in " + in + " --mfcc 5", 2, "--mfcc has no picture"},
		{"mel --in " + in + " --mfcc 5 --out m.png", 2, "--mfcc has no picture"},
		{"mel --in " + nan + " --nfft 2", 1, "there are NaN or infinities among the samples"},
		{"welch --in " + in + " --iq", 2, "want two channels, I and Q"},
		{"welch --in " + samples + " --iq --raw int16 --fs 1 --channels 3", 2, "want two channels, I and Q"},
		{"stft --in " + samples + " --iq --raw int16 --fs 1 --channels 1", 2, "--iq: 1 channel: want two channels, I and Q"},
		{"welch --in " + nan, 1, "there are NaN or infinities among the samples"},
		{"welch --in " + in + " --out x.txt", 2, "want a name that ends in .npy or .npz"},
		{"welch --in " + in + " --out " + filepath.Join(in, "deeper.npy"), 1, "--out"},
		{"welch --in " + in + " --out nowhere/at/all.npy", 1, "there is no folder nowhere/at: make it first"},
		{"istft --in " + in + " --json", 1, "(" + in + ")"},
		{"welch --in " + bad + " --json", 1, "wav: header: offset 12"},
		{"welch --in missing --json", 1, "no such file"},
		{"welch --in " + in + " --json --nperseg 0", 2, "--nperseg 0"},
		{"welch --in " + in + " --json --nperseg 10 --noverlap 10", 2, "--noverlap 10: want 0 to 9"},
		{"welch --in " + in + " --json --nperseg 10 --nfft 9", 2, "--nfft 9: want at least --nperseg"},
		{"welch --in " + in + " --json --window ham", 2, "--window: signal: window: unknown window \"ham\""},
		{"welch --in " + in + " --json --detrend x", 2, "want one of constant, linear, none"},
		{"welch --in " + in + " --json --scaling x", 2, "--scaling"},
		{"welch --in " + in + " --json --average x", 2, "--average"},
		{"welch --in " + in + " --json --fs -1", 2, "--fs -1"},
		{"welch --in " + in + " --json --axis 3", 1, "axis 3 out of range"},
		{"welch --in " + in + " --json --npersegg 3", 2, "did you mean --nperseg?"},
		{"welch --in " + in + " --json --device abacus", 2, "--device"},
		{"stft --in " + in + " --json --preset mlx", 2, "want torch, librosa or scipy"},
		{"stft --in " + in + " --json --hop 3 --noverlap 3", 2, "say the same"},
		{"stft --in " + in + " --json --nfft 8 --nperseg 9", 2, "--nperseg 9: want at most --nfft"},
		{"stft --in " + in + " --json --nfft 8 --noverlap 8", 2, "--noverlap 8"},
		{"stft --in " + in + " --json --hop 0", 2, "--hop 0"},
		{"welch --in " + in + " --json --noverlap -1", 2, "--noverlap -1: want 0 to 255"},
		{"mel --in " + in + " --json --n-mels 8 --nfft 64 --fs 8000 --fmin 5000", 1, "--fmin 5000 and --fmax 4000: want 0 <= --fmin < --fmax (" + in},
		{"stft --in " + in + " --json", 1, "too few to be reflected by 1024: want another --border, or a shorter --nfft"},
		{"istft --in " + in + " --json", 1, "want complex bins"},
		{"istft --in " + in + " --out x.wav", 2, "needs --fs"},
		{"mel --in " + in + " --json --n-mels 0", 2, "--n-mels 0"},
		{"mel --in " + in + " --json --mfcc 200", 2, "--mfcc 200"},
		{"mel --in " + in + " --json --fmin 5 --fmax 3 --nfft 16", 1, "--fmin 5 and --fmax 3"},
		{"peaks --in " + in + " --height x", 2, "neither a number nor a .npy file"},
		{"peaks --in " + in + " --height ,", 2, "want a number"},
		{"peaks --in " + in + " --height 2,1", 2, "above the upper"},
		{"peaks --in " + in + " --height " + nan, 1, "limits for 3 samples, lines have 100"},
		{"peaks --in " + in + " --refine x", 2, "--refine"},
		{"peaks --in " + in + " --wlen 1", 1, "--wlen 1"},
	} {
		status, _, stderr := twiddle(t, strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: status %d, %q; want %d and %q", c.args, status, stderr, c.status, c.want)
		}
	}
	if v, err := jsonValues(mustLoad(t, nan)); err != nil || v.([]any)[1] != nil {
		t.Errorf("NaN as JSON: %v, %v", v, err)
	}
}

// sameNumbers reports whether two files have the same numbers but for rounding.
func sameNumbers(t *testing.T, a, b string) bool {
	t.Helper()
	x, err := npy.As[complex128](mustLoad(t, a))
	if err != nil {
		t.Fatal(err)
	}
	y, err := npy.As[complex128](mustLoad(t, b))
	if err != nil || len(x) != len(y) {
		t.Fatal(err, len(x), len(y))
	}
	most, off := 0.0, 0.0
	for i := range x {
		most, off = max(most, cmplx.Abs(x[i])), max(off, cmplx.Abs(x[i]-y[i]))
	}
	return off <= 1e-6*most
}

func mustLoad(t *testing.T, file string) *npy.Array {
	t.Helper()
	a, _ := load(t, file)
	return a
}

// A device that is chosen gives what the CPU does where there is no other, and says so.
func TestDeviceAuto(t *testing.T) {
	dir := t.TempDir()
	in, k := filepath.Join(dir, "x.npy"), filepath.Join(dir, "k.npy")
	for name, values := range map[string][]float32{in: make([]float32, 4096), k: {1, 2, 3}} {
		for i := range values {
			values[i] += float32(i % 17)
		}
		a, err := npy.From(values, 1, len(values))
		if err == nil {
			err = npy.WriteFile(name, a)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, verb := range [][]string{{"welch", "--in", in}, {"stft", "--in", in}, {"fft", "--in", in}, {"conv", "--in", in, "--filter", k}} {
		var files [2][]byte
		for i, device := range []string{"cpu", "auto"} {
			out := filepath.Join(dir, device+".npy")
			status, _, stderr := twiddle(t, append(verb, "--out", out, "--device", device)...)
			if status != 0 || (device == "auto") != strings.Contains(stderr, "--device auto: ") {
				t.Fatalf("%v on %s: status %d, %q", verb, device, status, stderr)
			}
			var err error
			if files[i], err = os.ReadFile(out); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := nd.Open("cuda:0"); err == nil || bytes.Equal(files[0], files[1]) {
			continue
		}
		// Without --device, fft runs on slices: of real samples the engine finds half of the
		// bins and mirrors them, so that last bits differ.
		if verb[0] != "fft" || !sameNumbers(t, filepath.Join(dir, "cpu.npy"), filepath.Join(dir, "auto.npy")) {
			t.Errorf("%v: auto gives another result", verb)
		}
	}
}

// Samples that are no numbers are said, whatever the result shows of them.
func TestSamplesThatAreNoNumbers(t *testing.T) {
	samples := hum(4000)
	samples[7], samples[9] = float32(math.NaN()), float32(math.Inf(1))
	in, _ := save(t, samples, len(samples))
	none, _ := save(t, []float32{}, 0)
	for _, c := range []struct {
		args, want string
		status     int
	}{
		{"peaks " + in, "1 of 4000 samples are NaN (" + in + ")", 0},
		{"welch " + in, "a power is not a number", 1},
		{"stft " + in, "a power is not a number", 1},
		{"peaks " + none, "no samples (" + none + ")", 1},
	} {
		if status, _, stderr := twiddle(t, strings.Fields(c.args)...); status != c.status || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: status %d, %q; want %d, %q", c.args, status, stderr, c.status, c.want)
		}
	}
}
