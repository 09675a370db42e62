package beamrun

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	// Runners register themselves.
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dot"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/flink"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/spark"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"

	"github.com/twiddle-go/twiddle/fleet"
)

// runners are the names that are registered above.
var runners = []string{"prism", "universal", "flink", "spark", "dot"}

// Runners lists the runners of Beam that this program has.
func Runners() []string { return slices.Clone(runners) }

// Run runs what is missing of a plan on a runner of Beam, which its name and
// Beam's flags say. A job that fails, as when a worker dies on a runner that
// does not retry, is submitted again up to retries times, and again as long as
// each attempt gets further than the one before.
func Run(ctx context.Context, runner string, r *fleet.Run, retries int) error {
	p := r.Plan
	name, err := p.Write()
	if err != nil {
		return err
	}
	if strings.EqualFold(*jobopts.EnvironmentType, "external") && *jobopts.WorkerBinary == "" {
		// Workers of a pool are there already: what Beam stages for them is
		// never run, so it need not be this program, of some 100 MB.
		f, err := os.CreateTemp("", "twiddle-fleet-no-worker-*")
		if err != nil {
			return fmt.Errorf("fleet: beam: %w", err)
		}
		defer os.Remove(f.Name())
		f.Close()
		*jobopts.WorkerBinary = f.Name()
	}
	w := where{Out: p.Config.Out, Plan: name, Device: p.Config.Device, Workers: p.Config.Workers}
	missing := len(r.Missing())
	for failed := 0; ; {
		_, err := beam.Run(ctx, runner, pipeline(w))
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		left := len(r.Missing())
		if failed++; left < missing {
			failed = 0
		}
		if failed > retries {
			return fmt.Errorf("fleet: beam: %s: %w", runner, err)
		}
		slog.Warn("the job failed and is submitted again", "units left", left, "error", err)
		missing = left
	}
}
