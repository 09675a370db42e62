package lint_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/twiddle-go/twiddle/lint"
)

func ExampleFind() {
	r := lint.Find("TW005")
	fmt.Printf("%s (%s, %s): %s\n", r.Code, r.Kind, r.Analyzer.Name, r.Title)
	// Output: TW005 (error, norm): forward and inverse transform scale differently
}

func ExampleRun() {
	dir, err := os.MkdirTemp("", "lint")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	body := "half h = x[0];\nh *= 0.5f;\ny[0] = h;\n"
	if err := os.WriteFile(filepath.Join(dir, "halve.metal"), []byte(body), 0o644); err != nil {
		log.Fatal(err)
	}
	report, err := lint.Run(context.Background(), lint.Options{Dir: dir, Patterns: []string{"halve.metal"}})
	if err != nil {
		log.Fatal(err)
	}
	if err := report.WriteText(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// halve.metal:2:6: [warn TWK05] 0.5f is a float, so the half beside it becomes one too: write 0.5h
	// 1 kernel: 0 errors, 1 warning (TWK05 1); twiddle lint explain TWK05 tells more
}
