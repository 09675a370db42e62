package npy

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// golden is what testdata/make_goldens.py stores.
func golden[T Element](value func(k int) T) func(*testing.T, string) {
	return func(t *testing.T, name string) {
		for _, variant := range []string{"_little_c", "_big_fortran"} {
			a, err := ReadFile(filepath.Join("testdata", name+variant+".npy"))
			if err != nil {
				t.Fatal(err)
			}
			if fortran := variant == "_big_fortran"; a.Fortran != fortran || a.BigEndian != (fortran && a.DType.Size() > 1) {
				t.Errorf("%s%s: fortran %t, big-endian %t", name, variant, a.Fortran, a.BigEndian)
			}
			if a.DType.String() != name || !slices.Equal(a.Shape, []int{2, 3}) {
				t.Fatalf("%s%s: %v of %v", name, variant, a.Shape, a.DType)
			}
			got, err := Values[T](a)
			if err != nil {
				t.Fatal(err)
			}
			for k, v := range got {
				if v != value(k) {
					t.Errorf("%s%s: element %d is %v, want %v", name, variant, k, v, value(k))
				}
			}
		}
	}
}

func TestGoldens(t *testing.T) {
	integer := func(k int) int { return k*17 - 40 }
	unsigned := func(k int) int { return k*23 + 1 }
	float := func(k int) float64 { return (float64(k) - 2.5) * 1.5 }
	cmplx := func(k int) complex128 { return complex(float(k), float64(k)*0.25-1) }
	for name, check := range map[string]func(*testing.T, string){
		"bool":       golden(func(k int) bool { return k%2 == 1 }),
		"int8":       golden(func(k int) int8 { return int8(integer(k)) }),
		"int16":      golden(func(k int) int16 { return int16(integer(k)) }),
		"int32":      golden(func(k int) int32 { return int32(integer(k)) }),
		"int64":      golden(func(k int) int64 { return int64(integer(k)) }),
		"uint8":      golden(func(k int) uint8 { return uint8(unsigned(k)) }),
		"uint16":     golden(func(k int) uint16 { return uint16(unsigned(k)) }),
		"uint32":     golden(func(k int) uint32 { return uint32(unsigned(k)) }),
		"uint64":     golden(func(k int) uint64 { return uint64(unsigned(k)) }),
		"float16":    golden(func(k int) Half { return NewHalf(float32(float(k))) }),
		"float32":    golden(func(k int) float32 { return float32(float(k)) }),
		"float64":    golden(float),
		"complex64":  golden(func(k int) complex64 { return complex64(cmplx(k)) }),
		"complex128": golden(cmplx),
	} {
		t.Run(name, func(t *testing.T) { check(t, name) })
	}
}

func TestVersionsScalarAndEmpty(t *testing.T) {
	for _, c := range []struct {
		file  string
		shape []int
		want  []float64
	}{
		{"version1", []int{2, 3}, []float64{-3.75, -2.25, -0.75, 0.75, 2.25, 3.75}},
		{"version2", []int{2, 3}, []float64{-3.75, -2.25, -0.75, 0.75, 2.25, 3.75}},
		{"version3", []int{2, 3}, []float64{-3.75, -2.25, -0.75, 0.75, 2.25, 3.75}},
		{"scalar", nil, []float64{2.5}},
		{"empty", []int{3, 0, 2}, []float64{}},
	} {
		a, err := ReadFile(filepath.Join("testdata", c.file+".npy"))
		if err != nil {
			t.Fatal(err)
		}
		got, err := As[float64](a)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(a.Shape, c.shape) || !slices.Equal(got, c.want) {
			t.Errorf("%s: shape %v, values %v", c.file, a.Shape, got)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	values := make([]complex64, 2*3*4)
	for i := range values {
		values[i] = complex(float32(i), -float32(i))
	}
	a, err := From(values, 2, 3, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, fortran := range []bool{false, true} {
		for _, bigEndian := range []bool{false, true} {
			b, err := a.WithFortran(fortran)
			if err != nil {
				t.Fatal(err)
			}
			if bigEndian != b.BigEndian {
				b.Data = slices.Clone(b.Data)
				swapWords(b.Data, b.DType.wordSize())
				b.BigEndian = bigEndian
			}
			name := filepath.Join(t.TempDir(), "a.npy")
			if err := WriteFile(name, b); err != nil {
				t.Fatal(err)
			}
			c, err := ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(b, c) {
				t.Errorf("fortran %t, big-endian %t: wrote %+v, read %+v", fortran, bigEndian, b.Header, c.Header)
			}
			got, err := Values[complex64](c)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, values) {
				t.Errorf("fortran %t, big-endian %t: values changed", fortran, bigEndian)
			}
			back, err := c.WithFortran(false)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := Values[complex64](back); err != nil || !slices.Equal(again, values) {
				t.Errorf("fortran %t: not back in C order (%v)", fortran, err)
			}
		}
	}
}

func TestDataIsAligned(t *testing.T) {
	for _, shape := range [][]int{nil, {7}, {123456, 0}, slices.Repeat([]int{1}, 40)} {
		var b bytes.Buffer
		if err := WriteHeader(&b, Header{DType: Float32, Shape: shape}); err != nil {
			t.Fatal(err)
		}
		if b.Len()%alignment != 0 || b.Bytes()[b.Len()-1] != '\n' {
			t.Errorf("shape %v: data starts at %d", shape, b.Len())
		}
	}
}

// file is a version 1 header around a dictionary, then data.
func file(dictionary string, data int) string {
	length := string([]byte{byte(len(dictionary)), byte(len(dictionary) >> 8)})
	return magic + "\x01\x00" + length + dictionary + strings.Repeat("x", data)
}

func TestHostileFiles(t *testing.T) {
	good := "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n"
	for name, c := range map[string]struct{ content, want string }{
		"nothing":            {"", "an empty file"},
		"another short file": {"hello", "not a .npy file"},
		"other magic":        {strings.Repeat("RIFF", 20), "not a .npy file"},
		"magic only":         {magic, "truncated"},
		"version 9":          {magic + "\x09\x00\x00\x00\x00\x00", "format version 9.0"},
		"truncated header":   {file(good, 0)[:40], "truncated"},
		"truncated data":     {file(good, 7), "truncated: 7 of 8 bytes"},
		"huge header":        {magic + "\x02\x00\xff\xff\xff\xff{", "4294967295 bytes long"},
		"huge shape":         {file("{'descr': '<f8', 'fortran_order': False, 'shape': (1099511627776,), }", 100), "truncated: 100 of 8796093022208 bytes"},
		"overflowing shape":  {file("{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", 0), "more bytes than"},
		"overflow past zero": {file("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 4294967296, 4294967296), }", 0), "more bytes than"},
		"giant number":       {file("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,), }", 0), "fits an int"},
		"negative dimension": {file("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }", 0), "negative dimension"},
		"many dimensions":    {file("{'descr': '<f8', 'fortran_order': False, 'shape': ("+strings.Repeat("1, ", 65)+"), }", 0), "64 dimensions"},
		"no shape":           {file("{'descr': '<f8', 'fortran_order': False}", 0), "exactly the keys"},
		"extra key":          {file("{'descr': '<f8', 'fortran_order': False, 'shape': (), 'more': 1}", 0), "unknown key"},
		"twice":              {file("{'descr': '<f8', 'descr': '<f8', 'shape': ()}", 0), "appears twice"},
		"number for a tuple": {file("{'descr': '<f8', 'fortran_order': False, 'shape': (3)}", 0), "a tuple"},
		"structured":         {file("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': ()}", 0), "structured"},
		"object":             {file("{'descr': '|O', 'fortran_order': False, 'shape': ()}", 0), "unsupported dtype"},
		"text":               {file("{'descr': '<U8', 'fortran_order': False, 'shape': ()}", 0), "unsupported dtype"},
		"no byte order":      {file("{'descr': '|f8', 'fortran_order': False, 'shape': ()}", 8), "unsupported dtype"},
		"empty dtype":        {file("{'descr': '', 'fortran_order': False, 'shape': ()}", 0), "unsupported dtype"},
		"code":               {file("__import__('os').system('true')", 0), "want '{'"},
		"trailing text":      {file("{'descr': '<f8', 'fortran_order': False, 'shape': ()} + {}", 8), "follows the dictionary"},
		"escape":             {file(`{'d\x65scr': '<f8', 'fortran_order': False, 'shape': ()}`, 8), "want a string"},
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Read(strings.NewReader(c.content))
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "npy: ") {
				t.Errorf("err %v, want npy: ...%s...", err, c.want)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20 {
				t.Errorf("%d bytes allocated for a file of %d", took, len(c.content))
			}
			if strings.Contains(c.want, "truncated") && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("err %v does not wrap io.ErrUnexpectedEOF", err)
			}
		})
	}
}

func TestPythonTwoAndSpacing(t *testing.T) {
	a, err := Read(strings.NewReader(file(`{"shape":(2L,1L),"fortran_order":True,"descr":"=f4"}`, 8)))
	if err != nil || !slices.Equal(a.Shape, []int{2, 1}) || a.DType != Float32 || !a.Fortran {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestReadLeavesWhatFollows(t *testing.T) {
	first, _ := From([]int16{1, 2, 3}, 3)
	second, _ := From([]int16{4}, 1)
	var b bytes.Buffer
	for _, a := range []*Array{first, second} {
		if err := Write(&b, a); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []*Array{first, second} {
		got, err := Read(&b)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v", got, err)
		}
	}
}

func TestLargeDataFromAStream(t *testing.T) {
	values := make([]float64, 300_000) // above what is taken on trust
	for i := range values {
		values[i] = float64(i)
	}
	a, err := From(values, len(values))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Write(&b, a); err != nil {
		t.Fatal(err)
	}
	got, err := Read(io.MultiReader(&b)) // hides the length
	if err != nil || !bytes.Equal(got.Data, a.Data) {
		t.Errorf("stream: %v", err)
	}
}

func TestBadArrays(t *testing.T) {
	if _, err := From([]float32{1, 2, 3}, 2); err == nil {
		t.Error("three values into shape (2): no error")
	}
	if _, err := From([]float32{1}, -1); err == nil {
		t.Error("negative dimension: no error")
	}
	a, _ := From([]complex128{1, 2}, 2)
	if _, err := Values[float64](a); err == nil {
		t.Error("complex array as float64 values: no error")
	}
	if _, err := As[float32](a); err == nil {
		t.Error("complex array as float32: no error")
	}
	a.Data = a.Data[:3]
	if err := Write(io.Discard, a); err == nil {
		t.Error("short data: no error")
	}
	if _, err := Values[complex128](a); err == nil {
		t.Error("values of short data: no error")
	}
	name := filepath.Join(t.TempDir(), "kept.npy")
	if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(name, a); err == nil {
		t.Error("writing short data: no error")
	}
	if old, _ := os.ReadFile(name); string(old) != "old" {
		t.Error("a bad array destroyed the file it could not replace")
	}
	if err := Write(io.Discard, &Array{}); err == nil {
		t.Error("zero Array: no error")
	}
}

func TestAs(t *testing.T) {
	big, _ := From([]int64{1<<53 + 1, math.MaxInt64, -5}, 3)
	f, err := As[float32](big)
	if err != nil || f[0] != 1<<53 || f[1] != 1<<63 || f[2] != -5 {
		t.Errorf("int64 as float32: %v, %v", f, err)
	}
	// By way of float64 this would round twice, down to 2^60.
	tie, _ := From([]int64{1<<60 + 1<<36 + 1}, 1)
	if f, err := As[float32](tie); err != nil || f[0] != 1<<60+1<<37 {
		t.Errorf("int64 as float32: %v, %v", f, err)
	}
	flags, _ := From([]bool{true, false}, 2)
	if z, err := As[complex64](flags); err != nil || z[0] != 1 || z[1] != 0 {
		t.Errorf("bool as complex64: %v, %v", z, err)
	}
	odd := &Array{Header: Header{DType: Bool, Shape: []int{2}}, Data: []byte{7, 0}}
	if v, err := Values[bool](odd); err != nil || !v[0] || v[1] {
		t.Errorf("bool of byte 7: %v, %v", v, err)
	}
}
