package driver

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const addKernel = `extern "C" __global__ void add(float* y, const float* x, long long n, unsigned long long k0) {
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] + (float)k0;
}`

func TestCompile(t *testing.T) {
	c, err := OpenCompiler(90, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Logf("NVRTC %s, %s, %v", VersionText(c.Version()), c.Path(), c.Archs())
	cubin, log, err := c.Compile("add", addKernel, append(Options(90), "--ptxas-options=-v")...)
	if err != nil || string(cubin[1:4]) != "ELF" {
		t.Fatalf("%d bytes, %v", len(cubin), err)
	}
	if !strings.Contains(log, "registers") {
		t.Errorf("the log tells no registers: %q", log)
	}
	var refused *CompileError
	if _, _, err := c.Compile("bad", "this is no kernel", Options(90)...); !errors.As(err, &refused) || !strings.Contains(refused.Log, "bad(1)") {
		t.Errorf("a bad text: %v", err)
	}
	ptx, err := c.PTX("add", addKernel, "--gpu-architecture=compute_80")
	if err != nil || !strings.Contains(string(ptx), ".visible .entry add(") {
		t.Errorf("ptx: %v", err)
	}
}

func TestSupports(t *testing.T) {
	c := &Compiler{version: 13020, archs: []int{75, 80, 90}}
	for _, test := range []struct {
		arch, driver int
		want         string
	}{
		{90, 13000, ""},
		{90, 0, ""},
		{90, 12080, "NVRTC 13.2 is newer than the driver, which supports CUDA 12.8"},
		{70, 13000, "NVRTC 13.2 does not compile for sm_70"},
	} {
		got := ""
		if err := c.Supports(test.arch, test.driver); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("sm_%d, driver %d: %q, want %q", test.arch, test.driver, got, test.want)
		}
	}
}

func TestMissingCompilerSaysWhatToInstall(t *testing.T) {
	_, err := OpenCompiler(7, 12080)
	if !errors.Is(err, ErrNoCompiler) || !strings.Contains(err.Error(), "pip install nvidia-cuda-nvrtc-cu12") || !strings.Contains(err.Error(), CompilerVar) {
		t.Errorf("%v", err)
	}
}

// A variable that is set to what is no NVRTC is named with the reason, and the path once.
func TestChosenCompiler(t *testing.T) {
	if os.Getenv("TWIDDLE_TEST_CHOSEN") != "" {
		_, err := OpenCompiler(90, 0)
		fmt.Println(err)
		return
	}
	folder := t.TempDir()
	file := filepath.Join(folder, "text")
	if err := os.WriteFile(file, []byte("no library"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, why := range map[string]string{folder: "the folder has no " + compilerGlob, file: "", filepath.Join(folder, "missing"): ""} {
		c := exec.Command(os.Args[0], "-test.run=^TestChosenCompiler$")
		c.Env = append(os.Environ(), "TWIDDLE_TEST_CHOSEN=1", CompilerVar+"="+path)
		out, err := c.Output()
		text, _, _ := strings.Cut(string(out), "\n")
		if err != nil || !strings.HasPrefix(text, ErrNoCompiler.Error()+": "+path+": "+why) || strings.Contains(text, path+": "+path) ||
			!strings.Contains(text, fmt.Sprintf("%s to the library, which is %q now", CompilerVar, path)) {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
}

func TestResults(t *testing.T) {
	if Success.Err() != nil || !errors.Is(OutOfMemory.Err(), OutOfMemory) {
		t.Error("results do not become errors")
	}
	for r, poisons := range map[Result]bool{Success: false, OutOfMemory: false, NotReady: false, IllegalAddress: true, LaunchFailed: true} {
		if r.Poisons() != poisons {
			t.Errorf("%v poisons: %t", r, !poisons)
		}
	}
	if got := IllegalAddress.Error(); got != "illegal memory access (CUDA error 700)" {
		t.Error(got)
	}
}
