package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTables reads channels and their rate from text.
func TestTables(t *testing.T) {
	name := filepath.Join(t.TempDir(), "bearing.csv")
	text := "Zeit [ms];ax;az\n"
	for i := range 4096 {
		s := float64(i) / 5120
		text += strings.ReplaceAll(fmt.Sprintf("%.4f;%.5f;%.5f\n", 1000*s, math.Sin(2*math.Pi*600*s), math.Sin(2*math.Pi*900*s)), ".", ",")
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	report := filepath.Join(t.TempDir(), "report.html")
	status, stdout, stderr := twiddle(t, "analyze", name, "--out", report)
	if status != 0 || !strings.Contains(stdout, "CSV, text, 2 channels, 5120 Hz") || !strings.Contains(stdout, "600.0 Hz") || !strings.Contains(stdout, "900.0 Hz") {
		t.Error(status, stdout, stderr)
	}
	for _, want := range []string{"  ax: RMS 0.707 (0.0 dB), peak 1 (0.0 dB), crest factor 1.41, ", "  az: RMS 0.707 "} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in\n%s", want, stdout)
		}
	}
	if page, err := os.ReadFile(report); err != nil || !strings.Contains(string(page), `"names":["ax","az"]`) || !strings.Contains(string(page), `<b>0.707</b><span>RMS, ax</span>`) {
		t.Error("no names of columns in the report", err)
	}
	for _, c := range []struct{ args, want string }{
		{"--columns az", ""},
		{"--columns 2 --fs 100", ""},
		{"--columns ay", `there is no column "ay": 3 columns: Zeit [ms], ax, az`},
		{"--time ab", `there is no column "ab"`},
	} {
		status, _, stderr := twiddle(t, append([]string{"welch", name}, strings.Fields(c.args)...)...)
		if (status == 0) != (c.want == "") || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: %d, %q", c.args, status, stderr)
		}
	}
}

// TestNarrowTerminal draws spectra that fit.
func TestNarrowTerminal(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(name, []byte(strings.Repeat("1\n2\n4\n", 500)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{20, 40, 200} {
		t.Setenv("COLUMNS", fmt.Sprint(width))
		for _, args := range [][]string{{"welch", name, "--fs", "48000"}, {"welch", name}} {
			status, stdout, stderr := twiddle(t, args...)
			if status != 0 || stdout == "" {
				t.Fatal(stderr)
			}
			for line := range strings.Lines(stdout) {
				if n := len([]rune(strings.TrimSpace(line))); n > min(width, 78) && (width > 20 || !strings.Contains(line, "cycles/sample")) {
					t.Errorf("%v: %d characters in %d columns: %s", args, n, width, line)
				}
			}
		}
	}
}
