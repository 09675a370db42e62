package nd

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/twiddle-go/twiddle/nd/internal/graph"
)

// Choice is where some arrays should be computed, and why.
type Choice struct {
	Device *Device
	// Arrays are those asked about, in their order, to be computed on Device. Take
	// gradients before choosing: what moves has no history.
	Arrays []*Array
	// Candidates are the devices, the fastest first, and last those that cannot.
	Candidates []Candidate
}

// Candidate is a device and how long it should take.
type Candidate struct {
	Device      string  `json:"device"`
	PredictedNs float64 `json:"predicted_ns"` // computing and copying
	ComputeNs   float64 `json:"compute_ns"`
	CopyNs      float64 `json:"copy_ns"`      // operands to the device, results to slices
	CopiedBytes int     `json:"copied_bytes"` // both ways
	Launches    int     `json:"launches"`
	Err         string  `json:"error,omitempty"` // why the device cannot

	device *Device
	arrays []*Array
}

// Choose predicts the time of each device for the arrays, including the copies of operands
// to the device and of results to the host, and picks the fastest device; if several are
// equally fast, the first. Without devices it considers all of the machine except software
// adapters, which are for tests. Nothing is computed. The figures of a device are those of
// its Tuning, which twiddle tune measures.
//
//	c, err := nd.Choose(nil, spectrum)
//	fmt.Println(c) // cuda:0: 1.2 ms, of which 0.9 ms copying; cpu: 31 ms
//	power, err := nd.Slice[float32](ctx, c.Arrays[0])
func Choose(devices []*Device, arrays ...*Array) (*Choice, error) {
	nodes, err := toEvaluate(nil, arrays)
	if err != nil {
		return nil, err
	}
	if len(nodes) == 0 {
		return nil, errors.New("nd: choose: no arrays")
	}
	if len(devices) == 0 {
		for _, info := range Devices() {
			if info.Name == "null" {
				continue // computes nothing
			}
			d, err := Open(info.Name)
			if err != nil {
				return nil, err
			}
			if !d.d.Info().Software {
				devices = append(devices, d)
			}
		}
	}
	c := &Choice{}
	for i, d := range devices {
		if d == nil {
			return nil, fmt.Errorf("nd: choose: device %d is nil", i)
		}
		c.Candidates = append(c.Candidates, d.candidate(nodes))
	}
	slices.SortStableFunc(c.Candidates, func(a, b Candidate) int {
		switch {
		case (a.Err == "") != (b.Err == ""):
			return len(a.Err) - len(b.Err)
		case a.PredictedNs < b.PredictedNs:
			return -1
		case a.PredictedNs > b.PredictedNs:
			return 1
		}
		return 0
	})
	best := c.Candidates[0]
	if best.Err != "" {
		return nil, fmt.Errorf("nd: choose: no device can compute it: %s: %s", best.Device, best.Err)
	}
	c.Device, c.Arrays = best.device, best.arrays
	return c, nil
}

// candidate predicts what nodes would take on the device.
func (d *Device) candidate(nodes []*graph.Node) Candidate {
	c := Candidate{Device: d.Name(), device: d}
	there, err := graph.Rehome(graph.Place{Device: d.d.Index()}, nodes...)
	if err != nil {
		c.Err = err.Error()
		return c
	}
	r, err := engine.Explain(there)
	if err != nil {
		c.Err = err.Error()
		return c
	}
	c.ComputeNs, c.Launches = r.Profile.PredictedNs, r.Profile.Launches
	link := d.d.Info().Figures.Link
	for _, copy := range r.Copies {
		c.CopiedBytes += copy.Bytes
		c.CopyNs += link.ThereNs(copy.Bytes)
	}
	for _, n := range there {
		bytes := n.Len() * n.Type.Size()
		c.CopiedBytes += bytes
		c.CopyNs += link.BackNs(bytes)
	}
	c.PredictedNs = c.ComputeNs + c.CopyNs
	for _, n := range there {
		c.arrays = append(c.arrays, &Array{node: n})
	}
	return c
}

// String gives the candidates in a line, the chosen one first.
func (c *Choice) String() string {
	parts := make([]string, len(c.Candidates))
	for i, d := range c.Candidates {
		switch {
		case d.Err != "":
			parts[i] = fmt.Sprintf("%s cannot: %s", d.Device, d.Err)
		case d.CopyNs > 0:
			parts[i] = fmt.Sprintf("%s: %s, of which %s copying", d.Device, duration(d.PredictedNs), duration(d.CopyNs))
		default:
			parts[i] = fmt.Sprintf("%s: %s", d.Device, duration(d.PredictedNs))
		}
	}
	return strings.Join(parts, "; ")
}
