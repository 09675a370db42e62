package cost

import (
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// Profile is what a plan costs, or what it would.
type Profile struct {
	Launches           int     `json:"launches"`
	SyncPoints         int     `json:"sync_points"`
	HostOutputBytes    int     `json:"host_output_bytes"`
	DeviceTrafficBytes int     `json:"device_traffic_bytes"`
	PredictedNs        float64 `json:"predicted_ns"`
}

// Launch counts one launch of a program.
func (p *Profile) Launch(prog ir.Program, f device.Figures) {
	p.Launches++
	p.DeviceTrafficBytes += Traffic(prog)
	p.PredictedNs += Ns(prog, f)
}

// Sync counts points where a queue waits for another or the host for a queue.
func (p *Profile) Sync(n int, f device.Figures) {
	p.SyncPoints += n
	p.PredictedNs += float64(n) * f.SyncNs
}
