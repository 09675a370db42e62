package clib

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Libraries are opened by absolute paths, or by names that the system's loader looks
// up in the system's folders. Never from the current folder, which is where downloads
// and archives of strangers lie: some loaders look there, and on Linux they do if
// LD_LIBRARY_PATH has an empty or a relative part, which is a common mistake.

// Candidates is what to open for a library, in order. An absolute path stays as it
// is. A path with a folder, which somebody has chosen, becomes absolute. A bare
// name stays one where the loader looks in absolute folders only; elsewhere it
// becomes the files of that name in such folders.
func Candidates(name string) []string {
	switch {
	case name == "":
		return nil
	case filepath.IsAbs(name):
		return []string{name}
	case filepath.Base(name) != name:
		absolute, err := filepath.Abs(name)
		if err != nil {
			return nil
		}
		return []string{absolute}
	case runtime.GOOS == "linux" && loaderIsSafe(os.Getenv("LD_LIBRARY_PATH")):
		return []string{name}
	}
	var list []string
	for _, folder := range folders() {
		file := filepath.Join(folder, name)
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			list = append(list, file)
		}
	}
	return list
}

// Absolute keeps the patterns that do not depend on the current folder: variables
// of the environment may be set to anything.
func Absolute(patterns []string) []string {
	var list []string
	for _, p := range patterns {
		if filepath.IsAbs(p) {
			list = append(list, p)
		}
	}
	return list
}

// loaderIsSafe reports that every folder of LD_LIBRARY_PATH is absolute. The
// loader takes both separators, and an empty part for the current folder.
func loaderIsSafe(path string) bool {
	if path == "" {
		return true
	}
	for _, part := range strings.Split(strings.ReplaceAll(path, ";", ":"), ":") {
		if !filepath.IsAbs(part) {
			return false
		}
	}
	return true
}

// folders are the loader's, as far as they are absolute.
func folders() []string {
	variable := map[string]string{"windows": "PATH", "darwin": "DYLD_LIBRARY_PATH"}[runtime.GOOS]
	if variable == "" {
		variable = "LD_LIBRARY_PATH"
	}
	var list []string
	if runtime.GOOS == "windows" {
		list = append(list, filepath.Join(os.Getenv("SystemRoot"), "System32"))
	}
	list = append(list, filepath.SplitList(os.Getenv(variable))...)
	switch runtime.GOOS {
	case "darwin":
		list = append(list, "/opt/homebrew/lib", "/opt/local/lib", "/usr/local/lib", "/usr/lib")
	case "windows":
	default:
		list = append(list, "/usr/local/nvidia/lib64", "/usr/lib/wsl/lib", "/usr/local/lib", "/usr/lib64", "/lib64")
		for _, pattern := range []string{"/usr/lib/*-linux-gnu", "/lib/*-linux-gnu"} {
			if found, err := filepath.Glob(pattern); err == nil {
				list = append(list, found...)
			}
		}
		list = append(list, "/usr/lib", "/lib")
	}
	return Absolute(list)
}
