package a

import (
	"fmt"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/nd"
)

const scale = "y[i] = %d * x[i];"

func planInLoop(lines [][]complex64) error {
	for _, line := range lines {
		plan, err := fft.NewPlan[complex64](1024) // want `\[warn TW004\] NewPlan with the same arguments in every turn of the loop`
		if err != nil {
			return err
		}
		if err := plan.Forward(line, line); err != nil {
			return err
		}
	}
	return nil
}

func planOfParameter(n int, lines [][]float32) error {
	for i := 0; i < len(lines); i++ {
		if _, err := fft.NewRealPlan[float32, complex64](n, fft.Options{Norm: fft.NormOrtho}); err != nil { // want `NewRealPlan with the same arguments`
			return err
		}
	}
	return nil
}

func planOfLength(data []complex64, times int) (err error) {
	for range times {
		_, err = fft.NewPlan[complex64](len(data)) // want `NewPlan with the same arguments`
	}
	return err
}

func kernelInLoop(xs []*nd.Array) {
	for _, x := range xs {
		k := nd.Kernel{Name: "neg", Inputs: []string{"x"}, Outputs: []string{"y"}, Source: "y[0] = -x[0];"} // want `the same kernel is made in every turn of the loop`
		k.Call(nd.Launch{Inputs: []*nd.Array{x}})
	}
}

func printed(x *nd.Array) {
	for i := range 8 {
		src := fmt.Sprintf("y[0] = %d * x[0];", i)
		k := &nd.Kernel{Name: "scale", Source: src} // want `a kernel source printed from i, which the loop changes, is compiled in every turn`
		k.Call(nd.Launch{Inputs: []*nd.Array{x}})
	}
}

func printedInPlace(x *nd.Array, factors []int) {
	for _, f := range factors {
		k := nd.Kernel{Name: "scale", Source: fmt.Sprintf(scale, f)} // want `printed from f`
		k.Call(nd.Launch{Inputs: []*nd.Array{x}})
	}
}

func printedHeader(x *nd.Array, factors []int) {
	for _, f := range factors {
		k := nd.Kernel{Name: "scale", Source: "y[0] = N * x[0];", Header: fmt.Sprintf("constant int N = %d;", f)} // want `printed from f`
		k.Call(nd.Launch{Inputs: []*nd.Array{x}})
	}
}

func lengths(ns []int) error {
	for _, n := range ns {
		if _, err := fft.NewPlan[complex64](n); err != nil {
			return err
		}
	}
	return nil
}

func ofEachLine(lines [][]complex64) error {
	for _, line := range lines {
		if _, err := fft.NewPlan[complex64](len(line)); err != nil {
			return err
		}
	}
	return nil
}

func before(lines [][]complex64) error {
	plan, err := fft.NewPlan[complex64](1024)
	if err != nil {
		return err
	}
	for _, line := range lines {
		if err := plan.Forward(line, line); err != nil {
			return err
		}
	}
	return nil
}

func BenchmarkPlan(b *testing.B) {
	for b.Loop() {
		if _, err := fft.NewPlan[complex64](1024); err != nil {
			b.Fatal(err)
		}
	}
}

func timedPlans() (best time.Duration) {
	for range 10 {
		start := time.Now()
		fft.NewPlan[complex64](1024)
		best = min(best, time.Since(start))
	}
	return best
}

func workers(n int) {
	for range 4 {
		go func() {
			plan, err := fft.NewPlan[complex64](n)
			fmt.Println(plan, err)
		}()
	}
}

func doubling() error {
	n := 1
	for n < 1024 {
		if _, err := fft.NewPlan[complex64](n); err != nil {
			return err
		}
		n *= 2
	}
	return nil
}

func retry(n int) (plan *fft.Plan[complex64], err error) {
	for range 3 {
		if plan, err = fft.NewPlan[complex64](n); err == nil {
			break
		}
	}
	return plan, err
}

func kernelBefore(xs []*nd.Array) {
	k := nd.Kernel{Name: "neg", Source: "y[0] = -x[0];"}
	for _, x := range xs {
		k.Call(nd.Launch{Inputs: []*nd.Array{x}})
	}
}

func kernels(bodies map[string]string) (list []nd.Kernel) {
	for name, body := range bodies {
		list = append(list, nd.Kernel{Name: name, Source: body})
	}
	return list
}
