package peer

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/twiddle-go/twiddle/internal/clib"
)

// ErrNotPresent is what a library that could not be found wraps.
var ErrNotPresent = errors.New("not present on this machine")

// library is a shared library that is open for the rest of the process.
type library struct {
	clib.Library
	name string // what people call it
	path string // what was opened
}

// open tries the path in the environment variable alone if it is set, else
// the file names, each first as the system's loader finds it and then in the
// folders of searchFolders.
func open(name, envVar string, files ...string) (*library, error) {
	var candidates []string
	tried := fmt.Sprintf("tried %s; set %s to its path", strings.Join(files, ", "), envVar)
	if path := os.Getenv(envVar); path != "" {
		candidates = clib.Candidates(path)
		tried = fmt.Sprintf("tried %s=%q alone, which should be the path of the library's file", envVar, path)
	} else {
		for _, file := range files {
			candidates = append(candidates, clib.Candidates(file)...)
		}
		for _, folder := range searchFolders() {
			for _, file := range files {
				path := filepath.Join(folder, file)
				if _, err := os.Stat(path); err == nil {
					candidates = append(candidates, path)
				}
			}
		}
	}
	// Global: MKL opens its own parts later and looks up symbols across them.
	l, path, err := clib.OpenFirst(candidates, clib.Global)
	if err != nil {
		return nil, fmt.Errorf("peer: %s: %w (%s): %w", name, ErrNotPresent, tried, err)
	}
	return &library{l, name, path}, nil
}

// searchFolders lists where package managers other than the system's leave
// shared libraries: Python environments (pip install mkl), conda, oneAPI.
func searchFolders() []string {
	var patterns []string
	for _, env := range []string{"VIRTUAL_ENV", "CONDA_PREFIX", "MKLROOT"} {
		if root := os.Getenv(env); root != "" {
			patterns = append(patterns, filepath.Join(root, "lib"))
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		patterns = append(patterns,
			filepath.Join(home, ".local", "lib"),
			filepath.Join(home, ".pyenv", "versions", "*", "lib"))
	}
	for _, env := range []string{"VIRTUAL_ENV", "CUDA_PATH"} { // pip install nvidia-cufft; a toolkit
		if root := os.Getenv(env); root != "" {
			patterns = append(patterns, filepath.Join(root, "lib", "python*", "site-packages", "nvidia", "*", "lib"), filepath.Join(root, "lib64"))
		}
	}
	patterns = append(patterns,
		"/usr/local/cuda*/lib64",
		"/opt/intel/oneapi/mkl/latest/lib",
		"/usr/local/lib",
		"/opt/homebrew/lib")
	var folders []string
	for _, p := range clib.Absolute(patterns) {
		found, err := filepath.Glob(p)
		if err != nil {
			continue // a folder name that is no valid pattern holds no library
		}
		folders = append(folders, found...)
	}
	return folders
}

// symbols fills in the addresses of several functions.
func (l *library) symbols(into map[string]*uintptr) error {
	if missing := l.Symbols(into); missing != "" {
		return fmt.Errorf("peer: %s: %s has no function %s", l.name, l.path, missing)
	}
	return nil
}
