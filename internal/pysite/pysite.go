// Package pysite knows where Python environments keep the files of their packages.
// Libraries that devices need come as such packages: one pip install, and no
// toolkit.
package pysite

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// Folders are patterns of a package's folder in the environments of this machine:
// the active one first, then that of python3, then the user's.
func Folders(parts ...string) []string {
	var list []string
	inside := filepath.Join(parts...)
	add := func(prefix string) {
		lib := []string{"lib", "python3*", "site-packages"}
		if runtime.GOOS == "windows" {
			lib = []string{"Lib", "site-packages"}
		}
		list = append(list, filepath.Join(prefix, filepath.Join(lib...), inside))
	}
	for _, env := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if root := os.Getenv(env); root != "" {
			add(root)
		}
	}
	if python, err := exec.LookPath("python3"); err == nil {
		add(filepath.Dir(filepath.Dir(python)))
		if real, err := filepath.EvalSymlinks(python); err == nil {
			add(filepath.Dir(filepath.Dir(real)))
		}
	}
	if home, err := os.UserHomeDir(); err == nil {
		add(filepath.Join(home, ".local"))
		add(filepath.Join(home, ".pyenv", "versions", "*"))
	}
	if runtime.GOOS == "linux" {
		list = append(list, filepath.Join("/usr/local/lib/python3*/dist-packages", inside))
	}
	return list
}
