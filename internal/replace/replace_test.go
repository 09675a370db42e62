package replace

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestFileIsWholeOrNotThere(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "a.npy")
	if err := Bytes(name, []byte("old")); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("disk on fire")
	err := File(name, func(f *os.File) error {
		if _, err := f.WriteString("half of the n"); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(name); err != nil || string(text) != "old" {
			t.Errorf("while it is written it holds %q, %v", text, err)
		}
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != "old" {
		t.Errorf("after a failure it holds %q, %v", text, err)
	}
	if err := Bytes(name, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != "new" {
		t.Errorf("it holds %q, %v", text, err)
	}
	if list, err := os.ReadDir(folder); err != nil || len(list) != 1 {
		t.Errorf("%d files are left, %v", len(list), err)
	}
	if err := Bytes(filepath.Join(folder, "not", "there"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no such folder: %v", err)
	}
}

func TestFileKeepsLinksAndModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no modes and links as Unix has")
	}
	folder := t.TempDir()
	name, link := filepath.Join(folder, "a"), filepath.Join(folder, "link")
	if err := os.WriteFile(name, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(name, link); err != nil {
		t.Fatal(err)
	}
	if err := Bytes(link, []byte("other")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	info, err = os.Stat(name)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info, err)
	}
	if text, err := os.ReadFile(name); err != nil || string(text) != "other" {
		t.Errorf("it holds %q, %v", text, err)
	}
	if err := Bytes(os.DevNull, []byte("gone")); err != nil {
		t.Error(err)
	}
	if runtime.GOOS == "linux" {
		if err := Bytes("/dev/full", []byte("does not fit")); err == nil {
			t.Error("a full disk is no error")
		}
	}
}
