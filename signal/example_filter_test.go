package signal_test

import (
	"context"
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func show(x *nd.Array) {
	v, err := nd.Slice[float64](context.Background(), x)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.3f\n", v)
}

func ExampleTF_Apply() {
	f := signal.TF{B: []float64{0.5, 0.5}, A: []float64{1, -0.5}} // scipy.signal.lfilter([0.5, 0.5], [1, -0.5], x)
	show(f.Apply(nd.From([]float64{1, 0, 0, 0})))
	// Output: [0.500 0.750 0.375 0.188]
}

func ExampleComplexTF_Apply() {
	turn := signal.ComplexTF{B: []complex128{1i}} // a quarter of a turn
	show(turn.Apply(nd.From([]float64{1, 2, 3})).Imag())
	// Output: [1.000 2.000 3.000]
}

func ExampleIIR_Apply() {
	low := signal.IIR{Order: 1, Cutoff: [2]float64{0.5}} // scipy.signal.sosfilt(butter(1, 0.5, output="sos"), x)
	show(low.Apply(nd.From([]float64{1, 1, 1})))
	// Output: [0.500 1.000 1.000]
}

func ExampleTF_FiltFilt() {
	f, err := signal.IIR{Order: 2, Cutoff: [2]float64{0.3}}.TF()
	if err != nil {
		fmt.Println(err)
		return
	}
	x := nd.From([]float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
	show(f.FiltFilt(x, signal.FiltFilt{Extension: signal.ExtendAntireflect}).Slice(nd.Range{Start: 1, Stop: 5})) // a line stays one
	// Output: [1.000 2.000 3.000 4.000]
}

func ExampleRemez_Taps() {
	h, err := signal.Remez{Bands: [][2]float64{{0, 100}, {200, 500}}, Desired: []float64{1, 0}, FS: 1000}.Taps(5)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f\n", h)
	// Output: [0.1723 0.2726 0.2813 0.2726 0.1723]
}

func ExampleMedFilt() {
	show(signal.MedFilt(nd.From([]float64{1, 1, 9, 1, 1}), 3)) // a click goes
	// Output: [1.000 1.000 1.000 1.000 1.000]
}

func ExampleSavGol_Apply() {
	x := nd.From([]float64{1, 4, 9, 16, 25, 36})
	show(signal.SavGol{Window: 5, Order: 2, Deriv: 1}.Apply(x)) // squares have the slopes 2, 4, 6, ...
	// Output: [2.000 4.000 6.000 8.000 10.000 12.000]
}

func ExampleUpFirDn_Apply() {
	u := signal.UpFirDn{Taps: []float64{0.5, 1, 0.5}, Up: 2, Extension: signal.ExtendEdge} // between samples, their mean
	show(u.Apply(nd.From([]float64{1, 3, 5})))
	// Output: [1.000 1.000 2.000 3.000 4.000 5.000 5.000]
}

func ExampleConvolve_Apply() {
	image := nd.From([]float64{1, 2, 3, 4, 5, 6, 7, 8, 9}, 3, 3)
	edges := nd.From([]float64{1, 0, -1}, 1, 3)
	show(signal.Convolve{Mode: signal.Valid}.Apply(image, edges)) // how much rows rise
	// Output: [2.000 2.000 2.000]
}
