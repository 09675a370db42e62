package cost

import (
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/kgen/share"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// What a GPU takes besides bytes and operations: more kernels than there are launches,
// threads that wait for each other, and processors with too few lines.

// onGPU is the time of kernels and of waiting that no byte or operation accounts for.
func onGPU(p ir.Program, f device.Figures, fine bool) float64 {
	if !fine || f.Processors == 0 {
		return 0
	}
	switch p := p.(type) {
	case *ir.FFT:
		return secondKernel(p, ir.Count(p.Outer), f)
	case *ir.Line:
		ns := 0.0
		for _, s := range p.Stages {
			if t, ok := s.Program.(*ir.FFT); ok {
				ns += secondKernel(t, p.Lines(), f)
			}
		}
		return ns
	case *ir.Custom:
		return alone(p, f)
	case *ir.Reduce:
		return downColumns(p, f)
	case *ir.Batch:
		return lists.Max(0, p.Programs, func(q ir.Program) float64 { return onGPU(q, f, fine) }) // side by side
	}
	return 0
}

// busyThreads is how many threads keep a processor busy: with fewer, it waits for
// results of the operation before.
const busyThreads = 512

// elementNs is how long a thread waits for an element that it adds up where neighbours
// belong to different results: 35 to 50 ns in gradients of a mixer's parameters.
const elementNs = 35

// downColumns is how long few threads wait that add up columns, of which groups share long
// ones; many threads wait while others work.
func downColumns(p *ir.Reduce, f device.Figures) float64 {
	const shared = 1024
	outer := p.Outer()
	results, lies := ir.Count(outer), p.Layout()
	if lies == nil || results > busyThreads*f.Processors {
		return 0
	}
	near, far := ir.Nearest(outer, lies), ir.Nearest(p.Dims[len(outer):], lies[len(outer):])
	if near == 0 || near > far {
		return 0
	}
	return elementNs * float64(min(ir.Count(p.Dims[len(outer):]), shared))
}

// secondKernel is the time of the kernel that finishes a transform whose lines do not
// fit on chip, with the bytes that pass between the two; 0 if they fit.
func secondKernel(p *ir.FFT, lines int, f device.Figures) float64 {
	n, size := p.N, elem.Complex64.Size()
	if p.Kind != ir.FFTComplex {
		n /= 2 // a real line goes as a complex one of half its length
	}
	if p.In.Type == elem.Complex128 || p.In.Type == elem.Float64 {
		size *= 2
	}
	if f.ChipBytes == 0 || n*size <= f.ChipBytes || p.Rows > 0 { // bins in rows are made by a cluster
		return 0
	}
	return f.LaunchNs + per(2*float64(n*size*lines), f.CopyBytesPerNs)
}

// columnNs is a step of a group that works through a matrix column by column: two
// barriers, a quotient and a root of float64 that all threads wait for. QR of 512 x 64 and
// of 4096 x 256 on an H200 take 20 to 33 us for each factor of 64 columns.
const columnNs = 400

// aloneOps is how many operations a group without others on its processor could do in the
// time that it takes for one, since it waits for results: SVD of 128 x 128 on an H200 takes
// 10 ms for 94 million.
const aloneOps = 5

// alone is how long the groups of a custom kernel take that have an item of a batch to
// themselves, besides operations that fill the device: as long as its operations take where
// it says how many they are, else as long as it waits for columns.
func alone(p *ir.Custom, f device.Figures) float64 {
	if !oneGroup(p) {
		return 0
	}
	if p.Work > 0 {
		return per(aloneOps*p.Work*float64(f.Processors), f.OpsPerNs) / float64(min(max(p.Grid[2], 1), f.Processors))
	}
	n := 0
	for _, shape := range p.InShapes {
		if len(shape) > 1 {
			n = max(n, min(shape[len(shape)-1], shape[len(shape)-2]))
		}
	}
	return columnNs * float64(n)
}

// oneGroup reports a kernel with one group for each item of a batch.
func oneGroup(p *ir.Custom) bool {
	return p.Grid[0] <= p.Threadgroup[0] && p.Grid[1] <= p.Threadgroup[1]
}

// idle is how many times as long short lines take because processors are not full, and
// because those that overlap with a part of the result are computed for it once more.
func idle(p *ir.Line, f device.Figures) float64 {
	if f.Processors == 0 {
		return 1
	}
	halo, items := 0, 1
	for _, s := range p.Sums() {
		halo = max(halo, share.Halo(s.Program.(*ir.Overlap).Size))
	}
	if halo > 0 {
		items = ir.Count(p.Outer[:len(p.Outer)-p.FrameDims()])
	}
	_, _, slower := share.Run(max(share.Turns(p.Lines()/max(items, 1)), 1), max(items, 1), halo, f.Processors)
	return slower
}
