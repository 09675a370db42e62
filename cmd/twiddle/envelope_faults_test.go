package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/audio/analyze"
	"github.com/twiddle-go/twiddle/measure"
)

// faults6205 is the rates of a bearing at 1797 turns per minute.
var faults6205 = measure.Faults{Shaft: 29.95, Cage: 11.93, Spin: 70.6, Outer: 107.4, Inner: 162.2}

func linesAt(hz ...float64) []analyze.Peak {
	peaks := make([]analyze.Peak, len(hz))
	for i, f := range hz {
		peaks[i].Frequency = f
	}
	return peaks
}

// Lines at a rate are named; multiples of it if they are at multiples of one frequency, and
// enough of them.
func TestNameFaults(t *testing.T) {
	const bin = 0.5
	comb := linesAt(35.7, 71.4, 107.1, 142.8, 214.2)
	comb[0].Role = analyze.Fundamental
	for i := range comb[1:] {
		comb[i+1].Role, comb[i+1].Of, comb[i+1].Order = analyze.Harmonic, 35.7, i+2
	}
	for _, c := range []struct {
		lines []analyze.Peak
		want  string
	}{
		{linesAt(106.1), "BPFO"},
		{linesAt(29.9, 106.1, 161.8, 11.8), "shaft,BPFO,BPFI,FTF"},
		{linesAt(106.1, 212.2, 318.4, 424.3, 77, 399), "BPFO,2 x BPFO,3 x BPFO,4 x BPFO,,"},
		// No line at the rate itself, but three at multiples of 106.1 Hz.
		{linesAt(212.2, 318.3, 424.4, 90), "2 x BPFO,3 x BPFO,4 x BPFO,"},
		// Within the slip of 4 x BPFO and 5 x BSF, but nothing else is.
		{linesAt(432, 352, 480), ",,"},
		// 2 x BPFO and 4 x BPFO at different slips are none.
		{linesAt(213, 433, 77), ",,"},
		// A ball strikes twice in a turn; 3 x 141.6 is within the slip of 4 x BPFO.
		{linesAt(141.6, 283.2, 424.8, 300), "2 x BSF,4 x BSF,6 x BSF,"},
		{linesAt(141.6), "2 x BSF"},
		// Multiples of what is no rate, one of which is near BPFO.
		{comb, ",,,,"},
		{linesAt(1000, 20), ","},
		{nil, ""},
	} {
		if got := strings.Join(nameFaults(faults6205, c.lines, bin), ","); got != c.want {
			t.Errorf("lines %v: %s, want %s", c.lines, got, c.want)
		}
	}
	// What is too near 0 Hz has no lines of its own.
	if got := nameFaults(faults6205, linesAt(12, 29), 10); got[0]+got[1] != "" {
		t.Errorf("bins of 10 Hz: %v", got)
	}
}

// Lines without a cause are hardly ever at multiples; lines of a damage among them are.
func TestNameFaultsByChance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		lines    int
		top, bin float64
	}{{10, 500, 0.6}, {30, 500, 0.6}, {10, 5000, 0.6}, {10, 500, 4}} {
		const sets = 1000
		chance, found := 0, 0
		for range sets {
			hz := make([]float64, c.lines)
			for i := range hz {
				hz[i] = c.top * r.Float64()
			}
			multiples := func(lines []float64) string {
				return strings.Join(nameFaults(faults6205, linesAt(lines...), c.bin), ",")
			}
			if strings.Contains(strings.ReplaceAll(multiples(hz), "2 x BSF", "BSF"), " x ") {
				chance++
			}
			rate := 107.4 * (0.98 + 0.04*r.Float64())
			for k := range 4 {
				hz[k] = rate*float64(k+1) + 0.1*c.bin*(2*r.Float64()-1)
			}
			if strings.HasPrefix(multiples(hz), "BPFO,2 x BPFO,3 x BPFO,4 x BPFO") {
				found++
			}
		}
		t.Logf("%+v: multiples by chance in %d of %d sets, those of a damage in %d", c, chance, sets, found)
		if chance > sets/20 || found < sets*9/10 {
			t.Errorf("%+v: multiples by chance in %d of %d sets, those of a damage in %d", c, chance, sets, found)
		}
	}
}

// A speed in Hz matches nothing, and the report says what may be wrong.
func TestSpeedInHz(t *testing.T) {
	in := shocks(t)
	const rpm = 25 * 60 * 2 / (8 * 0.75)
	args := []string{"envelope", in, "--band", "2000:4000", "--fmax", "200", "--bearing", "8,1,4", "--rpm"}
	for speed, want := range map[float64]string{rpm / 60.0: "no line is at a rate of the bearing: its rates are below 2.44 Hz, where lines cannot be told apart; at 60 times the speed 7 would be: --rpm is in turns per minute, not in Hz\n", rpm / 7.0: "no line is at a rate of the bearing\n", rpm: ""} {
		status, out, _ := twiddle(t, append(args, fmt.Sprint(speed))...)
		if status != 0 || !strings.HasSuffix(out, want) || want == "" && strings.Contains(out, "no line") {
			t.Errorf("%g rpm: no %q in\n%s", speed, want, out)
		}
	}
	if r := lineJSON(t, append(args, fmt.Sprint(rpm/60.0))...); !strings.Contains(r.Warning, "not in Hz") {
		t.Errorf("%+v", r)
	}
}
