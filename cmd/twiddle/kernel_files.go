package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/nd"
)

var elementTypes = []nd.DType{nd.Bool, nd.Uint8, nd.Int8, nd.Int16, nd.Int32, nd.Int64, nd.Uint32, nd.Float16, nd.BFloat16,
	nd.Float32, nd.Float64, nd.Complex64, nd.Complex128}

// elementType finds an element type by name.
func elementType(name string) (nd.DType, bool) {
	for _, t := range elementTypes {
		if t.String() == name {
			return t, true
		}
	}
	return 0, false
}

// noElementType is the error of a flag with the name of no element type.
func noElementType(flag, text, name string) error {
	var names []string
	for _, t := range elementTypes {
		names = append(names, t.String())
	}
	return usagef("%s %q: no dtype %q%s: want one of %s", flag, text, name, choice.Hint(name, names), strings.Join(names, ", "))
}

// arrayFromFile is a file's content with the element type it has: a kernel is compiled
// for that, so none is made wider.
func arrayFromFile(a *npy.Array) (*nd.Array, error) {
	if _, ok := elementType(a.DType.String()); !ok {
		return nil, fmt.Errorf("elements are %v, which arrays cannot hold", a.DType)
	}
	return a.Array()
}

// arrayToFile is an array as a file, and its first elements in words. bfloat16,
// which NumPy does not have, becomes float32.
func arrayToFile(ctx context.Context, a *nd.Array) (*npy.Array, string, error) {
	switch a.DType() {
	case nd.Bool:
		return fileOf[bool](ctx, a)
	case nd.Uint8:
		return fileOf[uint8](ctx, a)
	case nd.Int8:
		return fileOf[int8](ctx, a)
	case nd.Int16:
		return fileOf[int16](ctx, a)
	case nd.Int32:
		return fileOf[int32](ctx, a)
	case nd.Int64:
		return fileOf[int64](ctx, a)
	case nd.Uint32:
		return fileOf[uint32](ctx, a)
	case nd.Float64:
		return fileOf[float64](ctx, a)
	case nd.Complex64:
		return fileOf[complex64](ctx, a)
	case nd.Complex128:
		return fileOf[complex128](ctx, a)
	case nd.Float16:
		values, err := nd.Slice[nd.F16](ctx, a)
		if err != nil {
			return nil, "", err
		}
		halves := make([]npy.Half, len(values))
		shown := make([]float32, len(values))
		for i, v := range values {
			halves[i], shown[i] = npy.Half(v), v.Float32()
		}
		f, err := npy.From(halves, a.Shape()...)
		return f, few(shown), err
	}
	return fileOf[float32](ctx, a.Cast(nd.Float32))
}

func fileOf[T interface {
	npy.Element
	nd.Element
}](ctx context.Context, a *nd.Array) (*npy.Array, string, error) {
	values, err := nd.Slice[T](ctx, a)
	if err != nil {
		return nil, "", err
	}
	f, err := npy.From(values, a.Shape()...)
	return f, few(values), err
}

// few shows the first elements.
func few[T any](values []T) string {
	const most = 6
	var parts []string
	for _, v := range values[:min(len(values), most)] {
		form := "%v"
		switch any(v).(type) {
		case float32, float64, complex64, complex128:
			form = "%.6v"
		}
		parts = append(parts, fmt.Sprintf(form, v))
	}
	if len(values) > most {
		parts = append(parts, "...")
	}
	return "[" + strings.Join(parts, " ") + "]"
}
