package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/audio/npz"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
)

// shocks is a recording of a bearing with a damaged outer ring: 25 times a second
// something rings at 3 kHz.
func shocks(t *testing.T) string {
	t.Helper()
	const fs, n = 20000, 100000
	r := rand.New(rand.NewPCG(1, 2))
	x := make([]float32, n)
	for i := range x {
		at := math.Mod(float64(i)/fs, 0.04)
		x[i] = float32(0.02*r.NormFloat64() + 0.5*math.Exp(-800*at)*math.Sin(2*math.Pi*3000*at))
	}
	name := filepath.Join(t.TempDir(), "bearing.wav")
	if err := wav.WriteFile(name, pcm.Format{Encoding: pcm.Float32, Channels: 1, Rate: fs}, x); err != nil {
		t.Fatal(err)
	}
	return name
}

func lineJSON(t *testing.T, args ...string) lineReport {
	t.Helper()
	status, out, bad := twiddle(t, append(args, "--json")...)
	var r lineReport
	if err := json.Unmarshal([]byte(out), &r); status != 0 || err != nil {
		t.Fatalf("%v: status %d, %v, %s", args, status, err, bad)
	}
	return r
}

// The rate of shocks is the fundamental of the envelope's lines, found by itself and in a
// band that is given, and named by the bearing.
func TestEnvelope(t *testing.T) {
	in := shocks(t)
	// BPFO = balls / 2 * rpm / 60 * (1 - 1/4)
	const rpm = 25 * 60 * 2 / (8 * 0.75)
	for _, band := range []string{"auto", "2000:4000", "all"} {
		r := lineJSON(t, "envelope", in, "--band", band, "--fmax", "200", "--rpm", fmt.Sprint(rpm), "--bearing", "8,1,4")
		p := r.Channels[0].Peaks
		if len(p) < 5 || math.Abs(p[0].Frequency-25) > 0.1 || p[0].Matches != "BPFO" || p[1].Matches != "2 x BPFO" || p[1].Order != 2 || p[0].Amplitude < 0.003 {
			t.Errorf("band %s: %+v", band, p)
		}
		for _, x := range p {
			if x.Frequency > 200 {
				t.Errorf("band %s: a line at %g Hz", band, x.Frequency)
			}
		}
	}
	status, out, _ := twiddle(t, "envelope", in, "--band", "2000:4000", "--fmax", "200", "--rpm", fmt.Sprint(rpm), "--bearing", "8,1,4")
	for _, want := range []string{"band 2000.0 Hz to 4000.0 Hz", "BPFO 25.00 Hz, BPFI 41.67 Hz", "5 segments of 32768 samples, averaged", "2 x BPFO"} {
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	// A .npz file has the numbers of package measure, which are SciPy's.
	file := filepath.Join(t.TempDir(), "e.npz")
	if status, _, bad := twiddle(t, "envelope", in, "--band", "2000:4000", "--nperseg", "4096", "--out", file); status != 0 {
		t.Fatal(bad)
	}
	z, err := npz.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for name, want := range map[string][]int{"amplitude": {1, 2049}, "frequencies": {2049}} {
		a, err := z.Read(name)
		if err != nil || fmt.Sprint(a.Shape) != fmt.Sprint(want) {
			t.Errorf("%s: %v, %v", name, a, err)
		}
	}
	a, _ := z.Read("frequencies")
	if hz, err := npy.As[float64](a); err != nil || hz[2048] != 10000 {
		t.Errorf("up to %v, %v", hz[2048], err)
	}
	// A picture ends at the width of the band, as the printed curve does: 2000 Hz in steps of 4.88.
	status, out, bad := twiddle(t, "envelope", in, "--band", "2000:4000", "--nperseg", "4096", "--out", filepath.Join(t.TempDir(), "e.png"))
	if status != 0 || !strings.Contains(out, "float64 [1 410]") {
		t.Errorf("%s%s", out, bad)
	}
}

// Orders of a machine that runs up are lines, whatever tells its turns.
func TestOrders(t *testing.T) {
	const fs, n = 2048, 8 * 2048
	var b strings.Builder
	b.WriteString("time [s],ax [g],tacho [V],rpm\n")
	for i := range n {
		at := float64(i) / fs
		turns := 10*at + at*at
		fmt.Fprintf(&b, "%.8f,%.8f,%g,%.6f\n", at, 0.7*math.Sin(2*math.Pi*turns)+0.3*math.Sin(2*math.Pi*3.5*turns), 5*math.Round(math.Mod(2*turns, 1)), 60*(10+2*at))
	}
	in := filepath.Join(t.TempDir(), "runup.csv")
	if err := os.WriteFile(in, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"--tacho tacho --pulses 2 --columns ax,tacho", "--tacho 2 --pulses 2 --falling --columns ax,tacho", "--speed RPM --columns ax,rpm", "--tacho tacho --pulses 2 --turns 40 --columns ax,tacho"} {
		r := lineJSON(t, append([]string{"orders", in}, strings.Fields(args)...)...)
		p := r.Channels[0].Peaks
		if len(r.Channels) != 1 || len(p) < 2 || math.Abs(p[0].Frequency-1) > 0.01 || math.Abs(p[0].Amplitude-0.7) > 0.03 || math.Abs(p[1].Frequency-3.5) > 0.01 || math.Abs(p[1].Amplitude-0.3) > 0.03 {
			t.Errorf("%s: %+v", args, r.Channels)
		}
	}
	status, out, _ := twiddle(t, "orders", in, "--speed", "rpm", "--columns", "ax,rpm", "--max-order", "10")
	for _, want := range []string{"143 turns at", "orders", "0.7"} {
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	r := lineJSON(t, "orders", in, "--rpm", "600", "--columns", "ax")
	if d, ok := r.Details.(map[string]any); !ok || r.Channels[0].Name != "ax [g]" || d["turns"] != 79.0 || math.Abs(d["mean_rpm"].(float64)-600) > 1e-9 {
		t.Errorf("%+v", r)
	}
}

func TestLineSpectraErrors(t *testing.T) {
	in := shocks(t)
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"envelope " + in + " --band 2000", 2, "want LOW:HIGH in Hz, such as 2000:8000"},
		{"envelope " + in + " --band 3000:2000", 2, "want LOW:HIGH"},
		{"envelope " + in + " --band 3000:10000", 2, "below 10000 Hz, half the rate"},
		{"envelope " + in + " --band atuo", 2, `--band "atuo" (did you mean "auto"?): want LOW:HIGH`},
		{"envelope " + in + " --bearing 9,1,4 --rpm -5", 2, "--rpm -5: want a positive number"},
		{"envelope " + in + " --bearing 9,1,4 --rpm 0", 2, "--rpm 0: want a positive number"},
		{"envelope " + in + " --bearing 9,1,4 --rpm inf", 2, "--rpm +Inf: want a positive number"},
		{"envelope " + in + " --rpm 100", 2, "give its geometry"},
		{"envelope " + in + " --bearing 9,1,4", 2, "--bearing needs --rpm"},
		{"envelope " + in + " --bearing 9,1 --rpm 100", 2, "want BALLS,DIAMETER,PITCH"},
		{"envelope " + in + " --bearing 1e30,1,4 --rpm 100", 2, "want BALLS,DIAMETER,PITCH"},
		{"envelope " + in + " --bearing 9,x,4 --rpm 100", 2, `"x" is not a number`},
		{"envelope " + in + " --bearing 9,5,4 --rpm 100", 2, "smaller than the circle"},
		{"envelope " + in + " --nperseg 3", 2, "--nperseg 3: want 16 to"},
		{"envelope " + in + " --filter-order 0", 2, "--filter-order 0"},
		{"envelope " + in + " --peaks 0", 2, "--peaks 0"},
		{"envelope " + in + " --fmax -3", 2, "--fmax -3"},
		{"envelope " + in + " --frames 0:500", 1, "--band says where to look"},
		{"envelope missing.wav", 1, "missing.wav"},
		{"orders " + in, 2, "want one of --tacho, --speed and --rpm"},
		{"orders " + in + " --rpm 0", 2, "--rpm 0"},
		{"orders " + in + " --rpm 1e9", 2, "more than a turn in a sample"},
		{"orders " + in + " --rpm 1", 1, "0 turns in 5 s: want more (" + in + ")"},
		{"orders " + in + " --rpm 100 --pulses 2", 2, "are for --tacho"},
		{"orders " + in + " --tacho 2", 2, `--tacho "2": channel 1 is the only channel`},
		{"orders " + in + " --tacho " + in, 2, "want a channel of the file that is read"},
		{"orders --tacho " + in, 2, "want a file to read: --tacho " + in + " is to name a channel of it"},
		{"orders " + in + " --tacho 1", 1, "there is no channel beside channel 1"},
		{"orders " + in + " --speed 1", 1, "want turns in one direction"},
		{"orders " + in + " --rpm 600 --turns 1", 2, "--turns 1"},
		{"orders " + in + " --rpm 600 --points 1", 2, "--points 1"},
	} {
		status, _, stderr := twiddle(t, strings.Fields(c.args)...)
		if status != c.status || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("%s: status %d, %q; want %d and %q", c.args, status, stderr, c.status, c.want)
		}
	}
}
