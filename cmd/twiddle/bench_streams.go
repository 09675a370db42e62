package main

import (
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/internal/timing"
)

// crossoverShapes go from lines too few to fill a core to more than the caches
// hold.
var crossoverShapes = []string{"1,4,256", "1,4,4096", "2,16,1024", "8,64,256", "8,64,1024", "8,64,4096", "8,64,16384"}

// crossoverRow is one shape with every number of streams.
type crossoverRow struct {
	Shape  []int              `json:"shape"`
	Mode   string             `json:"mode"`
	NS     map[string]float64 `json:"ns"`     // by number of streams
	Engine float64            `json:"engine"` // the engine's own choice
	Best   string             `json:"best"`   // the fastest number of streams
	Loss   float64            `json:"loss"`   // the engine's time over the best, less one
}

type crossover []crossoverRow

func newBenchStreamsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "streams",
		Short: "Show from which sizes on more streams help a convolution",
	}
	mode := c.Flags().String("mode", "circular", "circular, causal, full, same or valid")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		var rows crossover
		for _, shape := range crossoverShapes {
			measured, err := benchConv(c.Context(), shape, 0, *mode, []int{0, 1, 2, 4}, nil)
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
	best := rows[1]
	for _, row := range rows[1:] {
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
	t := timing.NewTable("shape", "1 stream", "2 streams", "4 streams", "engine", "best", "engine's loss")
	for _, r := range rows {
		t.Row(shapeText(r.Shape), timing.Nanoseconds(r.NS["1"]), timing.Nanoseconds(r.NS["2"]), timing.Nanoseconds(r.NS["4"]),
			timing.Nanoseconds(r.Engine), r.Best, fmt.Sprintf("%.1f%%", 100*r.Loss))
	}
	_, err := t.WriteTo(w)
	return err
}
