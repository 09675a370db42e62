package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/lint"
)

func newLintCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "lint [PACKAGES or .metal files]",
		Short: "Find slow and wrong array code, and fix what is certain",
		Long: "Find code that uses arrays, and kernels, in ways that are slow or wrong. Packages are\n" +
			"given as to go build; . is the default. The status is 1 if there are findings of kind\n" +
			"error.\n\n" +
			"A comment with a reason suppresses a finding:\n\n" +
			"  //twiddle:ignore TW007 the mirror image is plotted too\n\n" +
			"As a vet tool: go vet -vettool=$(which twiddle) ./...",
		Args: cobra.ArbitraryArgs,
	}
	f := c.Flags()
	asJSON := addJSON(c)
	asSARIF := f.Bool("sarif", false, "print the result as SARIF, for code hosts and editors")
	teach := f.Bool("teach", false, "also explain idioms, at their first use")
	fix := f.Bool("fix", false, "apply the fixes of findings that have one")
	disable := f.StringSlice("disable", nil, "rules to turn off, separated by commas")
	c.RunE = func(c *cobra.Command, args []string) error {
		if *asJSON && *asSARIF {
			return usagef("--json and --sarif exclude each other")
		}
		for _, code := range *disable {
			if lint.Find(code) == nil {
				return usagef("--disable: there is no rule %q; see 'twiddle lint explain'", code)
			}
		}
		report, err := lint.Run(c.Context(), lint.Options{Patterns: args, Disable: *disable, Teach: *teach})
		if errors.Is(err, lint.ErrNothing) {
			return &usageError{err}
		}
		if err != nil {
			return err
		}
		if *fix {
			if err := report.Fix("."); err != nil {
				return err
			}
		}
		switch {
		case *asJSON:
			err = timing.WriteJSON(c.OutOrStdout(), report)
		case *asSARIF:
			err = report.WriteSARIF(c.OutOrStdout())
		default:
			err = report.WriteText(c.OutOrStdout())
		}
		if err == nil && report.Summary.Errors > 0 {
			err = fmt.Errorf("lint: findings of kind error: %d", report.Summary.Errors)
		}
		return err
	}
	c.AddCommand(newLintExplainCommand())
	return c
}

func newLintExplainCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "explain [CODE]",
		Short: "Explain a rule, or list the rules",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return fmt.Errorf("want one code at a time, got %d", len(args))
			}
			return nil
		},
	}
	c.RunE = func(c *cobra.Command, args []string) error {
		w := c.OutOrStdout()
		if len(args) == 0 {
			for _, r := range lint.Rules() {
				if _, err := fmt.Fprintf(w, "%-6s %-5s %s\n", r.Code, r.Kind, r.Title); err != nil {
					return err
				}
			}
			return nil
		}
		r := lint.Find(args[0])
		if r == nil {
			return usagef("there is no rule %q; 'twiddle lint explain' lists them", args[0])
		}
		_, err := fmt.Fprintf(w, "%s (%s): %s\n\n%s\n", r.Code, r.Kind, r.Title, strings.TrimSpace(r.Lesson))
		return err
	}
	return c
}

// vet serves go vet -vettool: the go command asks for a version, for flags,
// and then for one package after the other, described by a .cfg file. It does
// not return if the command line is one of those.
func vet(args []string) {
	if len(args) == 0 {
		return
	}
	last := args[len(args)-1]
	if last != "-V=full" && last != "-flags" && !strings.HasSuffix(last, ".cfg") {
		return
	}
	for _, a := range args[:len(args)-1] {
		if !strings.HasPrefix(a, "-") {
			return // a verb with a file of that name
		}
	}
	unitchecker.Main(lint.Analyzers()...)
}
