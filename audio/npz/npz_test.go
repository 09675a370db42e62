package npz

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/audio/npy"
)

func Example() {
	a, err := npy.From([]float32{1, 2, 3}, 3)
	if err != nil {
		panic(err)
	}
	var file bytes.Buffer
	if err := Write(&file, map[string]*npy.Array{"x": a}, true); err != nil {
		panic(err)
	}
	archive, err := NewArchive(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		panic(err)
	}
	x, err := archive.Read("x")
	fmt.Println(archive.Names(), x.Shape, x.DType, err)
	// Output: [x] [3] float32 <nil>
}

func TestGoldens(t *testing.T) {
	for _, name := range []string{"plain", "packed"} {
		a, err := Open("testdata/" + name + ".npz")
		if err != nil {
			t.Fatal(err)
		}
		if got := a.Names(); !slices.Equal(got, []string{"ramp", "fortran", "scalar"}) {
			t.Errorf("%s: %v", name, got)
		}
		for array, want := range map[string][]float64{"ramp": {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, "fortran": {0, 1, 2, 3, 4, 5}, "scalar": {2.5}} {
			x, err := a.Read(array)
			if err != nil {
				t.Fatal(err)
			}
			got, err := npy.As[float64](x)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %s is %v, %v", name, array, got, err)
			}
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	x, err := npy.From([]complex128{1, 2i}, 2)
	if err != nil {
		t.Fatal(err)
	}
	y, err := npy.From([]int64{7}, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, packed := range []bool{false, true} {
		name := filepath.Join(t.TempDir(), "a.npz")
		if err := WriteFile(name, map[string]*npy.Array{"x": x, "deep/y": y}, packed); err != nil {
			t.Fatal(err)
		}
		a, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := a.Read("deep/y")
		if err != nil || got.DType != npy.Int64 || !bytes.Equal(got.Data, y.Data) {
			t.Errorf("%+v, %v", got, err)
		}
		a.Close()
	}
	bad := &npy.Array{Header: npy.Header{DType: npy.Int8, Shape: []int{3}}}
	if err := Write(io.Discard, map[string]*npy.Array{"bad": bad}, false); err == nil || !strings.Contains(err.Error(), `"bad"`) {
		t.Error(err)
	}
}

// archived is a zip file of entries.
func archived(t testing.TB, entries ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(entries); i += 2 {
		w, err := z.Create(entries[i])
		if err == nil {
			_, err = io.WriteString(w, entries[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// header is the start of a .npy file of the given float64 shape.
func header(t testing.TB, shape ...int) string {
	t.Helper()
	var b bytes.Buffer
	if err := npy.WriteHeader(&b, npy.Header{DType: npy.Float64, Shape: shape}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestHostile(t *testing.T) {
	exp2 := func(n int) int { return 1 << n } // constants would be too large for ints of 32 bits
	bomb := archived(t, "a.npy", header(t, 1<<20)+strings.Repeat("\x00", 8<<20))
	broken := bytes.Clone(archived(t, "a.npy", header(t, 100)+strings.Repeat("01234567", 100)))
	broken[len(broken)/3] ^= 0xff
	for _, c := range []struct {
		label   string
		content []byte
		want    string
	}{
		{"empty", nil, "npz: directory: zip: not a valid zip file"},
		{"no zip", []byte("hello, world"), "not a valid zip file"},
		{"no arrays", archived(t, "readme.txt", "hello"), "no arrays among 1 entries"},
		{"twice the same", archived(t, "a.npy", "", "a.npy", ""), `two arrays named "a"`},
		{"no header", archived(t, "a.npy", "hello"), `npz: array "a" at offset 35: npy: header: not a .npy file`},
		{"promises", archived(t, "a.npy", header(t, exp2(40))), "shape [1099511627776] of float64 in 128 bytes"},
		{"a bomb", bomb, "8388608 bytes unpacked: the limit is 1048576"},
		{"broken", broken, `npz: array "a"`},
	} {
		a, err := NewArchive(bytes.NewReader(c.content), int64(len(c.content)))
		if err == nil {
			a.Limit = 1 << 20
			_, err = a.Read("a")
		}
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "npz: ") {
			t.Errorf("%s: %v, want %q", c.label, err, c.want)
		}
	}
	a, err := NewArchive(bytes.NewReader(bomb), int64(len(bomb)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Read("b"); err == nil || !strings.Contains(err.Error(), `no array "b": there are a`) {
		t.Error(err)
	}
	if _, err := Open("testdata"); err == nil || !strings.Contains(err.Error(), "testdata") {
		t.Error(err)
	}
	if _, err := Open("missing.npz"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestOverlap has many names for the same bytes, as some bombs do.
func TestOverlap(t *testing.T) {
	content := archived(t, "a.npy", header(t, 1000)+strings.Repeat("12345678", 1000), "b.npy", strings.Repeat("x", 1000))
	// The second directory entry, of which the packed size is made larger.
	at := bytes.LastIndex(content, []byte("PK\x01\x02"))
	copy(content[at+20:], "\xff\xff\xff\x00")
	if _, err := NewArchive(bytes.NewReader(content), int64(len(content))); err == nil || !strings.Contains(err.Error(), "more than the") {
		t.Error(err)
	}
}

func FuzzArchive(f *testing.F) {
	for _, name := range []string{"plain", "packed"} {
		content, err := os.ReadFile("testdata/" + name + ".npz")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
	}
	f.Add(archived(f, "a.npy", header(f, 3)+strings.Repeat("12345678", 3)))
	f.Fuzz(func(t *testing.T, content []byte) {
		a, err := NewArchive(bytes.NewReader(content), int64(len(content)))
		if err == nil {
			a.Limit = 1 << 20
			for _, name := range a.Names() {
				var x *npy.Array
				if x, err = a.Read(name); err == nil && len(x.Data) > 1<<20 {
					t.Fatalf("%d bytes", len(x.Data))
				}
			}
		}
		if err != nil && !strings.HasPrefix(err.Error(), "npz: ") {
			t.Errorf("error without its package: %v", err)
		}
	})
}
