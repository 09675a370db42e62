package main

import (
	"cmp"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// TestFusionPhasesAgree holds what is measured to one result.
func TestFusionPhasesAgree(t *testing.T) {
	r := fusionRequest{nfft: 64, k: 5, segments: 3}
	x := nd.Normal(1, nd.Float32, 7, r.samples())
	w := signal.Window{Symmetric: true}.Array(nd.Float32, r.nfft)
	if err := nd.Eval(t.Context(), x, w); err != nil {
		t.Fatal(err)
	}
	var first []float32
	for _, p := range r.phases(x, w) {
		got, err := p.run(t.Context())
		if err != nil || len(got) != 7*5*2 {
			t.Fatalf("%s: %d numbers, %v", p.name, len(got), err)
		}
		if first == nil {
			first = got
		}
		for i := range got {
			if i%2 == 0 && got[i] != first[i] || math.Abs(float64(got[i]-first[i])) > 1e-5*math.Abs(float64(first[i])) {
				t.Fatalf("%s: number %d is %v, others have %v", p.name, i, got[i], first[i])
			}
		}
	}
}

// TestFusedPeaks holds what is timed on a GPU to its meaning, and to one launch.
func TestFusedPeaks(t *testing.T) {
	r := fusionRequest{nfft: 64, k: 3, segments: 2}
	x := nd.Normal(1, nd.Float32, 5, r.samples())
	w := signal.Window{}.Array(nd.Float32, r.nfft)
	if err := nd.Eval(t.Context(), x, w); err != nil {
		t.Fatal(err)
	}
	y := r.peaks(x, w)
	if plan, err := nd.Explain(y); err != nil || plan.Launches != 1 {
		t.Errorf("%v\n%s", err, plan)
	}
	got, err := nd.Slice[float32](t.Context(), y)
	if err != nil {
		t.Fatal(err)
	}
	power := signal.Welch(x, signal.Spectral{NPerSeg: 64})
	want, err := signal.FindPeaks(t.Context(), power.Array)
	if err != nil {
		t.Fatal(err)
	}
	for line, p := range want {
		order := make([]int, len(p.Indices))
		for i := range order {
			order[i] = i
		}
		slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p.Heights[b], p.Heights[a]) })
		for i, best := range order[:r.k] {
			if bin := int(got[(line*r.k+i)*2]); bin != p.Indices[best] {
				t.Errorf("line %d, peak %d: bin %d, want %d", line, i, bin, p.Indices[best])
			}
		}
	}
}

func TestBenchFusion(t *testing.T) {
	file := filepath.Join(t.TempDir(), "not", "there", "f.json")
	status, stdout, stderr := twiddle(t, "bench", "fusion", "--nfft", "32", "--batch", "2,9", "--k", "4", "--segments", "1", "--iterations", "3", "--seed", "3", "--out", file)
	if status != 0 || !strings.Contains(stdout, "interleaved readback") || !strings.Contains(stdout, "gate at 9:") {
		t.Fatalf("status %d, %q:\n%s", status, stderr, stdout)
	}
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r fusionReport
	if err := json.Unmarshal(content, &r); err != nil || len(r.Rows) != 2 || len(r.Rows[0].Phases) != 3 {
		t.Fatalf("%v: %+v", err, r)
	}
	if row := r.Rows[1]; row.Saved.SyncPoints != 3 || row.Saved.HostOutputBytes != 9*17*4-9*4*2*4 || row.Iterations != 3 || row.Phases[0].Speedup != 1 || r.Seed != 3 {
		t.Errorf("%+v", row)
	}
	status, stdout, stderr = twiddle(t, "bench", "fusion", "--nfft", "32", "--batch", "2", "--k", "4", "--iterations", "1", "--json")
	if err := json.Unmarshal([]byte(stdout), &fusionReport{}); err != nil || status != 0 {
		t.Errorf("--json: %v, status %d, %s", err, status, stderr)
	}
	if n := (fusionRequest{nfft: 1 << 16, segments: 1, iterations: 30}).turns(1 << 14); n != 3 {
		t.Errorf("%d turns of a billion samples", n)
	}
	first, fused := r.Rows[1].Phases[0], r.Rows[1].Phases[2]
	if first.SyncPoints != 4 || fused.SyncPoints != 1 || fused.Launches >= first.Launches+3 || fused.DeviceTrafficBytes >= first.DeviceTrafficBytes ||
		fused.HostOutputBytes != 9*4*2*4 || first.HostOutputBytes != 9*17*4 || fused.MedianNs <= 0 {
		t.Errorf("%+v\n%+v", first, fused)
	}
	for args, want := range map[string]string{"--nfft 1": "--nfft 1", "--k 999": "--k 999", "--segments 0": "--segments 0", "--batch 0": "not a number of lines", "--batch 3,x": `"x"`,
		"--batch 1000000000": "more than a measurement", "--iterations 0": "--iterations 0", "--device abacus": "--device", "--peers cufft": "only on a GPU"} {
		if status, _, stderr := twiddle(t, append([]string{"bench", "fusion"}, strings.Fields(args)...)...); status != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, %q", args, status, stderr)
		}
	}
}

// The crossover is where fusing stays faster, not where it once was.
func TestFusionCrossover(t *testing.T) {
	row := func(batch int, other, fused float64) fusionRow {
		return fusionRow{Batch: batch, Phases: []fusionProfile{{MedianNs: 2 * other}, {MedianNs: other}, {MedianNs: fused}}}
	}
	for _, c := range []struct {
		rows []fusionRow
		want int
	}{
		{[]fusionRow{row(1, 1, 2), row(8, 3, 2), row(64, 9, 2)}, 8},
		{[]fusionRow{row(1, 3, 2), row(8, 1, 2), row(64, 9, 2)}, 64},
		{[]fusionRow{row(64, 1, 2), row(8, 3, 2)}, 0},
	} {
		r := fusionReport{Rows: c.rows}
		if r.cross(); r.Crossover != c.want {
			t.Errorf("%d, want %d", r.Crossover, c.want)
		}
	}
}

func TestExplainSignal(t *testing.T) {
	for args, want := range map[string]string{
		"welch --shape 1,2,4096 --nperseg 256 --average mean": "abs_squared",
		"stft --shape 1,2,4096 --nfft 256":                    "fft r2c 256",
		"stft --shape 1,2,4096 --preset scipy --dot":          "digraph",
		"welch --shape 1,2,4096 --json":                       `"launches"`,
	} {
		if status, stdout, stderr := twiddle(t, append([]string{"explain"}, strings.Fields(args)...)...); status != 0 || !strings.Contains(stdout, want) {
			t.Errorf("%s: status %d, %q:\n%s", args, status, stderr, stdout)
		}
	}
	for args, want := range map[string]string{"welch --shape 3": "want batch,channels,length", "welch --average x": "--average", "stft --preset x": "--preset", "stft --device x": "--device"} {
		if status, _, stderr := twiddle(t, append([]string{"explain"}, strings.Fields(args)...)...); status != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, %q", args, status, stderr)
		}
	}
}
