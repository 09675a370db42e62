package main

import (
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

func TestBenchGPUFlags(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"bench", "fft", "--device", "gpu"}, `no device "gpu"`},
		{[]string{"bench", "fft", "--device", "null"}, `"null" is no GPU`},
		{[]string{"bench", "conv", "--device", "null"}, `"null" is no GPU`},
		{[]string{"bench", "conv", "--device", "cuda:99"}, "cuda:99"},
	} {
		status, _, stderr := twiddle(t, c.args...)
		if status == 0 || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: status %d, %s, want %q", c.args, status, stderr, c.want)
		}
	}
}

func TestBenchFFTOnGPU(t *testing.T) {
	if _, err := nd.Open("cuda:0"); err != nil {
		t.Skip(err)
	}
	status, stdout, stderr := twiddle(t, "bench", "fft", "--device", "cuda:0", "--sizes", "64,1009", "--batch", "100", "--json")
	if status != 0 {
		t.Fatalf("status %d: %s", status, stderr)
	}
	var rows []gpuRow
	if err := json.Unmarshal([]byte(stdout), &rows); err != nil {
		t.Fatal(err)
	}
	if len(rows) != 2 || !(rows[0].NS > 0) || !(rows[1].FloorNS > 0) {
		t.Errorf("rows %+v", rows)
	}
}

func TestBenchConvOnGPU(t *testing.T) {
	device := "cuda:0"
	if _, err := nd.Open(device); err != nil {
		device = "webgpu:0"
	}
	if _, err := nd.Open(device); err != nil {
		t.Skip(err)
	}
	for mode, want := range map[string]int{"circular": 1, "causal": 2} {
		status, stdout, stderr := twiddle(t, "bench", "conv", "--device", device, "--peers", "", "--shape", "2,3,64", "--mode", mode, "--json")
		if status != 0 {
			t.Fatalf("%s: status %d: %s", mode, status, stderr)
		}
		var rows []gpuRow
		if err := json.Unmarshal([]byte(stdout), &rows); err != nil {
			t.Fatal(err)
		}
		if len(rows) != want || !(rows[0].NS > 0) {
			t.Errorf("%s: rows %+v, want %d", mode, rows, want)
		}
	}
}

// Peers are rows in one order, so that two runs can be compared.
func TestPeersInOrder(t *testing.T) {
	ns := map[string]float64{"cufft": 1, "fftw": 2, "mkl": 3, "vdsp": 4}
	for name, report := range map[string]interface{ WriteText(io.Writer) error }{
		"conv": convRows{{Peers: ns}}, "gpu": gpuRows{{Peers: ns}},
	} {
		for range 10 {
			var text strings.Builder
			if err := report.WriteText(&text); err != nil {
				t.Fatal(err)
			}
			if got := regexp.MustCompile("cufft|fftw|mkl|vdsp").FindAllString(text.String(), -1); !slices.Equal(got, []string{"cufft", "fftw", "mkl", "vdsp"}) {
				t.Fatalf("%s: %q", name, got)
			}
		}
	}
}
