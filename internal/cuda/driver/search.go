package driver

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/twiddle-go/twiddle/internal/clib"
	"github.com/twiddle-go/twiddle/internal/pysite"
)

// What the libraries are called, by platform. The newest compiler is first.
var driverNames, compilerNames, compilerGlob = fileNames()

func fileNames() (driver, compiler []string, glob string) {
	switch runtime.GOOS {
	case "linux":
		return []string{"libcuda.so.1", "libcuda.so"},
			[]string{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"}, "libnvrtc.so*"
	case "windows":
		return []string{"nvcuda.dll"}, []string{"nvrtc64_130_0.dll", "nvrtc64_120_0.dll", "nvrtc64_112_0.dll"}, "nvrtc64_*_0.dll"
	}
	return []string{"libcuda"}, nil, "libnvrtc*" // NVIDIA has none
}

// candidates is what to open for a library that has one of several names.
func candidates(names []string) []string {
	var list []string
	for _, name := range names {
		list = append(list, clib.Candidates(name)...)
	}
	return list
}

// CompilerVar names NVRTC's library, or the folder it is in, and ends the
// search.
const CompilerVar = "TWIDDLE_NVRTC"

// ErrNoCompiler is wrapped by the error of a machine without a usable NVRTC.
var ErrNoCompiler = errors.New("no usable NVRTC")

// OpenCompiler finds an NVRTC that compiles for an architecture and is not too
// new for a driver; 0 for either asks for nothing. Libraries stay open.
func OpenCompiler(arch, driver int) (*Compiler, error) {
	opened.Lock()
	defer opened.Unlock()
	var why []string
	for _, path := range places() {
		c, err := opened.at(path)
		switch {
		case err != nil && !filepath.IsAbs(path):
			continue // the system's loader knows no such library
		case err == nil && arch > 0:
			err = c.Supports(arch, driver)
		}
		if err == nil {
			return c, nil
		}
		why = append(why, fmt.Sprintf("%s: %v", path, err))
	}
	major := 13
	if driver > 0 {
		major = min(driver/1000, major)
	}
	advice := fmt.Sprintf("install it with: pip install %s; or set %s to the library", compilerPackage(major), CompilerVar)
	if chosen := os.Getenv(CompilerVar); chosen != "" {
		advice += fmt.Sprintf(", which is %q now and ends the search", chosen)
	}
	if len(why) > 0 {
		return nil, fmt.Errorf("%w: %s; %s", ErrNoCompiler, strings.Join(why, "; "), advice)
	}
	return nil, fmt.Errorf("%w: looked for %s among the system's libraries and in %s; %s",
		ErrNoCompiler, strings.Join(compilerNames, ", "), strings.Join(compilerPatterns(), ", "), advice)
}

// compilerPackage is the Python package of a major version.
func compilerPackage(major int) string {
	if major < 13 {
		return fmt.Sprintf("nvidia-cuda-nvrtc-cu%d", major)
	}
	return "nvidia-cuda-nvrtc"
}

// opened are the libraries that were tried, by place.
var opened = tried{by: map[string]attempt{}}

type tried struct {
	sync.Mutex
	by map[string]attempt
}

type attempt struct {
	compiler *Compiler
	err      error
}

func (o *tried) at(path string) (*Compiler, error) {
	a, ok := o.by[path]
	if !ok {
		a.compiler, a.err = openCompiler(path)
		o.by[path] = a
	}
	return a.compiler, a.err
}

// places lists where the library may be, in order of preference: names for the
// system's loader, then files that are there.
var places = sync.OnceValue(func() []string {
	if path := os.Getenv(CompilerVar); path != "" {
		if absolute, err := filepath.Abs(path); err == nil {
			path = absolute
		}
		if files := inFolder(path); len(files) > 0 {
			return files
		}
		return []string{path}
	}
	list := candidates(compilerNames)
	seen := map[string]bool{}
	for _, pattern := range clib.Absolute(compilerPatterns()) {
		folders, err := filepath.Glob(pattern)
		if err != nil {
			continue // a folder name that is no valid pattern
		}
		for _, folder := range slices.Backward(folders) { // newest version first
			for _, file := range inFolder(folder) {
				if real, err := filepath.EvalSymlinks(file); err == nil && !seen[real] {
					seen[real] = true
					list = append(list, file)
				}
			}
		}
	}
	return list
})

// inFolder lists the library's files, without the builtins beside it and the
// variants for other uses.
func inFolder(folder string) []string {
	files, err := filepath.Glob(filepath.Join(folder, compilerGlob))
	if err != nil {
		return nil
	}
	kept := files[:0]
	for _, f := range files {
		if base := filepath.Base(f); !strings.Contains(base, "builtins") && !strings.Contains(base, ".alt") {
			kept = append(kept, f)
		}
	}
	return kept
}

// compilerPatterns lists the folders where toolkits and Python packages leave
// the library.
func compilerPatterns() []string {
	var list []string
	for _, env := range []string{"CUDA_HOME", "CUDA_PATH"} {
		if root := os.Getenv(env); root != "" {
			list = append(list, filepath.Join(root, "lib64"), filepath.Join(root, "bin"), filepath.Join(root, "bin", "x64"))
		}
	}
	if runtime.GOOS == "linux" {
		list = append(list, "/usr/local/cuda*/lib64", "/usr/local/cuda*/targets/*/lib", "/opt/cuda*/lib64")
	}
	for _, env := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if root := os.Getenv(env); root != "" {
			list = append(list, filepath.Join(root, "lib"))
		}
	}
	for _, pkg := range []string{"cu13", "cuda_nvrtc"} {
		for _, sub := range []string{"lib", "bin"} {
			list = append(list, pysite.Folders("nvidia", pkg, sub)...)
		}
	}
	return list
}
