package main

import "math"

// sequentialFrame is the frame loss and its gradient as a program for one
// thread: for every frame a sum over the samples for each bin of both signals,
// and from each bin back to the samples. It is what `twiddle bench loss`
// measures against. The sines are in tables, which is more than fair.
type sequentialFrame struct {
	size     int
	cos, sin []float32 // by bin and sample, times the window
}

func newSequentialFrame(size int) *sequentialFrame {
	s := &sequentialFrame{size: size}
	for k := 0; k <= size/2; k++ {
		for j := range size {
			w := 0.5 - 0.5*math.Cos(2*math.Pi*float64(j)/float64(size-1))
			sin, cos := math.Sincos(-2 * math.Pi * float64(k*j%size) / float64(size))
			s.cos, s.sin = append(s.cos, float32(w*cos)), append(s.sin, float32(w*sin))
		}
	}
	return s
}

// run gives the loss of x against y and puts its gradient into grad.
func (s *sequentialFrame) run(x, y, grad []float32) float64 {
	clear(grad)
	total := 0.0
	for t := range x {
		first := max(0, s.size-1-t) // samples before the start are 0
		from := t - (s.size - 1)
		for k := 0; k <= s.size/2; k++ {
			cos, sin := s.cos[k*s.size:(k+1)*s.size], s.sin[k*s.size:(k+1)*s.size]
			var xr, xi, yr, yi float32
			for j := first; j < s.size; j++ {
				c, n := cos[j], sin[j]
				a, b := x[from+j], y[from+j]
				xr += a * c
				xi += a * n
				yr += b * c
				yi += b * n
			}
			m := float32(math.Sqrt(float64(xr*xr + xi*xi)))
			d := m - float32(math.Sqrt(float64(yr*yr+yi*yi)))
			total += float64(d * d)
			g := 2 * d / max(m, 1e-8)
			gr, gi := g*xr, g*xi
			for j := first; j < s.size; j++ {
				grad[from+j] += gr*cos[j] + gi*sin[j]
			}
		}
	}
	return total
}
