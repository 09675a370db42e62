package main

import (
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/internal/replace"
	"github.com/twiddle-go/twiddle/internal/timing"
)

// report is what a verb found out: text for people, itself for JSON.
type report interface {
	WriteText(io.Writer) error
}

// addJSON gives a verb its --json flag.
func addJSON(c *cobra.Command) *bool {
	return c.Flags().Bool("json", false, "print the result as JSON")
}

// makeParent makes the folder of a file that is to be written, if a name is given:
// before anything is measured, so that nothing is measured in vain.
func makeParent(name string) error {
	if name == "" {
		return nil
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return usagef("%s is a folder: want a file to write", name)
	}
	return os.MkdirAll(filepath.Dir(name), 0o777)
}

// writeJSONFile writes a result to a file of its own.
func writeJSONFile(name string, v any) error {
	return replace.File(name, func(out *os.File) error { return timing.WriteJSON(out, v) })
}

// show prints r on the verb's stdout in the form asked for.
func show(c *cobra.Command, asJSON bool, r report) error {
	if asJSON {
		return timing.WriteJSON(c.OutOrStdout(), r)
	}
	return r.WriteText(c.OutOrStdout())
}
