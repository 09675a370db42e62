package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/internal/simd"
)

// versionReport says what this binary is and what it found to run on.
type versionReport struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
	CPUs     int    `json:"cpus"`
	SIMD     string `json:"simd"`
}

func newVersionCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "version",
		Short: "Show the version, the build and the instruction set in use",
	}
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if err := simd.OverrideError(); err != nil {
			return err
		}
		return show(c, *asJSON, findVersion())
	}
	return c
}

func findVersion() *versionReport {
	r := &versionReport{
		Version: "(unknown)",
		Go:      runtime.Version(),
		OS:      runtime.GOOS,
		Arch:    runtime.GOARCH,
		CPUs:    runtime.GOMAXPROCS(0),
		SIMD:    simd.Active().String(),
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return r
	}
	r.Version = info.Main.Version
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			r.Revision = s.Value
		case "vcs.modified":
			r.Modified = s.Value == "true"
		}
	}
	return r
}

// String is what people are shown.
func (r *versionReport) String() string {
	built := r.Version
	if r.Revision != "" {
		built += " " + r.Revision[:min(12, len(r.Revision))]
		if r.Modified {
			built += "+changes"
		}
	}
	return fmt.Sprintf("twiddle %s\n%s %s/%s, %d CPUs, simd %s", built, r.Go, r.OS, r.Arch, r.CPUs, r.SIMD)
}

func (r *versionReport) WriteText(w io.Writer) error {
	_, err := fmt.Fprintln(w, r)
	return err
}
