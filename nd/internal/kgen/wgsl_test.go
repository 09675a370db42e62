package kgen_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/nd/internal/ktree/printer"
)

// gpu is one without 64-bit numbers, as WGSL has them.
var gpu = kgen.Target{Processors: 8, SharedBytes: 16 << 10, Subgroup: 32}

// noShader are programs that have no shader, and what WGSL lacks for them.
var noShader = map[string]string{
	"copy of bytes":                        "uchar",
	"greatest of short rows":               "bfloat",
	"sum of columns":                       "double",
	"where the greatest is":                "long",
	"scan of one long line":                "long",
	"sort of long lines":                   "long",
	"scatter of many":                      "long",
	"product of bytes":                     "uchar",
	"product of long matrices":             "double",
	"exact products":                       "long",
	"exact roots":                          "double",
	"compensated products":                 "double",
	"product of bfloat16, true and true":   "bfloat",
	"product of bfloat16, false and false": "bfloat",
}

// Kernels of the engine are shaders too, where WGSL has their types.
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
			missing := ""
			for i, k := range m.Kernels {
				f, err := flat.Flatten(k)
				if err != nil {
					t.Fatal(err)
				}
				text, err := printer.WGSL(f, [3]int{})
				if err != nil {
					missing = err.Error()
					continue
				}
				if naga == "" {
					continue
				}
				// naga has the functions but not yet the declaration that asks for them.
				text = strings.Replace(text, "enable subgroups;\n", "", 1)
				file := filepath.Join(t.TempDir(), fmt.Sprintf("%d.wgsl", i))
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				if out, err := exec.Command(naga, file).CombinedOutput(); err != nil {
					t.Errorf("naga: %v\n%s\n%s", err, out, text)
				}
			}
			lacks, known := noShader[c.name]
			if (missing != "") != known || !strings.Contains(missing, lacks) {
				t.Errorf("%q is missing, want %q", missing, lacks)
			}
		})
	}
}
