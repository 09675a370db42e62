// Command peersuite serves Twiddle's functions to a Python process, so that the
// installed tests of SciPy and NumPy run against them: see README.md.
//
// A request on standard input is a length, a JSON object and the bytes of arrays;
// so is the answer on standard output.
package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/twiddle-go/twiddle/nd"
)

type head struct {
	DType string `json:"dtype"`
	Shape []int  `json:"shape"`
}

type request struct {
	Op     string         `json:"op"`
	Args   map[string]any `json:"args"`
	Arrays []head         `json:"arrays"`

	in []*nd.Array
}

type answer struct {
	Error  string `json:"error,omitempty"`
	Arrays []head `json:"arrays,omitempty"`
}

func main() {
	in, out := bufio.NewReaderSize(os.Stdin, 1<<20), bufio.NewWriterSize(os.Stdout, 1<<20)
	for {
		r, err := read(in)
		if err == io.EOF {
			return
		}
		if err == nil {
			err = reply(out, r)
		}
		if err == nil {
			err = out.Flush()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "peersuite:", err)
			os.Exit(1)
		}
	}
}

func read(in io.Reader) (*request, error) {
	var size uint32
	if err := binary.Read(in, binary.LittleEndian, &size); err != nil {
		return nil, err
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(in, text); err != nil {
		return nil, err
	}
	r := &request{}
	if err := json.Unmarshal(text, r); err != nil {
		return nil, err
	}
	for _, h := range r.Arrays {
		n := 1
		for _, d := range h.Shape {
			n *= d
		}
		a, err := readArray(in, h, n)
		if err != nil {
			return nil, err
		}
		r.in = append(r.in, a)
	}
	return r, nil
}

func readArray(in io.Reader, h head, n int) (*nd.Array, error) {
	switch h.DType {
	case "float32":
		return elements[float32](in, h, n)
	case "float64":
		return elements[float64](in, h, n)
	case "complex64":
		return elements[complex64](in, h, n)
	case "complex128":
		return elements[complex128](in, h, n)
	}
	return nil, fmt.Errorf("arrays of %s", h.DType)
}

func elements[T nd.Element](in io.Reader, h head, n int) (*nd.Array, error) {
	v := make([]T, n)
	if err := binary.Read(in, binary.LittleEndian, v); err != nil {
		return nil, err
	}
	return nd.From(v, h.Shape...), nil
}

func reply(out io.Writer, r *request) error {
	arrays, err := compute(r)
	a := answer{}
	var body [][]byte
	for _, x := range arrays {
		if err != nil {
			break
		}
		var b []byte
		if b, err = bytesOf(x); err == nil {
			a.Arrays = append(a.Arrays, head{x.DType().String(), x.Shape()})
			body = append(body, b)
		}
	}
	if err != nil {
		a, body = answer{Error: err.Error()}, nil
	}
	text, err := json.Marshal(a)
	if err != nil {
		return err
	}
	if err := binary.Write(out, binary.LittleEndian, uint32(len(text))); err != nil {
		return err
	}
	if _, err := out.Write(text); err != nil {
		return err
	}
	for _, b := range body {
		if _, err := out.Write(b); err != nil {
			return err
		}
	}
	return nil
}

// compute runs an operation; a panic is its error.
func compute(r *request) (out []*nd.Array, err error) {
	defer func() {
		if p := recover(); p != nil {
			out, err = nil, fmt.Errorf("panic: %v", p)
		}
	}()
	op, ok := ops[r.Op]
	if !ok {
		return nil, fmt.Errorf("no operation %q", r.Op)
	}
	if out, err = op(r); err != nil {
		return nil, err
	}
	for _, a := range out {
		if a.Err() != nil {
			return nil, a.Err()
		}
	}
	return out, nd.Eval(context.Background(), out...)
}

func bytesOf(a *nd.Array) ([]byte, error) {
	ctx := context.Background()
	var v any
	var err error
	switch a.DType() {
	case nd.Float32:
		v, err = nd.Slice[float32](ctx, a)
	case nd.Float64:
		v, err = nd.Slice[float64](ctx, a)
	case nd.Complex64:
		v, err = nd.Slice[complex64](ctx, a)
	case nd.Complex128:
		v, err = nd.Slice[complex128](ctx, a)
	default:
		err = fmt.Errorf("a result of %s", a.DType())
	}
	if err != nil {
		return nil, err
	}
	return binary.Append(nil, binary.LittleEndian, v)
}

// Arguments by name, zero where they are not given.

func (r *request) number(name string) float64 {
	switch v := r.Args[name].(type) {
	case float64:
		return v
	case string: // JSON has no words for these
		return map[string]float64{"inf": math.Inf(1), "-inf": math.Inf(-1), "nan": math.NaN()}[v]
	}
	return 0
}

func (r *request) int(name string) int     { return int(r.number(name)) }
func (r *request) text(name string) string { s, _ := r.Args[name].(string); return s }
func (r *request) flag(name string) bool   { b, _ := r.Args[name].(bool); return b }
func (r *request) given(name string) bool  { return r.Args[name] != nil }

func (r *request) ints(name string) []int {
	list, ok := r.Args[name].([]any)
	if !ok {
		return nil
	}
	out := []int{}
	for _, v := range list {
		f, _ := v.(float64)
		out = append(out, int(f))
	}
	return out
}

// axis is the axis of an operation along one, the last if it is not given.
func (r *request) axis() nd.AxisChoice {
	if !r.given("axis") {
		return nd.AxisChoice{}
	}
	return nd.Axis(r.int("axis"))
}

// floats is an array of an operation on the host.
func (r *request) floats(i int) ([]float64, error) {
	return nd.Slice[float64](context.Background(), r.in[i].Cast(nd.Float64))
}

// complexes is floats for complex numbers.
func (r *request) complexes(i int) ([]complex128, error) {
	return nd.Slice[complex128](context.Background(), r.in[i].Cast(nd.Complex128))
}
