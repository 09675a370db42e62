package nd_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

// TestBadArrays calls every method of Array, and every function that takes
// Arrays, with nil and zero Arrays and with one that carries an error: nothing
// panics, and the error is the first one.
func TestBadArrays(t *testing.T) {
	good := nd.Ones(nd.Float32, 2, 2)
	failed := good.Sum(9)
	bad := map[string]*nd.Array{"nil": nil, "zero": new(nd.Array), "failed": failed}
	check := func(t *testing.T, call string, result any) {
		a, ok := result.(*nd.Array)
		if !ok {
			return // asks something of an Array, and need only not panic
		}
		err := a.Err()
		if err == nil {
			t.Errorf("%s: no error", call)
		}
		if strings.Contains(call, "failed") && err != failed.Err() {
			t.Errorf("%s: %v, want the error of the operand", call, err)
		}
	}
	kind := reflect.TypeFor[*nd.Array]()
	for name, b := range bad {
		for i := range kind.NumMethod() {
			m := kind.Method(i)
			for position := range m.Type.NumIn() {
				if m.Type.In(position) != kind {
					continue
				}
				// The bad Array in one place, good ones in the others, zero
				// values of everything else.
				args := []reflect.Value{}
				for k := range m.Type.NumIn() {
					switch {
					case m.Type.IsVariadic() && k == m.Type.NumIn()-1:
					case k == position:
						args = append(args, reflect.ValueOf(b))
					case m.Type.In(k) == kind:
						args = append(args, reflect.ValueOf(good))
					default:
						args = append(args, reflect.Zero(m.Type.In(k)))
					}
				}
				call := fmt.Sprintf("%s as operand %d of %s", name, position, m.Name)
				for _, r := range m.Func.Call(args) {
					check(t, call, r.Interface())
				}
			}
		}
		for call, a := range map[string]*nd.Array{
			"Where 0":  nd.Where(b, good, good),
			"Where 1":  nd.Where(good, b, good),
			"Where 2":  nd.Where(good, good, b),
			"Complex":  nd.Complex(good, b),
			"Concat":   nd.Concat(0, good, b),
			"Stack":    nd.Stack(0, b, good),
			"Split":    nd.Split(b, 2, 0)[0],
			"FullLike": nd.FullLike(b, 1),
		} {
			check(t, name+" in "+call, a)
		}
	}
}

func TestOpError(t *testing.T) {
	x := nd.Zeros(nd.Float32, 8, 64)
	y := nd.Zeros(nd.Float32, 3)
	sum := x.Add(y) // the site of the error
	var e *nd.OpError
	if err := sum.Exp().Mean().Err(); !errors.As(err, &e) {
		t.Fatalf("error is %v", err)
	}
	if e.Op != "add" || !reflect.DeepEqual(e.Shapes, [][]int{{8, 64}, {3}}) {
		t.Errorf("op %q, shapes %v", e.Op, e.Shapes)
	}
	if !strings.Contains(e.Site, "array_test.go:") {
		t.Errorf("site %q is not the caller's", e.Site)
	}
	if sum.Shape() != nil || sum.NDim() != 0 || sum.Len() != 0 || sum.DType().Valid() || sum.Dim(0) != 0 {
		t.Error("an Array with an error has a shape")
	}
	// Operations made of others name themselves and the caller.
	if err := x.Var(5).Err(); !errors.As(err, &e) || e.Op != "var" || !strings.Contains(e.Site, "array_test.go:") {
		t.Errorf("var: %v", err)
	}
	var size *nd.SizeError
	if err := nd.Zeros(nd.Float32, -1).Err(); !errors.As(err, &size) || !size.Negative {
		t.Errorf("negative size: %v", err)
	}
	if err := nd.Zeros(nd.Float32, math.MaxInt, 8).Err(); !errors.As(err, &size) || size.Negative {
		t.Errorf("huge size: %v", err)
	}
}

func TestArray(t *testing.T) {
	x := nd.Zeros(nd.Float32, 8, 64)
	if x.NDim() != 2 || x.Len() != 512 || x.Dim(0) != 8 || x.Dim(-1) != 64 || x.Dim(2) != 0 || x.Dim(-3) != 0 {
		t.Error("dimensions are wrong")
	}
	x.Shape()[0] = 1
	if x.Dim(0) != 8 {
		t.Error("Shape is not a copy")
	}
	if got := x.String(); got != "Array(float32 [8 64], not evaluated)" {
		t.Errorf("String = %q", got)
	}
	if got := (*nd.Array)(nil).String(); got != "Array(error: nd: nil Array)" {
		t.Errorf("String of nil = %q", got)
	}
	// What the caller keeps may change without the Array changing.
	dims := []int{2, 3}
	y := nd.Zeros(nd.Float32, dims...)
	z := y.BroadcastTo(dims...)
	dims[0] = 7
	if y.Dim(0) != 2 || z.Dim(0) != 2 {
		t.Error("an Array keeps its caller's shape")
	}
}

func TestKeys(t *testing.T) {
	seen := map[nd.Key]bool{42: true}
	for _, k := range nd.Key(42).Split(100) {
		if seen[k] {
			t.Fatalf("key %d comes twice", k)
		}
		seen[k] = true
	}
	if nd.Key(42).Split(100)[7] != nd.Key(42).Fold(7) {
		t.Error("Split and Fold disagree")
	}
	if nd.Key(42).Fold(7) == nd.Key(43).Fold(7) {
		t.Error("keys fold to the same")
	}
	if len(nd.Key(1).Split(-1)) != 0 {
		t.Error("a negative number of keys")
	}
}

// TestBuildingIsLight guards what a user pays for every operation.
func TestBuildingIsLight(t *testing.T) {
	x := nd.Zeros(nd.Float32, 8, 64)
	for name, tt := range map[string]struct {
		build func() *nd.Array
		most  float64
	}{
		"exp":        {func() *nd.Array { return x.Exp() }, 3},
		"add":        {func() *nd.Array { return x.Add(x) }, 3},
		"add scalar": {func() *nd.Array { return x.AddScalar(1.5) }, 4},
		"transpose":  {func() *nd.Array { return x.Transpose() }, 6},
		"sum":        {func() *nd.Array { return x.Sum(1) }, 7},
	} {
		if got := testing.AllocsPerRun(100, func() { tt.build() }); got > tt.most {
			t.Errorf("%s: %v allocations, want at most %v", name, got, tt.most)
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	x := nd.Zeros(nd.Float32, 8, 64)
	b.ReportAllocs()
	//twiddle:ignore TW011 the cost of building the graph is what it measures
	for b.Loop() {
		x.Add(x)
	}
}

func BenchmarkAddScalar(b *testing.B) {
	x := nd.Zeros(nd.Float32, 8, 64)
	b.ReportAllocs()
	//twiddle:ignore TW011 the cost of building the graph is what it measures
	for b.Loop() {
		x.AddScalar(1.5)
	}
}
