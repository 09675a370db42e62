package driver

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/twiddle-go/twiddle/internal/clib"
	"github.com/twiddle-go/twiddle/internal/pysite"
)

// LibraryVar names the library, or the folder it is in, and ends the search.
const LibraryVar = "TWIDDLE_WEBGPU"

// names are what the library is called, by platform, without what is around them.
var names = []string{"wgpu_native", "wgpu_native-release", "webgpu_dawn", "webgpu_wrapper", "webgpu"}

// fileName is a library's name as files have it.
func fileName(name string) string {
	switch runtime.GOOS {
	case "windows":
		return name + ".dll"
	case "darwin":
		return "lib" + name + ".dylib"
	}
	return "lib" + name + ".so"
}

// places lists the files to try, in order of preference. None is a bare name: the
// system's loader would look in the current folder on some platforms.
func places() ([]string, error) {
	if path := os.Getenv(LibraryVar); path != "" {
		return chosen(path)
	}
	var list []string
	for _, pattern := range clib.Absolute(folders()) { // an empty variable must not mean the current folder
		found, err := filepath.Glob(pattern)
		if err != nil {
			continue // a folder name that is no valid pattern
		}
		for _, folder := range slices.Backward(found) { // newest version first
			list = append(list, inFolder(folder)...)
		}
	}
	return list, nil
}

// chosen lists the files that the variable stands for. It says what is wrong with the
// path: whoever set it wants to know.
func chosen(path string) ([]string, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("%s=%q: %w", LibraryVar, path, err)
	}
	info, err := os.Stat(absolute)
	var at *fs.PathError
	switch {
	case errors.As(err, &at):
		return nil, fmt.Errorf("%s=%q: %w", LibraryVar, path, at.Err)
	case err != nil:
		return nil, fmt.Errorf("%s=%q: %w", LibraryVar, path, err)
	case !info.IsDir():
		return []string{absolute}, nil
	}
	files := inFolder(absolute)
	if len(files) == 0 {
		return nil, fmt.Errorf("%s=%q: the folder has no %s or %s", LibraryVar, path, fileName("wgpu_native"), fileName("webgpu_dawn"))
	}
	return files, nil
}

func inFolder(folder string) []string {
	var list []string
	for _, n := range names {
		for _, file := range []string{fileName(n), strings.TrimPrefix(fileName(n), "lib")} {
			if file = filepath.Join(folder, file); isFile(file) && !slices.Contains(list, file) {
				list = append(list, file)
			}
		}
	}
	return list
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// folders are patterns of where libraries are: the system's, beside the program,
// and Python environments with the package wgpu.
func folders() []string {
	var list []string
	switch runtime.GOOS {
	case "linux":
		list = append(list, "/usr/local/lib", "/usr/lib", "/usr/lib64", "/usr/lib/*-linux-gnu")
	case "darwin":
		list = append(list, "/opt/homebrew/lib", "/usr/local/lib")
	case "windows":
		for _, env := range []string{"ProgramFiles", "LOCALAPPDATA"} {
			list = append(list, filepath.Join(os.Getenv(env), "wgpu-native", "lib"))
		}
	}
	if program, err := os.Executable(); err == nil {
		list = append(list, filepath.Dir(program))
	}
	return append(list, pysite.Folders("wgpu", "resources")...)
}
