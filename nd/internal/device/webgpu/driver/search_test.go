package driver

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A path that is set and wrong is named with what is wrong about it.
func TestChosen(t *testing.T) {
	folder := t.TempDir()
	missing := filepath.Join(folder, "missing.so")
	for path, want := range map[string]string{missing: LibraryVar, folder: "has no " + fileName("wgpu_native")} {
		files, err := chosen(path)
		if err == nil || len(files) > 0 || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), LibraryVar) {
			t.Errorf("%s: %v, %v", path, files, err)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q in it", path, err, want)
		}
	}
	library := filepath.Join(folder, fileName("wgpu_native"))
	if err := os.WriteFile(library, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{library, folder} {
		if files, err := chosen(path); err != nil || !slices.Equal(files, []string{library}) {
			t.Errorf("%s: %v, %v", path, files, err)
		}
	}
}
