//go:build linux

package render_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/ebitengine/purego"
)

// nvrtc is NVIDIA's run-time compiler, where one is installed. It needs no
// GPU to compile.
type nvrtc struct {
	create     func(prog *uintptr, src, name string, headers int32, text, names uintptr) int32
	compile    func(prog uintptr, n int32, opts *uintptr) int32
	logSize    func(prog uintptr, n *uintptr) int32
	log        func(prog uintptr, dst *byte) int32
	destroy    func(prog *uintptr) int32
	errorText  func(code int32) string
	foundUnder string
}

var openNVRTC = sync.OnceValues(func() (*nvrtc, error) {
	places := []string{os.Getenv("TWIDDLE_NVRTC"), "libnvrtc.so.12", "libnvrtc.so.13", "libnvrtc.so"}
	out, err := exec.Command("python3", "-c", "import nvidia.cuda_nvrtc as m; print(list(m.__path__)[0])").Output()
	if err == nil {
		more, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(out)), "lib", "libnvrtc.so.*"))
		places = append(places, more...)
	}
	for _, p := range places {
		if p == "" {
			continue
		}
		lib, err := purego.Dlopen(p, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err != nil {
			continue
		}
		n := &nvrtc{foundUnder: p}
		purego.RegisterLibFunc(&n.create, lib, "nvrtcCreateProgram")
		purego.RegisterLibFunc(&n.compile, lib, "nvrtcCompileProgram")
		purego.RegisterLibFunc(&n.logSize, lib, "nvrtcGetProgramLogSize")
		purego.RegisterLibFunc(&n.log, lib, "nvrtcGetProgramLog")
		purego.RegisterLibFunc(&n.destroy, lib, "nvrtcDestroyProgram")
		purego.RegisterLibFunc(&n.errorText, lib, "nvrtcGetErrorString")
		return n, nil
	}
	return nil, fmt.Errorf("libnvrtc not found; pip install nvidia-cuda-nvrtc-cu12, or set TWIDDLE_NVRTC")
})

// compileCUDA compiles text for an architecture, or skips the test.
func compileCUDA(t *testing.T, text, arch string) {
	t.Helper()
	n, err := openNVRTC()
	if err != nil {
		t.Skip(err)
	}
	var prog uintptr
	if code := n.create(&prog, text, "kernel.cu", 0, 0, 0); code != 0 {
		t.Fatal(n.errorText(code))
	}
	defer n.destroy(&prog)
	opts := [][]byte{[]byte("--gpu-architecture=" + arch + "\x00"), []byte("--std=c++17\x00"), []byte("--fmad=false\x00")}
	ptrs := make([]uintptr, len(opts))
	pinned := pin(opts, ptrs)
	defer pinned.Unpin()
	if code := n.compile(prog, int32(len(ptrs)), &ptrs[0]); code != 0 {
		var size uintptr
		n.logSize(prog, &size)
		log := make([]byte, size+1)
		n.log(prog, &log[0])
		t.Fatalf("%s\n%s", n.errorText(code), log)
	}
}
