package nd

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
)

func TestExplainFusion(t *testing.T) {
	planForTwoCores(t)
	x := From(make([]float32, 64*1024), 64, 1024)
	y := From(make([]float32, 64*1024), 64, 1024)
	e := x.Sub(x.Max(1).ExpandDims(1)).Exp()
	z := x.Exp()
	for _, c := range []struct {
		name   string
		arrays []*Array
		want   string // program and label of every step
	}{
		{"chain", []*Array{x.Add(y).MulScalar(2).Exp()}, "map add+mul+exp"},
		{"mean", []*Array{x.Mean()}, "reduce sum+mul"},
		{"norm", []*Array{x.Norm(1)}, "reduce abs_squared+sum+sqrt"},
		{"variance", []*Array{x.Var(1)}, "reduce sum+div; reduce sub+abs_squared+sum+div"},
		{"softmax stores what is expensive", []*Array{e.Div(e.Sum(1).ExpandDims(1))},
			"reduce max; map sub+exp; reduce sum; map div"},
		{"cheap operand of two passes", []*Array{x.Neg().Sum(), x.Neg().AddScalar(1).Max()},
			"reduce neg+sum; reduce neg+add+max"},
		{"siblings", []*Array{z.AddScalar(1), z.MulScalar(2)}, "map exp, add, mul"},
		{"through views", []*Array{x.Transpose().Add(y.Reshape(1024, 64)).Slice(Range{Start: 0, Stop: 10})}, "map add"},
		{"concatenation", []*Array{Concat(0, x.Exp(), y.Neg())}, "map exp+concat; map neg+concat"},
		{"random numbers are not stored", []*Array{Uniform(Key(1), Float32, 1000).Sum()}, "reduce rand_uniform+sum"},
		{"views alone", []*Array{x.Transpose(), y.Slice(Range{Start: 3, Stop: 9, Step: 2})}, ""},
		{"product", []*Array{x.MatMul(y.Transpose()).AddScalar(1)}, "gemm matmul; map add"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Explain(c.arrays...)
			if err != nil {
				t.Fatal(err)
			}
			var steps []string
			for _, s := range p.Steps {
				steps = append(steps, s.Program+" "+s.Label)
			}
			if got := strings.Join(steps, "; "); got != c.want {
				t.Errorf("steps %q, want %q\n%s", got, c.want, p)
			}
			if p.Launches != len(p.Steps) || p.Launches > p.Unfused.Launches || p.DeviceTrafficBytes > p.Unfused.DeviceTrafficBytes {
				t.Errorf("profile %v, unfused %v", p.Profile, p.Unfused)
			}
		})
	}
}

func TestExplainForms(t *testing.T) {
	s := newStreams(t, 1)[0]
	x := From(make([]float32, 1<<12))
	p, err := Explain(x.Sort(0).On(s).Exp())
	if err != nil {
		t.Fatal(err)
	}
	if p.Launches != 2 || p.SyncPoints != 2 || p.HostOutputBytes != 4<<12 || p.DeviceTrafficBytes != 4*4<<12 || p.PredictedNs <= 0 {
		t.Errorf("profile %v", p.Profile)
	}
	text := p.String()
	for _, want := range []string{"2 launches", "waits for steps [0]", "stored in place: output", "unfused:"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	b, err := p.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var decoded struct {
		Launches           int     `json:"launches"`
		SyncPoints         int     `json:"sync_points"`
		HostOutputBytes    int     `json:"host_output_bytes"`
		DeviceTrafficBytes int     `json:"device_traffic_bytes"`
		PredictedNs        float64 `json:"predicted_ns"`
		Steps              []struct{ Program, Why string }
	}
	if err := json.Unmarshal(b, &decoded); err != nil {
		t.Fatal(err)
	}
	if decoded.Launches != 2 || decoded.SyncPoints != 2 || decoded.HostOutputBytes != p.HostOutputBytes ||
		decoded.DeviceTrafficBytes != p.DeviceTrafficBytes || decoded.PredictedNs != p.PredictedNs ||
		len(decoded.Steps) != 2 || decoded.Steps[0].Program != "sort" || decoded.Steps[1].Why != "output" {
		t.Errorf("JSON %s", b)
	}
	dot := p.Dot()
	for _, want := range []string{"digraph plan {", "in0 -> step0;", "step0 -> step1 [style=dashed", "step1 -> out0;"} {
		if !strings.Contains(dot, want) {
			t.Errorf("no %q in\n%s", want, dot)
		}
	}
}

// Lists of a plan that have nothing in them are [] in JSON: a program that walks them
// needs no case for null.
func TestExplainJSONHasNoNull(t *testing.T) {
	p, err := Explain(Arange(0, 8, 1).Sum())
	if err != nil {
		t.Fatal(err)
	}
	b, err := p.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if text := string(b); strings.Contains(text, "null") || strings.Contains(text, `\u`) || !strings.Contains(text, `"reads": []`) {
		t.Errorf("%s", text)
	}
}

func TestExplainErrors(t *testing.T) {
	if _, err := Explain(); err == nil {
		t.Error("nothing was explained")
	}
	broken := From([]float32{1}, 2)
	if _, err := Explain(broken); err == nil || err.Error() != broken.Err().Error() {
		t.Errorf("a broken array: %v", err)
	}
	x := From([]float32{1, 2})
	x.Release()
	if _, err := Explain(x.AddScalar(1)); !errors.Is(err, ErrReleased) {
		t.Errorf("a released array: %v", err)
	}
}

// What does not fit a line program is left out and named; the rest is fused.
func TestExplainNamesWhatIsLeftOut(t *testing.T) {
	x := From(make([]float32, 64*512), 64, 512)
	// The padding has as many rows as x, but they are other rows.
	p, err := Explain(x.MulScalar(2).RFFT().AbsSquared().PadAxis(0, Margin{Before: 64}, Pad{}))
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, s := range p.Steps {
		kinds = append(kinds, s.Program)
	}
	const note = "pad: not fused with fft: an operand leaves its line"
	if got := strings.Join(kinds, " "); got != "line map" || strings.Join(p.Notes, "; ") != note {
		t.Errorf("steps %q, notes %q\n%s", got, p.Notes, p)
	}
}

// Operands that are still to be copied from another device are leaves of the
// plan: it is the one that runs once they are there.
func TestExplainBeforeCopies(t *testing.T) {
	testdevice.NotOnGPU(t, "copies from the CPU")
	null, err := Open("null")
	if err != nil {
		t.Fatal(err)
	}
	s := null.Stream()
	x, y := From(make([]float32, 256)).On(s), Full(2, Float32, 256).AddScalar(1).On(s)
	build := func() *Array { return x.Mul(y).AddScalar(1).Add(x) }
	before, err := Explain(build())
	if err != nil {
		t.Fatal(err)
	}
	const note = "2.0 KiB copied from cpu first"
	if before.Launches != 1 || before.SyncPoints != 3 || len(before.Notes) != 1 || before.Notes[0] != note || !before.Fused {
		t.Errorf("before:\n%s", before)
	}
	if only, err := Explain(x); err != nil || only.Launches != 0 || only.SyncPoints != 2 || only.Notes[0] != "1.0 KiB copied from cpu first" {
		t.Errorf("a copy alone: %v\n%s", err, only)
	}
	if err := Eval(t.Context(), x, y); err != nil {
		t.Fatal(err)
	}
	after, err := Explain(build())
	if err != nil {
		t.Fatal(err)
	}
	if after.SyncPoints != 1 || len(after.Notes) != 0 || after.Steps[0].Label != before.Steps[0].Label || after.MemoryBytes != before.MemoryBytes {
		t.Errorf("after:\n%s\nbefore:\n%s", after, before)
	}
}

// What is computed again and again as part of other arrays is noted, and nothing once it
// is kept.
func TestExplainNotesWhatIsComputedAgain(t *testing.T) {
	ctx := t.Context()
	x := Normal(1, Float32, 4, 64)
	if err := Eval(ctx, x); err != nil {
		t.Fatal(err)
	}
	h := Normal(2, Float32, 64).RFFT()
	use := func() *Array { return x.RFFT().Mul(h).IRFFT() }
	again := func() (notes []string) {
		p, err := Explain(use())
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range p.Notes {
			if strings.Contains(n, "is computed again") {
				notes = append(notes, n)
			}
		}
		return notes
	}
	for i, want := range []string{"", "once before", "2 times before"} {
		got := again()
		if (want == "") != (len(got) == 0) || want != "" && (len(got) != 1 || !strings.Contains(got[0], want) || !strings.Contains(got[0], "[33]")) {
			t.Errorf("after %d evaluations: %q, want one note with %q", i, got, want)
		}
		if err := Eval(ctx, use()); err != nil {
			t.Fatal(err)
		}
	}
	if err := Eval(ctx, h); err != nil {
		t.Fatal(err)
	}
	if got := again(); len(got) > 0 {
		t.Errorf("of an array that is kept: %q", got)
	}
}
