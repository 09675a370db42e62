package cost

import (
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// busy is the share of a device's workers that a program keeps at work.
func busy(p ir.Program, f device.Figures) float64 {
	if f.Workers < 2 {
		return 1
	}
	return min(1, float64(max(p.Pieces(f.Grain), 1))/float64(f.Workers))
}
