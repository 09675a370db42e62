package fft_test

import (
	"fmt"
	"math"
	"math/cmplx"

	"github.com/twiddle-go/twiddle/fft"
)

func Example() {
	plan, err := fft.NewPlan[complex128](8)
	if err != nil {
		fmt.Println(err)
		return
	}
	x := make([]complex128, 8)
	for i := range x {
		x[i] = cmplx.Rect(1, 2*math.Pi*3*float64(i)/8) // three turns
	}
	y := make([]complex128, 8)
	if err := plan.Forward(y, x); err != nil {
		fmt.Println(err)
		return
	}
	for k, v := range y {
		fmt.Printf("%d: %.0f\n", k, cmplx.Abs(v))
	}
	// Output:
	// 0: 0
	// 1: 0
	// 2: 0
	// 3: 8
	// 4: 0
	// 5: 0
	// 6: 0
	// 7: 0
}

func ExamplePlan_Inverse() {
	plan, err := fft.NewPlan[complex64](3)
	if err != nil {
		fmt.Println(err)
		return
	}
	x := []complex64{3, 0, 0}
	err = plan.Inverse(x, x) // in place
	fmt.Println(x, err)
	// Output: [(1+0i) (1+0i) (1+0i)] <nil>
}

func ExamplePlan_ForwardScratch() {
	plan, err := fft.NewPlan[complex64](4)
	if err != nil {
		fmt.Println(err)
		return
	}
	scratch := make([]complex64, plan.ScratchLen()) // once per goroutine
	x := []complex64{1, 2, 3, 4}
	err = plan.ForwardScratch(x, x, scratch)
	fmt.Println(x, err)
	// Output: [(10+0i) (-2+2i) (-2+0i) (-2-2i)] <nil>
}

func ExamplePlan_ForwardBatch() {
	plan, err := fft.NewPlan[complex64](2)
	if err != nil {
		fmt.Println(err)
		return
	}
	// A matrix of 2 rows and 3 columns: transform the columns.
	x := []complex64{
		1, 2, 3,
		4, 5, 6,
	}
	columns := fft.Batch{Count: 3, DstStride: 3, DstDist: 1, SrcStride: 3, SrcDist: 1}
	err = plan.ForwardBatch(x, x, columns)
	fmt.Println(x[:3], x[3:], err)
	// Output: [(5+0i) (7+0i) (9+0i)] [(-3+0i) (-3+0i) (-3+0i)] <nil>
}

func ExampleRealPlan() {
	plan, err := fft.NewRealPlan[float32, complex64](4)
	if err != nil {
		fmt.Println(err)
		return
	}
	bins := make([]complex64, plan.Bins())
	if err := plan.Forward(bins, []float32{1, 2, 3, 4}); err != nil {
		fmt.Println(err)
		return
	}
	x := make([]float32, plan.Len())
	err = plan.Inverse(x, bins)
	fmt.Println(bins, x, err)
	// Output: [(10+0i) (-2+2i) (-2+0i)] [1 2 3 4] <nil>
}

func ExampleRealPlan_ForwardBatch() {
	// Frames of 4 samples every 2, as a spectrogram takes them.
	plan, err := fft.NewRealPlan[float64, complex128](4)
	if err != nil {
		fmt.Println(err)
		return
	}
	signal := []float64{1, 1, 1, 1, 0, 0, 0, 0}
	bins := make([]complex128, 3*plan.Bins())
	if err := plan.ForwardBatch(bins, signal, fft.Batch{Count: 3, SrcDist: 2}); err != nil {
		fmt.Println(err)
		return
	}
	for frame := range 3 {
		line := bins[3*frame : 3*frame+3]
		fmt.Printf("%.2f %.2f %.2f\n", cmplx.Abs(line[0]), cmplx.Abs(line[1]), cmplx.Abs(line[2]))
	}
	// Output:
	// 4.00 0.00 0.00
	// 2.00 1.41 0.00
	// 0.00 0.00 0.00
}

func ExampleRealPlan_HermitianForward() {
	plan, err := fft.NewRealPlan[float64, complex128](4)
	if err != nil {
		fmt.Println(err)
		return
	}
	bins := make([]float64, 4)
	err = plan.HermitianForward(bins, []complex128{1, 2, 3})
	fmt.Println(bins, err)
	// Output: [8 -2 0 -2] <nil>
}

func ExampleNDPlan() {
	plan, err := fft.NewNDPlan[complex128]([]int{2, 2}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	x := []complex128{1, 2, 3, 4}
	err = plan.Forward(x, x)
	fmt.Println(x, err)
	// Output: [(10+0i) (-2+0i) (-4+0i) (0+0i)] <nil>
}

func ExampleRealNDPlan() {
	plan, err := fft.NewRealNDPlan[float64, complex128]([]int{2, 4}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	bins := make([]complex128, plan.Bins())
	err = plan.Forward(bins, []float64{1, 2, 3, 4, 0, 0, 0, 0})
	fmt.Println(plan.BinsShape(), bins[:3], err)
	// Output: [2 3] [(10+0i) (-2+2i) (-2+0i)] <nil>
}

func ExampleTrigPlan() {
	plan, err := fft.NewTrigPlan[float64](fft.DCT2, 4, fft.Options{Norm: fft.NormOrtho})
	if err != nil {
		fmt.Println(err)
		return
	}
	x := []float64{1, 2, 3, 4}
	if err := plan.Forward(x, x); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.4f\n", x)
	err = plan.Inverse(x, x)
	fmt.Printf("%.4f %v\n", x, err)
	// Output:
	// [5.0000 -2.2304 0.0000 -0.1585]
	// [1.0000 2.0000 3.0000 4.0000] <nil>
}

func ExampleForward() {
	y, err := fft.Forward(nil, []complex64{1, 0, 0, 0})
	fmt.Println(y, err)
	// Output: [(1+0i) (1+0i) (1+0i) (1+0i)] <nil>
}

func ExampleInverse() {
	y, err := fft.Inverse(nil, []complex64{4, 0, 0, 0})
	fmt.Println(y, err)
	// Output: [(1+0i) (1+0i) (1+0i) (1+0i)] <nil>
}

func ExampleRealForward() {
	y, err := fft.RealForward([]complex128(nil), []float64{1, 2, 3, 4})
	fmt.Println(y, err)
	// Output: [(10+0i) (-2+2i) (-2+0i)] <nil>
}

func ExampleRealInverse() {
	x := make([]float64, 3) // 2 bins could be 2 or 3 samples
	x, err := fft.RealInverse(x, []complex128{3, 0})
	fmt.Println(x, err)
	// Output: [1 1 1] <nil>
}

func ExampleMeasure() {
	m, err := fft.Measure[complex64](4)
	if err != nil {
		fmt.Println(err)
		return
	}
	plan, err := fft.NewPlan[complex64](4) // uses what was found
	fmt.Println(plan.Recipe() == m.Recipe, err)
	// Output: true <nil>
}

func ExampleChooseRecipe() {
	recipe, err := fft.ChooseRecipe[complex64](12, fft.Options{Recipe: "mixed 4.3"})
	fmt.Println(recipe, err)
	// Output: mixed 4.3 <nil>
}

func ExampleFreq() {
	f, err := fft.Freq(5, 0.1)
	fmt.Println(f, err)
	// Output: [0 2 4 -4 -2] <nil>
}

func ExampleRFreq() {
	f, err := fft.RFreq(4, 0.5)
	fmt.Println(f, err)
	// Output: [0 0.5 1] <nil>
}

func ExampleShift() {
	x := []int{0, 1, 2, -2, -1}
	fft.Shift(x)
	fmt.Println(x)
	fft.IShift(x)
	fmt.Println(x)
	// Output:
	// [-2 -1 0 1 2]
	// [0 1 2 -2 -1]
}

func ExampleNextFastLen() {
	n, err := fft.NextFastLen(1021)
	fmt.Println(n, err)
	// Output: 1024 <nil>
}

func ExampleNextFastRealLen() {
	for _, n := range []int{7, 14, 17, 1021} {
		m, err := fft.NextFastRealLen(n)
		fmt.Println(n, m, err)
	}
	// Output:
	// 7 8 <nil>
	// 14 15 <nil>
	// 17 18 <nil>
	// 1021 1024 <nil>
}

func ExampleParseNorm() {
	norm, err := fft.ParseNorm("ortho")
	fmt.Println(norm == fft.NormOrtho, err)
	// Output: true <nil>
}
