package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/twiddle-go/twiddle/audio/analyze"
)

func TestDemo(t *testing.T) {
	folder := t.TempDir()
	status, stdout, stderr := twiddle(t, "demo", "--out", folder)
	if status != 0 || stderr != "" {
		t.Fatalf("status %d, %q", status, stderr)
	}
	for _, line := range strings.Split(stdout, "\n") {
		if n := utf8.RuneCountInString(line); n > 80 && !strings.Contains(line, folder) {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if strings.Count(stdout, "   ok\n") != len(demoTones)+len(machineTones) {
		t.Errorf("not every tone is found:\n%s", stdout)
	}

	if _, err := os.Stat(filepath.Join(folder, "machine.wav")); err != nil {
		t.Error(err)
	}
	if page, err := os.ReadFile(filepath.Join(folder, "machine.html")); err != nil || strings.Count(string(page), "<canvas") != 3 || !strings.Contains(string(page), "<audio") {
		t.Errorf("page of %d bytes, %v", len(page), err)
	}

	status, stdout, _ = twiddle(t, "demo", "--json", "--out", folder)
	var r demoReport
	if err := json.Unmarshal([]byte(stdout), &r); err != nil || status != 0 {
		t.Fatalf("status %d, %v", status, err)
	}
	if !r.OK || r.Streams.MaxDifference != 0 || r.Streams.Streams != 4 || len(r.Tones) != len(demoTones) || r.Plan.Launches == 0 || r.Plan.Launches >= r.Plan.Unfused.Launches {
		t.Errorf("%+v", r)
	}
}

func TestDemoDevice(t *testing.T) {
	for _, name := range []string{"none", "null"} {
		if status, _, stderr := twiddle(t, "demo", "--device", name); status != 2 || !strings.Contains(stderr, "--device") {
			t.Errorf("status %d, %q", status, stderr)
		}
	}
}

// A wrong peak is noticed.
func TestDemoCheckNotices(t *testing.T) {
	r := &demoReport{power: make([]float32, demoWindow/2+1)}
	for i := range r.power {
		r.power[i] = 1e-4
	}
	for _, tone := range demoTones {
		at := int(math.Round(tone.Hz * demoWindow / demoRate))
		r.power[at] = float32(tone.Amplitude * tone.Amplitude)
	}
	r.check([]int64{113, 338, 500})
	if r.OK || r.Tones[2].OK {
		t.Errorf("bin 500 passes for %v Hz: %+v", demoTones[2].Hz, r.Tones)
	}
}

func TestSpectrumPlot(t *testing.T) {
	var b strings.Builder
	power := make([]float32, 64)
	for i := range power {
		power[i] = 1e-3
	}
	power[32] = 1
	spectrumPlot{width: 16, height: 4, topHz: 8000}.write(&b, power)
	lines := strings.Split(b.String(), "\n")
	for row := range 4 {
		cells := []rune(lines[row])
		if len(cells) < 17 || cells[16] != '█' {
			t.Errorf("the peak's column is not full in row %d:\n%s", row, b.String())
		}
	}
	if strings.Count(lines[0], "█") != 1 {
		t.Errorf("something else reaches the top:\n%s", b.String())
	}
}

// Silence has no bars, whatever its floor.
func TestSpectrumPlotOfSilence(t *testing.T) {
	var b strings.Builder
	spectrumPlot{width: 16, height: 4, topHz: 8000}.write(&b, make([]float32, 64))
	if strings.ContainsAny(b.String(), string(blocks[1:])) {
		t.Errorf("silence has bars:\n%s", b.String())
	}
}

// A tone that is missing, or another one, is noticed.
func TestDemoMachineNotices(t *testing.T) {
	m := &demoMachine{}
	r := &analyze.Result{Rate: machineRate, NPerSeg: 2048}
	for _, tone := range machineTones {
		r.Peaks = append(r.Peaks, analyze.Peak{Frequency: tone.Hz, Level: 20 * math.Log10(tone.Amplitude)})
	}
	if m.check(r); !m.OK {
		t.Errorf("the truth is wrong: %+v", m)
	}
	r.Peaks[2].Frequency += 5
	m = &demoMachine{}
	m.check(r)
	if m.OK || m.Tones[2].OK || !m.Tones[1].OK {
		t.Errorf("5 Hz off passes: %+v", m.Tones)
	}
	m = &demoMachine{}
	r.Peaks = r.Peaks[:4]
	if m.check(r); m.OK {
		t.Error("four tones pass for five")
	}
}
