package beamrun

import (
	"context"
	"fmt"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
)

// ServePrism runs Beam's prism as a job service, until the context ends.
func ServePrism(ctx context.Context, port int) error {
	if _, err := prism.CreateJobServer(ctx, prism.Options{Port: port}); err != nil {
		return fmt.Errorf("fleet: prism: %w", err)
	}
	<-ctx.Done()
	return nil
}
