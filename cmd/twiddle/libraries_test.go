package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/peer"
	"github.com/twiddle-go/twiddle/nd"
)

// planted are the names under which libraries are looked for.
var planted = []string{"libcuda.so.1", "libcuda.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", "libwgpu_native.so", "wgpu_native.so", "libwebgpu_dawn.so",
	"libfftw3.so.3", "libfftw3f.so.3", "libfftw3_threads.so.3", "libfftw3f_threads.so.3", "libmkl_rt.so.2", "libmkl_rt.so", "libopenblas.so.0", "libopenblas.so", "libcufft.so.12", "libwebgpu_wrapper.so", "libwebgpu.so"}

// TestOpenLibraries is the process that TestNoLibraryFromTheCurrentFolder looks at: it
// opens all it can, and tells what is open.
func TestOpenLibraries(t *testing.T) {
	if os.Getenv("TWIDDLE_TEST_LIBRARIES") == "" {
		t.Skip("runs on behalf of TestNoLibraryFromTheCurrentFolder")
	}
	nd.Devices()
	nd.Unavailable()
	for _, name := range []string{"fftw", "mkl", "vdsp"} {
		_, _ = peer.OpenFFT(name)
	}
	_, _ = peer.OpenBLAS()
	_, _ = peer.OpenCUFFT(0)
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = os.Stdout.Write(maps)
}

func TestNoLibraryFromTheCurrentFolder(t *testing.T) {
	real, err := filepath.Glob("/lib/*-linux-gnu/libm.so.6")
	if err != nil || len(real) == 0 {
		t.Skip("no /lib/*-linux-gnu/libm.so.6 to plant under other names")
	}
	data, err := os.ReadFile(real[0])
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, name := range planted {
		for _, at := range []string{folder, filepath.Join(folder, "lib"), filepath.Join(folder, "lib64")} {
			if err := os.MkdirAll(at, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(at, name), data, 0o700); err != nil {
				t.Fatal(err)
			}
		}
	}
	open := func(env ...string) string {
		cmd := exec.Command(os.Args[0], "-test.run=^TestOpenLibraries$")
		cmd.Dir = folder
		cmd.Env = append(append(os.Environ(), "TWIDDLE_TEST_LIBRARIES=1"), env...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", env, err, out)
		}
		return string(out)
	}
	// What is named by an absolute path is opened: the planted libraries are ones,
	// and this test sees them.
	if maps := open("TWIDDLE_FFTW=" + filepath.Join(folder, planted[8])); !strings.Contains(maps, filepath.Join(folder, planted[8])) {
		t.Fatalf("the library that TWIDDLE_FFTW names is not open:\n%s", maps)
	}
	for _, env := range [][]string{
		{"LD_LIBRARY_PATH="}, {"LD_LIBRARY_PATH=."}, {"LD_LIBRARY_PATH=:"}, {"LD_LIBRARY_PATH=/usr/lib:"}, {"LD_LIBRARY_PATH=lib"},
		{"VIRTUAL_ENV=.", "CONDA_PREFIX=.", "CUDA_HOME=.", "CUDA_PATH=.", "MKLROOT=."},
	} {
		if maps := open(env...); strings.Contains(maps, folder) {
			t.Errorf("%q: a library of the current folder is open:\n%s", env, maps)
		}
	}
}
