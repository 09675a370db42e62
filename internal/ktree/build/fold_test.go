package build

import (
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/internal/ktree"
)

func TestRangesDecide(t *testing.T) {
	k := NewKernel("k", 256)
	tid := k.Thread()
	for _, c := range []struct {
		name string
		got  Val
		want int64 // -1: not a number
	}{
		{"quotient beyond the threads", tid.Div(256), 0},
		{"quotient of the lane", tid.Rem(32).Div(32), 0},
		{"quotient inside", tid.Div(64), -1},
		{"sum", tid.Add(1).Div(257), 0},
		{"sum that reaches", tid.Add(1).Div(256), -1},
		{"comparison", tid.Lt(256), 1},
		{"comparison the other way", tid.Ge(256), 0},
		{"comparison inside", tid.Lt(255), -1},
		{"difference may wrap", tid.Sub(1).Lt(256), -1},
		{"signed difference", tid.To(ktree.Int).Sub(256).Lt(0), 1},
		{"named", k.Let("lane", tid.And(31)).Div(32), 0},
		{"least", Min(tid, 31).Div(32), 0},
		{"least that reaches", Min(tid, 32).Div(32), -1},
		{"greatest", Max(tid, 300).Sub(300).Div(256), 0},
		{"named within bounds", k.LetIn("near", tid.Xor(1), 0, 31).Div(32), 0},
		{"product of numbers", Int(ktree.Int, 6).Mul(7), 42},
	} {
		n, ok := c.got.Known()
		if !ok {
			n = -1
		}
		if n != c.want {
			t.Errorf("%s: %d, want %d", c.name, n, c.want)
		}
	}
}

func TestSignsAndZerosAreData(t *testing.T) {
	k := NewKernel("k", 32)
	f := ktree.Scalar(ktree.Float)
	x, y := k.Number("x", f), k.Number("y", f)
	same := func(name string, got, want Val) {
		if got.E != want.E {
			t.Errorf("%s: not folded", name)
		}
	}
	op := func(v Val) ktree.Op {
		switch e := v.E.(type) {
		case *ktree.Binary:
			return e.Op
		case *ktree.Unary:
			return e.Op
		}
		return 99
	}
	same("twice negative", x.Neg().Neg(), x)
	same("nothing added", x.Add(Zero(ktree.Float)), x)
	same("product of negatives", Val{x.Neg().Mul(y.Neg()).E.(*ktree.Binary).X}, x)
	if op(x.Add(y.Neg())) != ktree.Sub || op(x.Sub(y.Neg())) != ktree.Add || op(x.Neg().Mul(y)) != ktree.Neg {
		t.Error("signs did not meet the operator")
	}
	if !x.Mul(Zero(ktree.Float)).IsZero() {
		t.Error("a product with nothing is something")
	}
	if x.Mul(0.0).IsZero() || op(x.Add(0.0)) != ktree.Add {
		t.Error("the number 0.0 was taken for nothing: infinities and signs are lost")
	}
	if op(x.Sub(x)) != ktree.Sub {
		t.Error("x - x is not 0 for infinities")
	}
}

// What is made at the start comes before the rest, in its order.
func TestAtStart(t *testing.T) {
	k := NewKernel("k", 32)
	n := k.Number("n", ktree.Scalar(ktree.Int))
	k.Let("late", n.Add(1))
	k.If(n.Gt(0), func() {
		k.AtStart(func() { k.Let("first", n.Mul(2)) })
		k.AtStart(func() { k.Let("second", n.Mul(3)) })
	})
	var names []string
	for _, s := range k.Program().Body {
		if d, ok := s.(*ktree.Decl); ok {
			names = append(names, d.Var.Name)
		}
	}
	if want := []string{"first", "second", "late"}; !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
}

// What was rounded to a half is stored as that half: rounding it again changes
// nothing, and costs as much.
func TestRoundedOnce(t *testing.T) {
	k := NewKernel("rounded", 32)
	x := k.Var("x", Float(ktree.Float, 1))
	for _, half := range []ktree.Kind{ktree.Half, ktree.Bfloat} {
		rounded := k.Let("r", x.To(half).To(ktree.Float))
		if rounded.Kind() != ktree.Float {
			t.Errorf("a rounded float is a %v", rounded.Kind())
		}
		if r, ok := rounded.To(half).E.(*ktree.Ref); !ok || r.Var.Type.Kind != half {
			t.Errorf("%v is rounded again: %T", half, rounded.To(half).E)
		}
		other := ktree.Half + ktree.Bfloat - half
		if _, ok := rounded.To(other).E.(*ktree.Convert); !ok {
			t.Errorf("%v is taken for %v", half, other)
		}
	}
}
