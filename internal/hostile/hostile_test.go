package hostile

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// public is the packages whose users are promised errors instead of panics.
var public = []string{
	"nd", "signal", "signal/live", "measure", "chart", "loss", "linalg", "kernels", "fft", "learn", "learn/butterfly", "mixer",
	"audio", "audio/analyze", "audio/csv", "audio/flac", "audio/mp3", "audio/vorbis", "audio/npy", "audio/npz", "audio/pcm", "audio/safetensors", "audio/wav",
}

// skipped are functions that a call of means something else to.
var skipped = []string{
	"nd.Elements[float32]", "nd.Elements[float64]", "nd.Elements[complex64]", "nd.Elements[int64]", // panic, as documented, inside kernels that are guarded
	// Want as many elements in one slice as in the other, as copy does not.
	"audio/pcm.Decode[float32]", "audio/pcm.Decode[float64]", "audio/pcm.Encode[float32]", "audio/pcm.Encode[float64]",
	"nd.Device.Close",                             // of the one device that the other calls need
	"nd.Device.SetMemoryLimit", "nd.Stream.Close", // of all the others
	"nd.Device.WriteTuning", "fft.WriteWisdom", "learn.Save", // write where they are told to
}

var (
	calls = flag.Int("calls", 2000, "how many calls to make; .ci/torture makes 20000")
	seed  = flag.Uint64("seed", 1, "of the values")
	only  = flag.String("only", "", "only functions with this in their names")
)

// TestEveryExportedFunction builds a program with every exported function and
// method, and lets it call them.
func TestEveryExportedFunction(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: builds a program")
	}
	program := build(t)
	current := filepath.Join(t.TempDir(), "current")
	for from := 0; from < *calls; {
		cmd := exec.Command(program, "-from", strconv.Itoa(from), "-count", strconv.Itoa(*calls-from), "-current", current,
			"-seed", fmt.Sprint(*seed), "-only", *only, "-skip", strings.Join(skipped, ","))
		cmd.Dir = t.TempDir()
		out, err := cmd.CombinedOutput()
		for _, failure := range failures(string(out)) {
			t.Error(failure)
		}
		if err == nil {
			t.Log(lastLine(string(out)))
			return
		}
		at, err := os.ReadFile(current)
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if !strings.Contains(string(out), "SLOW") {
			t.Errorf("the process ended in %s%s", at, firstLines(string(out), 60))
		} else {
			t.Errorf("no end to be seen: %s", at)
		}
		from = number(t, string(at)) + 1
	}
}

// build compiles the program, from a file that is nowhere: an overlay puts it
// into this module, which internal packages want.
func build(t *testing.T) string {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	text, err := Program(root, public)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	source, overlay, program := filepath.Join(folder, "main.go"), filepath.Join(folder, "overlay.json"), filepath.Join(folder, "calls")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, "internal/hostile/calls/main.go"): source}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string]string{source: text, overlay: string(replace)} {
		if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "build", "-overlay", overlay, "-o", program, "./internal/hostile/calls")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

var call = regexp.MustCompile(`^call (\d+): `)

func number(t *testing.T, line string) int {
	m := call.FindStringSubmatch(line)
	if m == nil {
		t.Fatalf("no call is named by %q", line)
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// failures are the calls that panicked, each with where it did.
func failures(out string) []string {
	var list []string
	for _, part := range strings.Split(out, "PANIC ")[1:] {
		list = append(list, firstLines(part, 30))
	}
	return list
}

func firstLines(s string, n int) string {
	lines := strings.SplitN(s, "\n", n+1)
	return strings.Join(lines[:min(n, len(lines))], "\n")
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}
