package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/nd"
)

// devicesReport lists what there is to compute on, and what there is not.
type devicesReport struct {
	Devices     []nd.DeviceInfo     `json:"devices"`
	Unavailable []unavailableDevice `json:"unavailable,omitempty"`
}

type unavailableDevice struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

func newDevicesCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "devices",
		Short: "List the devices: CPU and GPUs",
		Long: "List the devices: the CPU and GPUs. NVIDIA GPUs are cuda:0, cuda:1 and so on, and GPUs by\n" +
			"WebGPU are webgpu:0 and so on. If a driver or a library is missing, the list says what was\n" +
			"searched and what to install.",
	}
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		r := &devicesReport{Devices: nd.Devices()}
		for _, u := range nd.Unavailable() {
			r.Unavailable = append(r.Unavailable, unavailableDevice{u.Name, u.Err.Error()})
		}
		return show(c, *asJSON, r)
	}
	return c
}

func (r *devicesReport) WriteText(w io.Writer) error {
	var b strings.Builder
	for _, d := range r.Devices {
		fmt.Fprintf(&b, "%-8s %s", d.Name, d.Description)
		if d.MemoryBytes > 0 {
			fmt.Fprintf(&b, ", %.1f GiB", float64(d.MemoryBytes)/(1<<30))
		}
		b.WriteByte('\n')
		for _, n := range d.Notes {
			fmt.Fprintf(&b, "%-8s note: %s\n", "", n)
		}
	}
	for _, u := range r.Unavailable {
		fmt.Fprintf(&b, "%-8s not available: %s\n", u.Name, strings.TrimPrefix(u.Why, u.Name+": "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
