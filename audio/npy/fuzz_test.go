package npy

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// FuzzRead feeds anything to the reader. What it accepts must be consistent,
// and must survive being written and read again.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.npy")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Add([]byte(file("{'descr': '<f8', 'fortran_order': False, 'shape': (1099511627776,), }", 100)))
	f.Fuzz(func(t *testing.T, content []byte) {
		a, err := Read(bytes.NewReader(content))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "npy: ") {
				t.Errorf("error without its package: %v", err)
			}
			return
		}
		if len(a.Data) > len(content) {
			t.Fatalf("%d bytes of data from %d", len(a.Data), len(content))
		}
		var b bytes.Buffer
		if err := Write(&b, a); err != nil {
			t.Fatalf("%+v was read but cannot be written: %v", a.Header, err)
		}
		again, err := Read(&b)
		if err != nil || !reflect.DeepEqual(a, again) {
			t.Fatalf("%+v came back as %+v, %v", a, again, err)
		}
		if _, err := As[complex128](a); err != nil {
			t.Fatalf("%+v: no values: %v", a.Header, err)
		}
	})
}
