package hostmem

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestBytesIsTheLeast(t *testing.T) {
	all := Bytes()
	if runtime.GOOS == "linux" && all < 64<<20 {
		t.Errorf("%d bytes of memory", all)
	}
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(40 << 20))
	if got := Bytes(); got != 40<<20 {
		t.Errorf("with GOMEMLIMIT of 40 MiB there are %d", got)
	}
	if Check(31<<20) == nil || Check(29<<20) != nil {
		t.Errorf("31 MiB of 40: %v; 29: %v", Check(31<<20), Check(29<<20))
	}
}

func TestReadFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x")
	data := bytes.Repeat([]byte("0123456789"), 10000)
	if err := os.WriteFile(name, data, 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := ReadFile(name, 1<<20)
	if err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	if _, err := ReadFile(name, 99999); err == nil {
		t.Error("a file of 100000 bytes, of which 99999 are wanted: no error")
	}
	if _, err := os.Stat("/dev/zero"); err == nil {
		if got, err := ReadFile("/dev/zero", 1<<20); err == nil {
			t.Errorf("/dev/zero has %d bytes and an end", len(got))
		}
		if _, err := ReadFile("/dev/zero", math.MaxInt64-1); err == nil || !strings.Contains(err.Error(), "no end after 16777216 bytes") {
			t.Error(err)
		}
	}
	// Larger than memory, and empty: nothing is read.
	if err := os.Truncate(name, 1<<42); err != nil {
		t.Skip(err)
	}
	if _, err := ReadFile(name, 1<<50); err == nil {
		t.Error("4 TiB are read")
	}
}
