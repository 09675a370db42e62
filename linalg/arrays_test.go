package linalg_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

// rounded shows a small matrix, or vector, in three decimals.
func rounded(a *nd.Array) string {
	v, err := nd.Slice[float64](context.Background(), a.Cast(nd.Float64))
	if err != nil {
		return err.Error()
	}
	for i := range v {
		v[i] = math.Round(v[i]*1000)/1000 + 0
	}
	if a.NDim() != 2 {
		return fmt.Sprint(v)
	}
	var rows [][]float64
	for r := range slices.Chunk(v, a.Dim(1)) {
		rows = append(rows, r)
	}
	return fmt.Sprint(rows)
}

// equal wants the same elements, NaN included.
func equal(t *testing.T, got, want *nd.Array) {
	t.Helper()
	g, w := read(t, got), read(t, want)
	if !slices.Equal(got.Shape(), want.Shape()) {
		t.Fatalf("shape %v, want %v", got.Shape(), want.Shape())
	}
	for i := range g {
		if math.Float64bits(g[i]) != math.Float64bits(w[i]) {
			t.Fatalf("element %d is %g, want %g", i, g[i], w[i])
		}
	}
}

func read(t testing.TB, a *nd.Array) []float64 {
	t.Helper()
	v, err := nd.Slice[float64](context.Background(), a.Cast(nd.Float64))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// matrices3 stacks matrices with equally many columns.
func matrices3(list ...mat) mat {
	out := mat{0, list[0].n, nil}
	for _, a := range list {
		out.m += a.m
		out.v = append(out.v, a.v...)
	}
	return out
}
