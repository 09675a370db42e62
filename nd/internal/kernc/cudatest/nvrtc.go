//go:build linux && amd64

package cudatest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Compiler is NVIDIA's run-time compiler. It needs no GPU.
type Compiler struct {
	create    func(prog *uintptr, src, name string, headers int32, text, names uintptr) int32
	compile   func(prog uintptr, n int32, opts *uintptr) int32
	logSize   func(prog uintptr, n *uintptr) int32
	log       func(prog uintptr, dst *byte) int32
	ptxSize   func(prog uintptr, n *uintptr) int32
	ptx       func(prog uintptr, dst *byte) int32
	destroy   func(prog *uintptr) int32
	errorText func(code int32) string
}

// OpenCompiler finds NVRTC: where TWIDDLE_NVRTC says, among the system's
// libraries, in a CUDA toolkit, or in a Python package.
var OpenCompiler = sync.OnceValues(func() (*Compiler, error) {
	places := []string{os.Getenv("TWIDDLE_NVRTC"), "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}
	more, _ := filepath.Glob("/usr/local/cuda*/lib64/libnvrtc.so")
	places = append(places, more...)
	if out, err := exec.Command("python3", "-c", "import nvidia.cuda_nvrtc as m; print(list(m.__path__)[0])").Output(); err == nil {
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
		c := &Compiler{}
		purego.RegisterLibFunc(&c.create, lib, "nvrtcCreateProgram")
		purego.RegisterLibFunc(&c.compile, lib, "nvrtcCompileProgram")
		purego.RegisterLibFunc(&c.logSize, lib, "nvrtcGetProgramLogSize")
		purego.RegisterLibFunc(&c.log, lib, "nvrtcGetProgramLog")
		purego.RegisterLibFunc(&c.ptxSize, lib, "nvrtcGetPTXSize")
		purego.RegisterLibFunc(&c.ptx, lib, "nvrtcGetPTX")
		purego.RegisterLibFunc(&c.destroy, lib, "nvrtcDestroyProgram")
		purego.RegisterLibFunc(&c.errorText, lib, "nvrtcGetErrorString")
		return c, nil
	}
	return nil, errors.New("libnvrtc not found; pip install nvidia-cuda-nvrtc-cu12, or set TWIDDLE_NVRTC")
})

// PTX compiles text for an architecture such as compute_80, without fusing
// multiplications and additions that the text keeps apart.
func (c *Compiler) PTX(text, arch string) ([]byte, error) {
	var prog uintptr
	if code := c.create(&prog, text, "kernel.cu", 0, 0, 0); code != 0 {
		return nil, errors.New(c.errorText(code))
	}
	defer c.destroy(&prog)
	opts := [][]byte{[]byte("--gpu-architecture=" + arch + "\x00"), []byte("--std=c++17\x00"), []byte("--fmad=false\x00")}
	ptrs := make([]uintptr, len(opts))
	var pinned runtime.Pinner
	defer pinned.Unpin()
	for i := range opts {
		pinned.Pin(&opts[i][0])
		ptrs[i] = uintptr(unsafe.Pointer(&opts[i][0]))
	}
	if code := c.compile(prog, int32(len(ptrs)), &ptrs[0]); code != 0 {
		var size uintptr
		c.logSize(prog, &size)
		log := make([]byte, size+1)
		c.log(prog, &log[0])
		return nil, fmt.Errorf("%s\n%s", c.errorText(code), strings.TrimRight(string(log), "\x00"))
	}
	var size uintptr
	c.ptxSize(prog, &size)
	ptx := make([]byte, size+1)
	c.ptx(prog, &ptx[0])
	return ptx, nil
}
