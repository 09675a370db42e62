package nd

import (
	"fmt"
	"log/slog"
	"os"
	"strconv"

	"github.com/twiddle-go/twiddle/nd/internal/sched"
)

// VerifyError says that an array differs, by more than rounding, from the same operations
// computed one by one: a bug of the planner or of a kernel, or a hardware error. Include
// its Graph in a bug report. Its fields are
//
//	Op      string // the operation that made the array
//	Shape   []int
//	Index   int    // of the first element that differs, in row-major order
//	Fused   string // that element in the plan of the whole graph
//	Unfused string // and computed by operations one by one
//	Count   int    // elements that differ
//	Graph   string // the operations, one for each line
type VerifyError = sched.VerifyError

// VerifyCounts is how many evaluations were verified. Its fields are
//
//	Same      int
//	Different int
//	Skipped   int // chosen but not compared: they may overwrite a donated array, or need too much memory
type VerifyCounts = sched.VerifyCounts

// verifyVar sets the fraction when the process starts.
const verifyVar = "TWIDDLE_VERIFY"

// SetVerify lets a fraction of evaluations, from 0 to 1, be computed a second time, each
// operation by a separate plan, and compared. Eval, Slice and Item then return a
// *VerifyError if the two differ by more than rounding. The environment variable
// TWIDDLE_VERIFY=0.01 does the same; the default is 0.
//
// A verified evaluation takes several times as long, and memory for its largest
// intermediates, so a fraction of 0.01 costs some percent; see docs/RELIABILITY.md. With 0,
// nothing is computed or counted. Evaluations that may overwrite a donated array and those
// of Async are not verified.
func SetVerify(fraction float64) error {
	if err := engine.SetVerify(fraction); err != nil {
		return fmt.Errorf("nd: setverify: %w", err)
	}
	return nil
}

// Verified is how many evaluations were verified so far.
func Verified() VerifyCounts { return engine.Verified() }

// verifyFromEnvironment is what a new engine does.
func verifyFromEnvironment(e *sched.Engine) {
	text := os.Getenv(verifyVar)
	if text == "" {
		return
	}
	fraction, err := strconv.ParseFloat(text, 64)
	if err == nil {
		err = e.SetVerify(fraction)
	}
	if err != nil {
		slog.Warn("nd: "+verifyVar+" is not a fraction from 0 to 1: nothing is verified", "value", text)
	}
}
