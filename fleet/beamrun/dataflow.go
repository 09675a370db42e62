//go:build dataflow

package beamrun

// Dataflow brings Google's client libraries along, which take minutes to
// compile: go build -tags dataflow has it.
import _ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"

func init() { runners = append(runners, "dataflow") }
