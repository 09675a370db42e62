package driver

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/clib"
)

// Compiler is NVRTC, NVIDIA's run-time compiler. It needs no GPU, and several
// goroutines may compile at once.
type Compiler struct {
	compilerFunctions
	path    string
	version int
	archs   []int
}

type compilerFunctions struct {
	nvrtcVersion, archCount, archList, create, compile, destroy uintptr
	logSize, log, cubinSize, cubin, ptxSize, ptx                uintptr
}

func (f *compilerFunctions) table() map[string]*uintptr {
	return map[string]*uintptr{
		"nvrtcVersion": &f.nvrtcVersion, "nvrtcGetNumSupportedArchs": &f.archCount, "nvrtcGetSupportedArchs": &f.archList,
		"nvrtcCreateProgram": &f.create, "nvrtcCompileProgram": &f.compile, "nvrtcDestroyProgram": &f.destroy,
		"nvrtcGetProgramLogSize": &f.logSize, "nvrtcGetProgramLog": &f.log,
		"nvrtcGetCUBINSize": &f.cubinSize, "nvrtcGetCUBIN": &f.cubin, "nvrtcGetPTXSize": &f.ptxSize, "nvrtcGetPTX": &f.ptx,
	}
}

// openCompiler opens the library at a path, which errors leave to the caller to name.
func openCompiler(path string) (*Compiler, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("the folder has no %s", compilerGlob)
	}
	openBuiltins(path)
	library, err := clib.Open(path, clib.Local)
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), path+": "))
	}
	c := &Compiler{path: path}
	if missing := library.Symbols(c.table()); missing != "" {
		return nil, fmt.Errorf("it has no %s: it is not NVRTC, or older than CUDA 11.2", missing)
	}
	var major, minor, n int32
	if r := call(c.nvrtcVersion, uintptr(unsafe.Pointer(&major)), uintptr(unsafe.Pointer(&minor))); r != 0 {
		return nil, fmt.Errorf("it does not tell its version: error %d", int32(r))
	}
	c.version = int(major)*1000 + int(minor)*10
	if r := call(c.archCount, uintptr(unsafe.Pointer(&n))); r == 0 && n > 0 {
		list := make([]int32, n)
		if call(c.archList, uintptr(unsafe.Pointer(&list[0]))) == 0 {
			for _, a := range list {
				c.archs = append(c.archs, int(a))
			}
		}
	}
	return c, nil
}

// openBuiltins opens the library of builtins beside a compiler. Some releases
// of the compiler do not look there by themselves; one that is open already is
// found by its name.
func openBuiltins(path string) {
	if !filepath.IsAbs(path) {
		return // the system's loader finds both
	}
	files, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*nvrtc-builtins*"))
	if err != nil {
		return
	}
	for _, f := range files {
		if !strings.Contains(filepath.Base(f), ".alt") {
			_, _ = clib.Open(f, clib.Local) // without it, compiling says what is missing
		}
	}
}

// Version is 13020 for 13.2.
func (c *Compiler) Version() int { return c.version }

// Path is the library.
func (c *Compiler) Path() string { return c.path }

// Archs are the architectures it compiles for, 90 for sm_90, in order.
func (c *Compiler) Archs() []int { return c.archs }

// Supports says why the compiler cannot serve a GPU of an architecture under a
// driver version (0: no driver).
func (c *Compiler) Supports(arch, driver int) error {
	switch {
	case driver > 0 && c.version/1000 > driver/1000:
		return fmt.Errorf("NVRTC %s is newer than the driver, which supports CUDA %s", VersionText(c.version), VersionText(driver))
	case !slices.Contains(c.archs, arch):
		return fmt.Errorf("NVRTC %s does not compile for sm_%d", VersionText(c.version), arch)
	}
	return nil
}

// CompileError is a text that NVRTC refused.
type CompileError struct {
	Name string
	Log  string
}

func (e *CompileError) Error() string { return fmt.Sprintf("%s does not compile: %s", e.Name, e.Log) }

// Language is the dialect that texts are written in, whatever they are compiled
// for.
var Language = []string{"--std=c++17", "--fmad=false", "--device-as-default-execution-space"}

// Options are what decides, besides text and compiler, what is made of it.
// Nothing is fused unless the text says so, so that bits do not depend on what
// else is in a kernel.
func Options(arch int) []string {
	return append([]string{fmt.Sprintf("--gpu-architecture=sm_%d", arch)}, Language...)
}

// Compile turns a text into code for one architecture. The log has warnings,
// and what the options asked for.
func (c *Compiler) Compile(name, text string, options ...string) (cubin []byte, log string, err error) {
	err = c.with(name, text, options, func(program uintptr) error {
		log = c.text(c.logSize, c.log, program)
		cubin = c.bytes(c.cubinSize, c.cubin, program)
		if len(cubin) == 0 {
			return errors.New("nvrtc: no code: the architecture is a virtual one")
		}
		return nil
	})
	return cubin, log, err
}

// PTX is Compile for a virtual architecture, such as compute_80.
func (c *Compiler) PTX(name, text string, options ...string) (ptx []byte, err error) {
	err = c.with(name, text, options, func(program uintptr) error {
		ptx = c.bytes(c.ptxSize, c.ptx, program)
		return nil
	})
	return ptx, err
}

// with compiles and hands the result to get.
func (c *Compiler) with(name, text string, options []string, get func(program uintptr) error) error {
	source, title := append([]byte(text), 0), append([]byte(name), 0)
	var program uintptr
	r := call(c.create, uintptr(unsafe.Pointer(&program)), uintptr(unsafe.Pointer(&source[0])), uintptr(unsafe.Pointer(&title[0])), 0, 0, 0)
	if r != 0 {
		return fmt.Errorf("nvrtc: create: error %d", int32(r))
	}
	defer func() { call(c.destroy, uintptr(unsafe.Pointer(&program))) }()
	addresses := make([]uintptr, len(options)+1)
	var pinned runtime.Pinner
	defer pinned.Unpin()
	for i, o := range options {
		b := append([]byte(o), 0)
		pinned.Pin(&b[0])
		addresses[i] = uintptr(unsafe.Pointer(&b[0]))
	}
	if r := call(c.compile, program, uintptr(len(options)), uintptr(unsafe.Pointer(&addresses[0]))); r != 0 {
		return &CompileError{Name: name, Log: strings.TrimSpace(c.text(c.logSize, c.log, program)) + fmt.Sprintf(" (NVRTC error %d)", int32(r))}
	}
	return get(program)
}

// bytes reads a result of a program by the functions for its size and content.
func (c *Compiler) bytes(size, content, program uintptr) []byte {
	var n uintptr
	if call(size, program, uintptr(unsafe.Pointer(&n))) != 0 || n == 0 {
		return nil
	}
	b := make([]byte, n)
	if call(content, program, uintptr(unsafe.Pointer(&b[0]))) != 0 {
		return nil
	}
	return b
}

func (c *Compiler) text(size, content, program uintptr) string {
	return strings.TrimRight(string(c.bytes(size, content, program)), "\x00")
}
