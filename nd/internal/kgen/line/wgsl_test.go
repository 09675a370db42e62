package line

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/twiddle-go/twiddle/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/internal/ktree/printer"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
)

// naga validates shaders, where it is installed.
var naga = sync.OnceValue(func() string {
	path, err := exec.LookPath("naga")
	if err != nil {
		return ""
	}
	return path
})

// checkShaders prints kernels as WGSL and has them validated.
func checkShaders(t *testing.T, m *kgen.Module) {
	t.Helper()
	for i, k := range m.Kernels {
		f, err := flat.Flatten(k)
		if err != nil {
			t.Fatal(err)
		}
		s, err := printer.ShaderOf(f, printer.ShaderOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if naga() == "" {
			continue
		}
		file := filepath.Join(t.TempDir(), fmt.Sprintf("%d.wgsl", i))
		if err := os.WriteFile(file, []byte(s.Text), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(naga(), file).CombinedOutput(); err != nil {
			t.Errorf("naga: %v\n%s", err, out)
		}
	}
}
