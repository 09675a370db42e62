package main

import (
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/nd"
)

// crossoverShapes go from lines too few to fill a core to more than the caches
// hold; the last are few channels of long lines, and many of short ones.
var crossoverShapes = []string{"1,8,256", "1,8,4096", "2,16,1024", "8,64,256", "8,64,1024", "8,64,4096", "8,64,16384", "1,8,262144", "1,4096,256"}

// forcedStreams are the numbers of streams that every shape is measured with.
var forcedStreams = []int{1, 2, 4, 8}

// crossoverRow is one shape with every number of streams.
type crossoverRow struct {
	Shape  []int              `json:"shape"`
	Mode   string             `json:"mode"`
	NS     map[string]float64 `json:"ns"`     // by number of streams
	Engine float64            `json:"engine"` // the engine's own choice; of a forced number with the same plan, the lesser time
	Best   string             `json:"best"`   // the fastest number of streams
	Loss   float64            `json:"loss"`   // the engine's time over the best, less one
}

type crossover []crossoverRow

func newBenchStreamsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "streams",
		Short: "Show at which sizes more streams help a convolution",
		Long: "Time convolutions of nine shapes with one to eight streams, and compare them with the\n" +
			"engine's own choice. A software adapter of WebGPU runs the first three shapes.",
	}
	mode := c.Flags().String("mode", "circular", "circular, causal, full, same or valid")
	device := c.Flags().String("device", "cpu", "the device to run on; see 'twiddle devices'")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		dev, err := nd.Open(*device)
		if err != nil {
			return usagef("--device: %w", err)
		}
		var rows crossover
		shapes := crossoverShapes
		if dev.Info().Software {
			shapes = shapes[:3]
		}
		for _, shape := range shapes {
			measured, err := benchConv(c.Context(), dev, shape, 0, *mode, append([]int{0}, forcedStreams...), nil)
			if err != nil {
				return err
			}
			rows = append(rows, crossoverOf(measured))
		}
		return show(c, *asJSON, rows)
	}
	return c
}

func crossoverOf(rows convRows) crossoverRow {
	r := crossoverRow{Shape: rows[0].Shape, Mode: rows[0].Mode, NS: map[string]float64{}, Engine: rows[0].NS}
	best := convRow{NS: math.Inf(1)}
	for i, row := range rows[1:] {
		if row.plan == rows[0].plan { // the same launches, measured twice
			row.NS = min(row.NS, r.Engine)
			r.Engine, rows[1+i].NS = row.NS, row.NS
		}
		r.NS[strconv.Itoa(row.Streams)] = row.NS
		if row.NS < best.NS {
			best = row
		}
	}
	r.Best = strconv.Itoa(best.Streams)
	r.Loss = max(0, r.Engine/best.NS-1)
	return r
}

func (rows crossover) WriteText(w io.Writer) error {
	head := []string{"shape"}
	for _, n := range forcedStreams {
		head = append(head, counted.Of(n, "stream"))
	}
	t := timing.NewTable(append(head, "engine", "best", "engine's loss")...)
	for _, r := range rows {
		cells := []any{shapeText(r.Shape)}
		for _, n := range forcedStreams {
			cells = append(cells, timing.Nanoseconds(r.NS[strconv.Itoa(n)]))
		}
		t.Row(append(cells, timing.Nanoseconds(r.Engine), r.Best, fmt.Sprintf("%.1f%%", 100*r.Loss))...)
	}
	_, err := t.WriteTo(w)
	return err
}
