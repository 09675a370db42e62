package signal_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// notApplied are the exported types that describe nothing that is done to an array, by
// what they are instead.
var notApplied = map[string][]string{
	"the options of functions and methods": {"Analytic", "Decibels", "FiltFilt", "Inverse", "Limits", "NoteNames", "PeakConditions", "Spectral"},
	"results":                              {"Delays", "Peaks", "SpiralError", "Spectrum"},
	"designs of taps, which are applied by Convolve or Conv": {"FIR", "FIRBands", "FIRGrid", "LeastSquares", "Remez"},
	"forms of a filter that become an SOS or an IIR":         {"Specification", "ZPK"},
	"states of a signal that arrives in parts":               {"Stream"},
}

// TestOneVerb finds every type of the package that describes something to be done to an
// array: the verb is Apply. A new type has it, or says in the table above why not.
func TestOneVerb(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	types, applies := map[string]bool{}, map[string]bool{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				for _, s := range d.Specs {
					s, ok := s.(*ast.TypeSpec)
					if !ok || !s.Name.IsExported() {
						continue
					}
					number, isName := s.Type.(*ast.Ident) // an enumeration is an option
					types[s.Name.Name] = !isName || number.IsExported()
				}
			case *ast.FuncDecl:
				if d.Recv != nil && d.Name.Name == "Apply" && onArray(d.Type) {
					applies[receiver(d)] = true
				}
			}
		}
	}
	excused := map[string]bool{}
	for _, names := range notApplied {
		for _, name := range names {
			excused[name] = true
			if !types[name] || applies[name] {
				t.Errorf("%s is in the table of types that are not applied", name)
			}
		}
	}
	described := 0
	for name, wanted := range types {
		if wanted && !excused[name] {
			described++
			if !applies[name] {
				t.Errorf("%s has no Apply that takes an array", name)
			}
		}
	}
	if described < 30 {
		t.Errorf("%d types found", described)
	}
}

// onArray tells whether the first argument is an array.
func onArray(f *ast.FuncType) bool {
	star, ok := f.Params.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	of, ok := star.X.(*ast.SelectorExpr)
	return ok && of.Sel.Name == "Array"
}

// receiver is the type that a method is of.
func receiver(d *ast.FuncDecl) string {
	name, _ := d.Recv.List[0].Type.(*ast.Ident)
	if name == nil {
		return ""
	}
	return name.Name
}

// TestApplyDesigns compares filters that are designed where they are applied with those
// that are designed before, and names of the same with one another.
func TestApplyDesigns(t *testing.T) {
	testdevice.NeedsKernels(t)
	testdevice.NeedsFloat64(t)
	x := tones(600, 8)
	low := signal.IIR{Order: 4, Cutoff: [2]float64{0.2}}
	eq := signal.EQ{Freq: 100, FS: 1000, Gain: 6}
	comb := signal.Comb{Frequency: 50, Quality: 30, FS: 1000}
	sos, err := low.SOS()
	if err != nil {
		t.Fatal(err)
	}
	section, err := eq.SOS()
	if err != nil {
		t.Fatal(err)
	}
	tf, err := comb.TF()
	if err != nil {
		t.Fatal(err)
	}
	hann := signal.Window{}.Array(nd.Float64, 600)
	turned := x.Reshape(2, 300).Transpose()
	for label, pair := range map[string][2]*nd.Array{
		"iir":            {low.Apply(x), sos.Apply(x)},
		"sos":            {sos.Filter(x), sos.Apply(x)},
		"along axis 0":   {low.Apply(turned, nd.Axis(0)).Transpose(), sos.Apply(turned.Transpose())},
		"eq":             {eq.Apply(x), section.Apply(x)},
		"comb":           {comb.Apply(x), tf.Apply(x)},
		"tf":             {tf.Filter(x), tf.Apply(x)},
		"complex sos":    {sos.Complex().Filter(x), sos.Complex().Apply(x)},
		"complex tf":     {tf.Complex().Filter(x), tf.Complex().Apply(x)},
		"mel":            {signal.Mel{NMels: 20}.Spectrogram(x), signal.Mel{NMels: 20}.Apply(x)},
		"chirp":          {signal.Chirp{F0: 1, F1: 2, T1: 1}.At(x), signal.Chirp{F0: 1, F1: 2, T1: 1}.Apply(x)},
		"window":         {signal.Window{}.Apply(x), x.Mul(hann)},
		"complex window": {signal.Window{}.Apply(nd.Complex(x, x)), nd.Complex(x.Mul(hann), x.Mul(hann))},
		"window, axis 0": {signal.Window{}.Apply(turned, nd.Axis(0)).Transpose(), signal.Window{}.Apply(turned.Transpose())},
	} {
		inverts(t, label, pair[1], pair[0], 1e-14)
	}
	for want, y := range map[string]*nd.Array{
		"signal: iir: Order 0":                        signal.IIR{Cutoff: [2]float64{0.2}}.Apply(x),
		"signal: iir: Analog: second-order":           signal.IIR{Order: 2, Cutoff: [2]float64{0.2}, Analog: true}.Apply(x),
		"signal: eq: FS 0":                            signal.EQ{Freq: 100}.Apply(x),
		"signal: comb: Frequency 7":                   signal.Comb{Frequency: 7, Quality: 30, FS: 1000}.Apply(x),
		"signal: window: unknown window \"han\"":      signal.Window{Name: "han"}.Apply(x),
		"signal: window: the window has 3 samples":    signal.CustomWindow([]float64{1, 2, 3}).Apply(x),
		"signal: window: x is int64: want a float or": signal.Window{}.Apply(nd.From([]int64{1})),
	} {
		if err := y.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
