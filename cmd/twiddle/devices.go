package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/nd"
)

// devicesReport lists what there is to compute on.
type devicesReport struct {
	Devices []nd.DeviceInfo `json:"devices"`
}

func newDevicesCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "devices",
		Short: "List what there is to compute on",
	}
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		return show(c, *asJSON, &devicesReport{nd.Devices()})
	}
	return c
}

func (r *devicesReport) WriteText(w io.Writer) error {
	for _, d := range r.Devices {
		line := fmt.Sprintf("%-8s %s", d.Name, d.Description)
		if d.MemoryBytes > 0 {
			line += fmt.Sprintf(", %.1f GiB", float64(d.MemoryBytes)/(1<<30))
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}
