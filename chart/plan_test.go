package chart

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

// A launch begins when its stream is free and what it waits for has ended.
func TestPlanPlaces(t *testing.T) {
	r := planRows{steps: []nd.PlanStep{
		{Stream: 0, PredictedNs: 5},
		{Stream: 1, PredictedNs: 20},
		{Stream: 0, PredictedNs: 5},
		{Stream: 0, PredictedNs: 1, Waits: []int{1}},
	}}
	if last := r.place(); last != 21 || !slices.Equal(r.start, []float64{0, 0, 5, 20}) {
		t.Errorf("starts %v, the last end %v", r.start, last)
	}
}

func TestPlan(t *testing.T) {
	other, err := nd.CPU().NewStream()
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	x := nd.Uniform(1, nd.Float32, 64, 4096)
	if err := nd.Eval(t.Context(), x); err != nil {
		t.Fatal(err)
	}
	a := x.RFFT().AbsSquared().Sum(0)
	b := x.On(other).Sort(-1).CumSum(-1)
	y := a.Sort(0).Add(b.SliceAxis(1, nd.Range{Stop: 2049}).Sum(0).On(nd.CPU().Stream()))
	p, err := nd.Explain(y)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if keep := os.Getenv("TWIDDLE_PICTURES"); keep != "" {
		dir = keep
	}
	if err := (Plan{Title: "two streams"}).Save(filepath.Join(dir, "chart-plan.png"), p); err != nil {
		t.Error(err)
	}
	svg := filepath.Join(dir, "chart-plan.svg")
	if err := (Plan{}).Save(svg, p); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(svg); err != nil || strings.Count(string(text), "sort") < 2 || !strings.Contains(string(text), "predicted time in") {
		t.Errorf("%v:\n%s", err, text)
	}
	loud := filepath.Join(dir, "chart-plan.SVG")
	if err := (Plan{}).Save(loud, p); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(loud); err != nil || !strings.HasPrefix(string(text), "<?xml") {
		t.Errorf("%s is no SVG file: %v", loud, err)
	}
	if err := (Plan{}).Save(filepath.Join(dir, "none.png"), &nd.Plan{}); err != nil {
		t.Error(err)
	}
	for _, bad := range []nd.PlanStep{{PredictedNs: -1}, {PredictedNs: math.Inf(1)}, {Waits: []int{0}}, {Waits: []int{-1}}, {Stream: -1}} {
		if (Plan{}).Save(svg, &nd.Plan{Steps: []nd.PlanStep{bad}}) == nil {
			t.Errorf("%+v is no error", bad)
		}
	}
	if (Plan{}).Save(svg, nil) == nil || (Plan{}).Save("a.gif", p) == nil || (Plan{Size: Size{Width: 1}}).Save(svg, p) == nil {
		t.Error("bad arguments are no errors")
	}
}
