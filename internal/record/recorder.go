package main

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/twiddle-go/twiddle/nd"
)

// recorder computes cases on a device.
type recorder struct {
	ctx    context.Context
	device *nd.Device
	plans  string // where plans go, or ""
}

// all runs the cases of a selection, as many at a time as there are
// workers: on a GPU most of the time goes into compiling.
func (r *recorder) all(some selection, workers int) []row {
	var cases []testcase
	for _, family := range []func() []testcase{r.kinds, r.types, r.accumulations, r.transforms, r.pipelines, r.losses, r.mixers, r.factorisations, r.kernels, r.randomLines} {
		for _, c := range family() {
			if some.has(c.name) {
				cases = append(cases, c)
			}
		}
	}
	rows := make([]row, len(cases))
	var next atomic.Int64
	var done sync.WaitGroup
	for range workers {
		done.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(cases); i = int(next.Add(1)) - 1 {
				rows[i] = r.record(cases[i])
			}
		})
	}
	done.Wait()
	return rows
}

// testcase is something to compute, and what it is called in the file.
type testcase struct {
	name string
	make func() ([]*nd.Array, error)
}

// lazy is a case that cannot fail before it is evaluated.
func lazy(name string, arrays func() []*nd.Array) testcase {
	return testcase{name, func() ([]*nd.Array, error) { return arrays(), nil }}
}

// one is a case with one result.
func one(name string, array func() *nd.Array) testcase {
	return lazy(name, func() []*nd.Array { return []*nd.Array{array()} })
}

// record computes a case. What a device cannot compute has a row, too.
func (r *recorder) record(c testcase) row {
	sum := sha256.New()
	arrays, err := c.make()
	launches := 0
	if err == nil {
		launches, err = r.plan(c.name, arrays)
	}
	if err == nil {
		err = nd.Eval(r.ctx, arrays...)
	}
	for _, a := range arrays {
		if err == nil {
			err = digest(r.ctx, sum, a)
		}
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "record: %s: %v\n", c.name, err)
		return row{name: c.name, hash: "error"}
	}
	return row{c.name, hex.EncodeToString(sum.Sum(nil)[:12]), launches}
}

func (r *recorder) plan(name string, arrays []*nd.Array) (launches int, err error) {
	p, err := nd.Explain(arrays...)
	if err != nil {
		return 0, err
	}
	if r.plans != "" {
		file := filepath.Join(r.plans, strings.NewReplacer("/", "_", " ", "_").Replace(name)+".txt")
		err = os.WriteFile(file, []byte(p.String()), 0o644)
	}
	return p.Launches, err
}

// digest adds an array's shape, type and bits. All NaNs count as one: which of
// them an operation gives is not promised.
func digest(ctx context.Context, h hash.Hash, a *nd.Array) error {
	fmt.Fprint(h, a.DType(), a.Shape())
	switch a.DType() {
	case nd.Bool:
		return add(ctx, h, a, func(b []byte, v bool) []byte {
			if v {
				return append(b, 1)
			}
			return append(b, 0)
		})
	case nd.Uint8:
		return add(ctx, h, a, func(b []byte, v uint8) []byte { return append(b, v) })
	case nd.Int8:
		return add(ctx, h, a, func(b []byte, v int8) []byte { return append(b, byte(v)) })
	case nd.Int16:
		return add(ctx, h, a, func(b []byte, v int16) []byte { return binary.LittleEndian.AppendUint16(b, uint16(v)) })
	case nd.Int32:
		return add(ctx, h, a, func(b []byte, v int32) []byte { return binary.LittleEndian.AppendUint32(b, uint32(v)) })
	case nd.Int64:
		return add(ctx, h, a, func(b []byte, v int64) []byte { return binary.LittleEndian.AppendUint64(b, uint64(v)) })
	case nd.Uint32:
		return add(ctx, h, a, binary.LittleEndian.AppendUint32)
	case nd.Float16, nd.BFloat16:
		return digest(ctx, h, a.Cast(nd.Float32))
	case nd.Float32:
		return add(ctx, h, a, appendFloat32)
	case nd.Float64:
		return add(ctx, h, a, appendFloat64)
	case nd.Complex64:
		return add(ctx, h, a, func(b []byte, v complex64) []byte { return appendFloat32(appendFloat32(b, real(v)), imag(v)) })
	case nd.Complex128:
		return add(ctx, h, a, func(b []byte, v complex128) []byte { return appendFloat64(appendFloat64(b, real(v)), imag(v)) })
	}
	return fmt.Errorf("no digest of %s", a.DType())
}

func appendFloat32(b []byte, v float32) []byte {
	if v != v {
		v = float32(math.NaN())
	}
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
}

func appendFloat64(b []byte, v float64) []byte {
	if v != v {
		v = math.NaN()
	}
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
}

func add[T nd.Element](ctx context.Context, h hash.Hash, a *nd.Array, put func([]byte, T) []byte) error {
	values, err := nd.Slice[T](ctx, a)
	if err != nil {
		return err
	}
	var b []byte
	for _, v := range values {
		b = put(b, v)
	}
	h.Write(b)
	return nil
}

// floats is noise on the host, the same for every device, moved to this one.
func (r *recorder) floats(seed uint64, shape ...int) *nd.Array {
	source := rand.New(rand.NewPCG(seed, 17))
	n := 1
	for _, d := range shape {
		n *= d
	}
	data := make([]float32, n)
	for i := range data {
		data[i] = 4*source.Float32() - 2
	}
	return nd.From(data, shape...).On(r.device.Stream())
}

// complexes is noise with an imaginary part.
func (r *recorder) complexes(seed uint64, shape ...int) *nd.Array {
	return nd.Complex(r.floats(seed, shape...), r.floats(seed+1000, shape...))
}

// indices is places below n.
func (r *recorder) indices(seed uint64, n int, shape ...int) *nd.Array {
	return r.floats(seed, shape...).MulScalar(1e3).Abs().Floor().Cast(nd.Int32).RemScalar(n)
}

// stored evaluates operands, so that a case begins at memory.
func (r *recorder) stored(arrays ...*nd.Array) []*nd.Array {
	if err := nd.Eval(r.ctx, arrays...); err != nil {
		fmt.Fprintln(os.Stderr, "record: operands:", err)
	}
	return arrays
}

// withGradients is a loss of some arrays, made by their squares, and its
// gradients.
func withGradients(y *nd.Array, by ...*nd.Array) []*nd.Array {
	if !y.DType().IsFloat() && !y.DType().IsComplex() {
		return []*nd.Array{y}
	}
	value, grads := nd.ValueAndGrad(y.AbsSquared().Mean(), by...)
	return append([]*nd.Array{y, value}, grads...)
}
