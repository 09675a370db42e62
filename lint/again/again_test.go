package again

import (
	"testing"

	"github.com/twiddle-go/twiddle/lint/internal/linttest"
)

func Test(t *testing.T)    { linttest.Run(t, Rule.Analyzer) }
func FuzzRun(f *testing.F) { linttest.Fuzz(f, Rule.Analyzer) }
