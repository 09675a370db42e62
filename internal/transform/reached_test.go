package transform

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/butterfly"
)

// Every generated kernel is called by a plan of a recipe that may be chosen. Kernels are
// replaced by functions that only take note, so no level has to be there.
func TestEveryKernelIsReached(t *testing.T) {
	var levels []simd.Level
	for _, l := range []simd.Level{simd.NEON, simd.AVX2, simd.AVX512} {
		if kernel, _ := butterfly.Lead[float32](l, butterfly.LeadKind{Radix: butterfly.Lanes(l, 32)}); kernel != nil {
			levels = append(levels, l)
		}
	}
	if len(levels) == 0 {
		t.Skip("no vector kernels on " + runtime.GOARCH)
	}
	calls := called{}
	for _, level := range levels {
		reach[float32, complex64](t, calls, level)
		reach[float64, complex128](t, calls, level)
	}
	files, err := filepath.Glob("../simd/butterfly/z*_" + runtime.GOARCH + ".go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no generated files: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func (\w+)\(`).FindAllSubmatch(text, -1) {
			if name := string(m[1]); !calls[name] {
				t.Errorf("%s: no plan calls %s", filepath.Base(file), name)
			}
		}
	}
}

// inTurn runs parts one after the other.
var inTurn = Parallel{2, func(tasks int, run func(int)) {
	for i := range tasks {
		run(i)
	}
}}

// called are the names of kernels that were.
type called map[string]bool

// reach runs plans of a type and a level.
func reach[R Float, C Complex](t *testing.T, calls called, level simd.Level) {
	lengths := []int{1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 16, 1 << 18, 1009, 2500, 3125, 5000, 59049, 44100, 5488, 38443, 16807, 2197, 3375, 1 << 15 * 3, 14064, 20011, 49938, 65537, 161051, 384, 512, 768, 1280, 1536, 3072, 5040, 22050, 600, 648, 1144, 1176}
	for n := 1; n <= 264; n++ {
		lengths = append(lengths, n)
	}
	const count = 40 // enough for lines side by side and in columns
	room := slices.Max(lengths) + count*600
	dst, src, scratch := make([]C, 2*room), make([]C, 2*room), make([]C, 8*room)
	reals := unsafe.Slice((*R)(unsafe.Pointer(&src[0])), 2*len(src))
	for _, n := range lengths {
		target := Target[C](level)
		for _, r := range append(recipe.Candidates(n, target, 4), recipe.Alone(n, target)) {
			p, err := New[C](r, level)
			if err != nil {
				t.Fatal(err)
			}
			p.columnBundles()
			calls.listen(p)
			p.Forward(dst, src, scratch)
			p.Inverse(dst, src, scratch)
			p.Columns(dst, src, scratch, 1, 1, 1, false)
			if n <= 264 {
				p.Batch(dst, src, scratch, count, n, n, false)
				for _, columns := range []int{2, 3, 5, 8, count} {
					p.Columns(dst, src, scratch, columns, count, count, false)
				}
			}
			if h := p.Halved(); h != nil {
				calls.listen(h)
				h.Forward(dst, src, scratch)
			}
			lines := []*recipe.Recipe{recipe.Pack(2*n, r)}
			if n%2 == 1 {
				lines = append(lines, r)
			}
			for _, r := range lines {
				q, err := NewReal[R, C](r, level)
				if err != nil {
					t.Fatal(err)
				}
				if q, err = q.Alone(); err != nil {
					t.Fatal(err)
				}
				calls.listen(q)
				q.Forward(dst, reals, scratch)
				q.ForwardBatch(dst, reals, scratch, 1, q.Bins(), q.Len())
				if n <= 264 {
					q.ForwardBatch(dst, reals, scratch, count, q.Bins(), q.Len())
					q.InverseBatch(reals, dst, scratch, count, q.Len(), q.Bins())
				}
				q.ForwardParallel(dst, reals, make([]C, q.ParallelScratchLen()), inTurn)
				q.Inverse(reals, dst, scratch)
				if h := q.Halved(); h != nil {
					calls.listen(h)
					h.Forward(dst, reals, scratch)
				}
			}
			for _, inverse := range []bool{false, true} {
				if b := NewRealBeside[R](2*n, 4*butterfly.Lanes(level, 64), r, level, inverse, 1); b != nil && n <= 264 {
					calls.listen(b)
					b.Run(unsafe.Pointer(&src[0]), unsafe.Pointer(&dst[0]), unsafe.Pointer(&dst[room]), aligned(unsafe.Pointer(&scratch[0])))
				}
			}
		}
	}
}

// listen replaces the kernels that a plan points at.
func (c called) listen(plan any) {
	seen := map[unsafe.Pointer]bool{}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() && !seen[v.UnsafePointer()] {
				seen[v.UnsafePointer()] = true
				walk(v.Elem())
			}
		case reflect.Interface:
			walk(v.Elem())
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Func:
			if !v.IsNil() {
				c.replace(v)
			}
		}
	}
	walk(reflect.ValueOf(plan))
}

func (c called) replace(v reflect.Value) {
	name := runtime.FuncForPC(v.Pointer()).Name()
	name = strings.TrimSuffix(name[strings.LastIndex(name, ".")+1:], ".abi0")
	switch at := unsafe.Pointer(v.UnsafeAddr()); v.Type() {
	case reflect.TypeFor[butterfly.Kernel]():
		if !strings.HasPrefix(name, "func") { // not one of ours
			*(*butterfly.Kernel)(at) = func(*butterfly.Pass, unsafe.Pointer, unsafe.Pointer, unsafe.Pointer, unsafe.Pointer, float64) {
				c[name] = true
			}
		}
	case reflect.TypeFor[butterfly.RealKernel]():
		*(*butterfly.RealKernel)(at) = func(_, _, _, _ unsafe.Pointer, _, _, _ int, _ float64) { c[name] = true }
	}
}
