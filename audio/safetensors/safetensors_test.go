package safetensors_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/audio/safetensors"
)

func Example() {
	w, err := safetensors.From("weights", []float32{1, 2, 3, 4, 5, 6}, 2, 3)
	if err != nil {
		log.Fatal(err)
	}
	var b bytes.Buffer
	if err := safetensors.Write(&b, &safetensors.File{Tensors: []safetensors.Tensor{w}, Metadata: map[string]string{"made": "by hand"}}); err != nil {
		log.Fatal(err)
	}
	f, err := safetensors.Parse(b.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	t, _ := f.Tensor("weights")
	values, err := safetensors.Values[float32](t)
	fmt.Println(t.DType, t.Shape, values, f.Metadata["made"], err)
	// Output: F32 [2 3] [1 2 3 4 5 6] by hand <nil>
}

func TestReadsWhatPythonWrites(t *testing.T) {
	f, err := safetensors.ReadFile("testdata/python.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	if f.Metadata["of"] != "numbers" || len(f.Tensors) != 5 {
		t.Errorf("%d tensors, %v", len(f.Tensors), f.Metadata)
	}
	tensor := func(name string, shape []int) safetensors.Tensor {
		x, ok := f.Tensor(name)
		if !ok || !reflect.DeepEqual(x.Shape, shape) {
			t.Errorf("%s: %t, shape %v, want %v", name, ok, x.Shape, shape)
		}
		return x
	}
	if v, err := safetensors.Values[float32](tensor("weights", []int{2, 3})); err != nil || v[5] != 1.25 {
		t.Error(v, err)
	}
	if v, err := safetensors.Values[float64](tensor("bias", []int{2})); err != nil || v[0] != -1.5 {
		t.Error(v, err)
	}
	if v, err := safetensors.Values[int64](tensor("count", []int{})); err != nil || v[0] != 7 {
		t.Error(v, err)
	}
	if v, err := safetensors.Values[uint8](tensor("none", []int{0, 4})); err != nil || len(v) != 0 {
		t.Error(v, err)
	}
	if half := tensor("half", []int{2}); half.DType != "F16" || len(half.Data) != 4 {
		t.Error(half)
	}
}

func TestRoundTrip(t *testing.T) {
	a, err1 := safetensors.From("a", []complex64{1 + 2i, 3}, 1, 2)
	b, err2 := safetensors.From("b", []int16{-1, 300})
	c, err3 := safetensors.From("ünï \"quoted\"", []uint64{})
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	want := &safetensors.File{Tensors: []safetensors.Tensor{a, b, c}, Metadata: map[string]string{"k": "v"}}
	name := filepath.Join(t.TempDir(), "x.safetensors")
	for range 2 { // the second replaces the first
		if err := safetensors.WriteFile(name, want); err != nil {
			t.Fatal(err)
		}
	}
	got, err := safetensors.ReadFile(name)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
	if left, _ := os.ReadDir(filepath.Dir(name)); len(left) != 1 {
		t.Errorf("%d files are left", len(left))
	}
	text, _ := os.ReadFile(name)
	if n := binary.LittleEndian.Uint64(text); n%8 != 0 {
		t.Errorf("a header of %d bytes leaves the data unaligned", n)
	}
}

func TestWriteErrorsLeaveTheOldFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.safetensors")
	good, _ := safetensors.From("a", []float32{1})
	if err := safetensors.WriteFile(name, &safetensors.File{Tensors: []safetensors.Tensor{good}}); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(name)
	for _, bad := range [][]safetensors.Tensor{
		{good, good},
		{{Name: "__metadata__", DType: "F32", Shape: []int{0}}},
		{{Name: "short", DType: "F32", Shape: []int{2}, Data: make([]byte, 4)}},
		{{Name: "dtype", DType: "F31", Shape: []int{1}, Data: make([]byte, 4)}},
	} {
		if err := safetensors.WriteFile(name, &safetensors.File{Tensors: bad}); err == nil {
			t.Errorf("%v was written", bad)
		}
	}
	after, _ := os.ReadFile(name)
	left, _ := os.ReadDir(filepath.Dir(name))
	if !bytes.Equal(before, after) || len(left) != 1 {
		t.Errorf("%d files, changed: %t", len(left), !bytes.Equal(before, after))
	}
	if err := safetensors.WriteFile(filepath.Join(name, "below"), &safetensors.File{}); err == nil {
		t.Error("wrote below a file")
	}
}

// file is a header with data behind it.
func file(header string, data int) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), make([]byte, data)...)
}

func TestBadFiles(t *testing.T) {
	one := `{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`
	if _, err := safetensors.Parse(file(one, 4)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, want string
		bytes      []byte
	}{
		{"empty", "0 bytes are no file", nil},
		{"another format", "another kind of file", []byte("RIFF....WAVEfmt ................")},
		{"truncated header", "truncated", file(one, 4)[:20]},
		{"truncated data", "end by 3", file(one, 3)},
		{"more data", "end at byte 4 of 5", file(one, 5)},
		{"no object", "want a JSON object", file(`[]`, 0)},
		{"no JSON", "header", file(`{"a":`, 0)},
		{"behind", "behind the JSON object", file(`{} {}`, 0)},
		{"twice", `"a" comes twice`, file(`{"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}`, 0)},
		{"no offsets", "want dtype, shape and two", file(`{"a":{"dtype":"U8","shape":[0]}}`, 0)},
		{"three offsets", "want dtype, shape and two", file(`{"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0,0]}}`, 0)},
		{"metadata", "metadata", file(`{"__metadata__":{"a":1}}`, 0)},
		{"gap", "begin at 0", file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}}`, 2)},
		{"overlap", "begin at 4", file(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}}`, 6)},
		{"backwards", "begin at 0", file(`{"a":{"dtype":"U8","shape":[1],"data_offsets":[4,0]}}`, 4)},
		{"dtype", `dtype "F33" is not known`, file(strings.Replace(one, "F32", "F33", 1), 4)},
		{"shape", "4 bytes for F32 of shape [2]", file(strings.Replace(one, "[1]", "[2]", 1), 4)},
		{"negative", "negative dimension", file(strings.Replace(one, "[1]", "[-1]", 1), 4)},
		{"overflow", "too many elements", file(strings.Replace(one, "[1]", "[4611686018427387904,4611686018427387904]", 1), 4)},
		{"fraction", "header", file(strings.Replace(one, "[1]", "[1.5]", 1), 4)},
	} {
		if _, err := safetensors.Parse(c.bytes); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := safetensors.Parse(file(one, 4)[:20]); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error("a truncated file does not say so")
	}
	if _, err := safetensors.ReadFile("no such file"); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := safetensors.From("a", []int8{1, 2}, 3); err == nil {
		t.Error("2 values for 3 elements")
	}
	a, _ := safetensors.From("a", []int8{1, 2})
	if _, err := safetensors.Values[uint8](a); err == nil {
		t.Error("I8 read as U8")
	}
}

// What is read is written as it was, byte for byte of data.
func FuzzParse(f *testing.F) {
	golden, err := os.ReadFile("testdata/python.safetensors")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(golden)
	f.Add(file(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 4))
	f.Add(file(`{"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]},"__metadata__":{"x":"y"}}`, 1))
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := safetensors.Parse(b)
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := safetensors.Write(&out, x); err != nil {
			t.Fatal(err)
		}
		y, err := safetensors.Parse(out.Bytes())
		if err != nil || len(x.Tensors) != len(y.Tensors) {
			t.Fatalf("%d tensors, then %v", len(x.Tensors), err)
		}
		for i, a := range x.Tensors {
			if b := y.Tensors[i]; a.DType != b.DType || !bytes.Equal(a.Data, b.Data) || len(a.Shape) != len(b.Shape) {
				t.Errorf("%v became %v", a, b)
			}
		}
	})
}
