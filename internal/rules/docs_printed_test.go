package rules_test

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

var (
	planText  = regexp.MustCompile(`(?m)^    plan on cpu: .*\n(?:     .*\n)+`)
	timeText  = regexp.MustCompile(`\d+(\.\d+)? (ns|us|ms|s)\b`)
	sizesText = regexp.MustCompile("(?m)^\\| `go build( -tags nogpu)?` \\| ([\\d.]+) MB \\| ([\\d.]+) MB \\|$")
)

// TestPlanInReadme compares the plan that README prints with that of its pipeline. Predicted
// times are those of a machine.
func TestPlanInReadme(t *testing.T) {
	text := read(t, "README.md")
	for _, line := range []string{"x := nd.From(samples, 8, 64, 1024) ", "power := x.RFFT().AbsSquared().Mean(0) ", "peaks, bins := power.TopK(3, -1) ", "nd.Explain(peaks, bins) "} {
		if !strings.Contains(text, line) {
			t.Errorf("README has no %q: this test is about another pipeline", line)
		}
	}
	x := nd.From(make([]float32, 8*64*1024), 8, 64, 1024)
	peaks, bins := x.RFFT().AbsSquared().Mean(0).TopK(3, -1)
	plan, err := nd.Explain(peaks, bins)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for line := range strings.Lines(fmt.Sprint(plan)) {
		got += "    " + line
	}
	got = strings.TrimRight(timeText.ReplaceAllString(got, "TIME"), "\n")
	if want := strings.TrimRight(timeText.ReplaceAllString(planText.FindString(text), "TIME"), "\n"); got != want {
		t.Errorf("the plan is\n%s\nand README has\n%s", got, want)
	}
}

// TestSizesInStart builds the first program of START and compares how large it is with the
// page's table.
func TestSizesInStart(t *testing.T) {
	if testing.Short() || runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("builds four binaries of linux/amd64")
	}
	const off = 0.5 // MB: what compilers of one version and some weeks of changes make of it
	text := read(t, "docs/START.md")
	program := goBlock.FindStringSubmatch(text)
	rows := sizesText.FindAllStringSubmatch(text, -1)
	if program == nil || len(rows) != 2 {
		t.Fatalf("START has %d rows of sizes", len(rows))
	}
	dir := t.TempDir()
	source, binary := filepath.Join(dir, "main.go"), filepath.Join(dir, "hello")
	if err := os.WriteFile(source, []byte(program[1]), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		for i, flags := range [][]string{nil, {"-ldflags", "-s -w"}} {
			args := append(strings.Fields("build -o "+binary+row[1]), append(flags, source)...)
			build := exec.Command("go", args...)
			build.Env = append(os.Environ(), "CGO_ENABLED=0")
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("go %v: %v\n%s", args, err, out)
			}
			info, err := os.Stat(binary)
			if err != nil {
				t.Fatal(err)
			}
			got := float64(info.Size()) / 1e6
			if want, err := strconv.ParseFloat(row[2+i], 64); err != nil || math.Abs(got-want) > off {
				t.Errorf("go %v: %.1f MB, and START has %s", args, got, row[2+i])
			}
		}
	}
}
