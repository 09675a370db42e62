package peer

import (
	"errors"
	"testing"
)

// Without a GPU or cuFFT, that is what the error says; with them, transforms
// and passes around them run.
func TestCUFFT(t *testing.T) {
	c, err := OpenCUFFT(0)
	if err != nil {
		if !errors.Is(err, ErrNotPresent) {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	for _, tr := range []Transform{{N: 64, Batch: 3, Bits: 32}, {N: 60, Batch: 2, Bits: 64, Real: true}, {N: 60, Bits: 32, Real: true, Inverse: true}} {
		w, err := c.Transform(tr)
		if err != nil {
			t.Fatal(err)
		}
		times, err := w.Times(2)
		if err != nil || len(times) != 2 || times[0] <= 0 {
			t.Errorf("%+v took %v: %v", tr, times, err)
		}
		w.Close()
	}
	n, err := c.TransformN([]int{16, 60}, 2, 32)
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	if times, err := n.Times(2); err != nil || times[0] <= 0 {
		t.Errorf("a transform along two axes took %v: %v", times, err)
	}
	if _, err := c.TransformN([]int{0}, 1, 32); err == nil {
		t.Error("a transform of nothing is prepared")
	}
	w, err := c.Convolution(2, 3, 100, 256)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if times, err := w.Times(2); err != nil || times[0] <= 0 {
		t.Errorf("a convolution took %v: %v", times, err)
	}
	if _, err := c.Convolution(0, 1, 1, 1); err == nil {
		t.Error("a convolution of nothing is prepared")
	}
	p, err := c.Peaks(3, 64, 2, 4)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if times, err := p.Times(2); err != nil || times[0] <= 0 {
		t.Errorf("peaks took %v: %v", times, err)
	}
	if _, err := c.Peaks(1, 1<<20, 1, 1); err == nil {
		t.Error("lines that do not fit into shared memory are prepared")
	}
}
