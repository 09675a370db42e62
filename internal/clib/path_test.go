package clib

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

func TestCandidates(t *testing.T) {
	here := t.TempDir()
	t.Chdir(here)
	const name = "libtwiddle-planted.so.1"
	if err := os.WriteFile(name, []byte("planted"), 0o700); err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, name), []byte("chosen"), 0o700); err != nil {
		t.Fatal(err)
	}
	absolute := filepath.Join(other, name)
	if got := Candidates(absolute); !slices.Equal(got, []string{absolute}) {
		t.Errorf("an absolute path: %q", got)
	}
	if got := Candidates(filepath.Join(".", "lib", name)); !slices.Equal(got, []string{filepath.Join(here, "lib", name)}) {
		t.Errorf("a path with a folder: %q", got)
	}
	if got := Candidates(""); got != nil {
		t.Errorf("no name: %q", got)
	}
	if runtime.GOOS != "linux" {
		return
	}
	for _, path := range []string{"", "/usr/lib", "/usr/lib:/opt/lib", "/usr/lib;/opt/lib"} {
		t.Setenv("LD_LIBRARY_PATH", path)
		if got := Candidates(name); !slices.Equal(got, []string{name}) {
			t.Errorf("LD_LIBRARY_PATH=%q: %q: want what the loader finds", path, got)
		}
	}
	for _, path := range []string{".", ":", "/usr/lib:", ":/usr/lib", "/usr/lib::/opt/lib", "lib", "/usr/lib:lib", "/usr/lib;", "$ORIGIN"} {
		t.Setenv("LD_LIBRARY_PATH", path)
		if got := Candidates(name); len(got) != 0 {
			t.Errorf("LD_LIBRARY_PATH=%q: %q: the loader would look in the current folder", path, got)
		}
	}
	t.Setenv("LD_LIBRARY_PATH", ".:"+other)
	if got := Candidates(name); !slices.Equal(got, []string{absolute}) {
		t.Errorf("a relative and an absolute folder: %q", got)
	}
	if got := Absolute([]string{"", "lib", "./x", "/usr/lib"}); !slices.Equal(got, []string{"/usr/lib"}) {
		t.Errorf("absolute ones: %q", got)
	}
}
