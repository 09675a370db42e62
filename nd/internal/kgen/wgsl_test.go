package kgen_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/twiddle-go/twiddle/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/internal/ktree/printer"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// gpu is one without 64-bit numbers, as WGSL has them.
var gpu = kgen.Target{Processors: 8, SharedBytes: 16 << 10, Subgroup: 32}

// Kernels of the engine are shaders too: what WGSL lacks is written in it.
func TestShaders(t *testing.T) {
	naga, err := exec.LookPath("naga")
	if err != nil {
		t.Log("naga is not installed: shaders are printed but not validated")
	}
	for _, c := range programs() {
		t.Run(c.name, func(t *testing.T) {
			m, err := kgen.Generate(c.make(1), gpu)
			if err != nil {
				t.Fatal(err)
			}
			for i, k := range m.Kernels {
				f, err := flat.Flatten(k)
				if err != nil {
					t.Fatal(err)
				}
				shader, err := printer.ShaderOf(f, printer.ShaderOptions{})
				if err != nil {
					t.Fatal(err)
				}
				if naga == "" {
					continue
				}
				file := filepath.Join(t.TempDir(), fmt.Sprintf("%d.wgsl", i))
				if err := os.WriteFile(file, []byte(shader.Text), 0o644); err != nil {
					t.Fatal(err)
				}
				if out, err := exec.Command(naga, file).CombinedOutput(); err != nil {
					t.Errorf("naga: %v\n%s\n%s", err, out, shader.Text)
				}
			}
		})
	}
}
