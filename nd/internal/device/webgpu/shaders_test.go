package webgpu

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/internal/ktree/printer"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/devicetest"
	"github.com/twiddle-go/twiddle/nd/internal/device/null"
	"github.com/twiddle-go/twiddle/nd/internal/device/webgpu/driver"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/line"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/simulate"
)

// The shaders of the suite are valid, and Metal and HLSL can be made of them. Without
// TWIDDLE_TEST_SHADERS=all it is a part of the suite, and the kernels run on the lockstep
// machine, which finds races and bounds. With it, it is the whole suite, and nothing runs.
func TestShadersOfTheSuite(t *testing.T) {
	naga, err := exec.LookPath("naga")
	if err != nil {
		t.Skip("naga is not installed")
	}
	if testing.Short() {
		t.Skip("-short: runs kernels on the lockstep machine")
	}
	folder := t.TempDir()
	seen := map[string]bool{}
	var files []string
	target := kgen.Target{Processors: 8, SharedBytes: 32 << 10, PoolBytes: 32 << 10}
	add := func(m *kgen.Module) error {
		for _, k := range m.Kernels {
			f, err := flat.Flatten(k)
			if err != nil {
				return err
			}
			for _, o := range []printer.ShaderOptions{{}, {Halves: true}, {Subgroup: 8}, {Subgroup: 32, Contracts: true}} {
				s, err := printer.ShaderOf(f, o)
				if err != nil {
					return fmt.Errorf("%w: %w", err, device.ErrUnsupported)
				}
				if seen[s.Text] {
					continue
				}
				seen[s.Text] = true
				file := filepath.Join(folder, fmt.Sprintf("%d.wgsl", len(files)))
				if err := os.WriteFile(file, []byte(s.Text), 0o644); err != nil {
					return err
				}
				files = append(files, file)
			}
		}
		return nil
	}
	d := &Device{target: target}
	generate := func(p ir.Program) (*kgen.Module, error) {
		for _, o := range append(ir.Reads(p), ir.Writes(p)...) {
			if o.Type == elem.Float64 || o.Type == elem.Complex128 {
				return nil, device.ErrUnsupported
			}
		}
		m, err := line.Generate(p, d.target)
		if err == nil {
			err = add(m)
		}
		return m, err
	}
	if os.Getenv("TWIDDLE_TEST_SHADERS") == "all" {
		info := InfoOf(&driver.Adapter{Limits: driver.Limits{GroupStorage: 32 << 10, GroupThreads: 256}})
		// Checks of what nothing computes fail, which a Recorder only writes down.
		r := devicetest.NewRecorder(t.Context(), 3*time.Hour, nil)
		devicetest.RunGroups(r, func() device.Device {
			return null.New(null.Options{Info: &info, Refuse: func(p ir.Program) error {
				_, err := generate(p)
				if err != nil && !errors.Is(err, device.ErrUnsupported) {
					t.Errorf("%s: %v", p.Name(), err)
				}
				return err
			}})
		}, "scalar", "cast", "layout", "map", "random", "reduce", "scan", "sort", "gather", "scatter", "gemm", "fft", "butterfly", "overlap", "line", "batch")
		if left := r.Report().LeftOut; left > 0 {
			t.Errorf("%d checks were left out", left)
		}
	} else {
		t.Run("suite", func(t *testing.T) {
			devicetest.RunGroups(t, func() device.Device { return &simulate.Device{Generate: generate} }, "scan", "batch")
		})
	}
	if len(files) < 100 {
		t.Fatalf("only %d shaders", len(files))
	}
	run := func(args ...string) {
		if out, err := exec.Command(naga, args...).CombinedOutput(); err != nil {
			t.Fatalf("naga: %v\n%s", err, first(string(out), 20))
		}
	}
	if exec.Command(naga, "--all").Run() == nil { // .ci/naga.mjs, which starts slowly
		for some := range slices.Chunk(files, 200) {
			run(append([]string{"--all"}, some...)...)
		}
	} else {
		for _, file := range files {
			base := strings.TrimSuffix(file, ".wgsl")
			run("--shader-model", "60", "--metal-version", "2.4", file, base+".metal", base+".hlsl")
		}
	}
	for _, ending := range []string{".metal", ".hlsl"} {
		made, err := filepath.Glob(filepath.Join(folder, "*"+ending))
		if err != nil || len(made) != len(files) {
			t.Errorf("%d of %d are %s", len(made), len(files), ending)
		}
	}
	t.Logf("%d shaders, each also as Metal and HLSL", len(files))
}

func first(text string, lines int) string {
	list := strings.SplitAfterN(text, "\n", lines+1)
	return strings.Join(list[:min(lines, len(list))], "")
}
