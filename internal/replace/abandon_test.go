package replace

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A process that ends in the middle leaves the old file and nothing else.
func TestAbandon(t *testing.T) {
	folder := os.Getenv("REPLACE_TEST_ABANDON")
	if folder != "" {
		_ = File(filepath.Join(folder, "x"), func(f *os.File) error {
			if _, err := f.WriteString("half"); err != nil {
				return err
			}
			if _, _, err := Temporary("twiddle-test-*"); err != nil {
				return err
			}
			Abandon()
			os.Exit(7)
			return nil
		})
		os.Exit(1)
	}
	folder = t.TempDir()
	name, temporary := filepath.Join(folder, "x"), t.TempDir()
	if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestAbandon$")
	cmd.Env = append(os.Environ(), "REPLACE_TEST_ABANDON="+folder, "TMPDIR="+temporary, "TMP="+temporary)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != 7 {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(name)
	if err != nil || string(data) != "old" {
		t.Errorf("%q, %v", data, err)
	}
	for _, f := range []string{folder, temporary} {
		entries, err := os.ReadDir(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if e.Name() != "x" {
				t.Errorf("%s is left", e.Name())
			}
		}
	}
}

func TestTemporary(t *testing.T) {
	f, remove, err := Temporary("twiddle-test-*")
	if err != nil {
		t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("mode %v, %v: others can read it", info.Mode(), err)
	}
	if err := remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(f.Name()); err == nil {
		t.Error("it is still there")
	}
}
