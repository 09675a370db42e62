package linalg

import (
	"context"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
)

// Every kernel prints as CUDA, where floats are float64 if they say so.
func TestKernelsAsCUDA(t *testing.T) {
	constants := map[string]any{"T": nd.Float32, "SIDE": 8, "COUNT": 32, "GROUPS": 1, "LANES": 8, "UNIT": false, "LEN": 32, "WIDTH": 32, "MOST": 4, "PADDED": 32, "ORDER": 3, "LOST": true, "INVERSE": true, "ROW": 8, "STEP": 1, "EACH": 1}
	dtypes := map[string]nd.DType{"least": nd.Float64, "scale": nd.Float64, "tolerance": nd.Float64, "g": nd.Float64, "q": nd.Float64, "r": nd.Float64, "size": nd.Int32, "zt": nd.Complex128, "zl": nd.Complex128, "zb": nd.Complex128, "za": nd.Complex128}
	for _, k := range []*nd.Kernel{gramSchmidt, gramFactor, substitute, luPanelKernel, jacobiKernel, jacobiSmall, toeplitz, levinson, reconstruct, gramSchmidtComplex, substituteComplex, luPanelComplex, jacobiComplex} {
		l := nd.Launch{Grid: [3]int{32}, Threadgroup: [3]int{32}, Template: constants, DTypes: []nd.DType{nd.Float64}}
		if strings.HasSuffix(k.Name, "complex") {
			types := map[string]nd.DType{"order": nd.Int32, "swaps": nd.Int32, "outcome": nd.Float64}
			l.DTypes = nil
			for _, name := range k.Outputs {
				d, ok := types[name]
				if !ok {
					d = nd.Complex128
				}
				l.DTypes = append(l.DTypes, d)
			}
		}
		for _, name := range k.Inputs {
			d, ok := dtypes[name]
			if !ok {
				d = nd.Float32
			}
			l.Inputs = append(l.Inputs, nd.Zeros(d, 4, 4, 4))
		}
		if text, err := k.Text("cuda", l); err != nil || !strings.Contains(text, " "+k.Name+"(") {
			t.Errorf("%s: %v", k.Name, err)
		}
	}
}

// The kernels have no races: no thread reads what another may be writing.
func TestKernelsChecked(t *testing.T) {
	testdevice.NeedsFloat64(t)
	t.Setenv("TWIDDLE_KERNEL_CHECK", "1")
	ctx := context.Background()
	a := nd.Normal(1, nd.Float32, 2, 40, 7)
	square := nd.Normal(2, nd.Float64, 9, 9)
	q1, r1 := QR(a, QROptions{Method: GramSchmidt})
	q2, r2 := QR(a, QROptions{Method: Householder})
	if err := nd.Eval(ctx, q1, r1, q2, r2, Det(square), Levinson(a, 3).A); err != nil {
		t.Error(err)
	}
	if _, err := Solve(ctx, square, square); err != nil {
		t.Error(err)
	}
	if _, _, _, err := SVD(ctx, a); err != nil {
		t.Error(err)
	}
	z := nd.Complex(square, square.Exp())
	if _, err := Solve(ctx, z, z); err != nil {
		t.Error(err)
	}
	if _, _, _, err := SVD(ctx, z); err != nil {
		t.Error(err)
	}
	if _, err := ToeplitzSolve(ctx, nd.From([]float64{4, 2, 1, 0.5}), nil, nd.Ones(nd.Float64, 4)); err != nil {
		t.Error(err)
	}
}
