package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/internal/counted"
)

// isFolder reports a name of a folder.
func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// recordingsIn lists the recordings in a folder and those below it, by their paths from
// there. Hidden files are left out.
func recordingsIn(folder string) ([]string, error) {
	var list []string
	err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != folder && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return filepath.SkipDir
			}
		case d.Type().IsRegular():
			from, err := filepath.Rel(folder, name)
			if err != nil {
				return err
			}
			list = append(list, from)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if list = audio.Recordings(list); list == nil {
		return nil, noRecordings(folder)
	}
	return list, nil
}

// noRecordings says that a folder has none, and what they would be called.
func noRecordings(folder string) error {
	return fmt.Errorf("%s: no recordings: their names end in %s", folder, strings.Join(audio.Extensions(), ", "))
}

// overFolders lets a verb take a folder: it runs for every recording in it, and writes
// files with this ending. out is then a folder, or a pattern such as results/*.npy. One
// that cannot be read is reported, and the others go on.
func overFolders(c *cobra.Command, in, out *string, ending string) *cobra.Command {
	run := c.RunE
	c.Long += fmt.Sprintf("\n%s may be a folder, if --out is a folder or a pattern such as results/*%s.", strings.Fields(c.Use)[1], ending)
	c.RunE = func(c *cobra.Command, args []string) error {
		if !isFolder(*in) {
			return ofFile(run(c, args), *in)
		}
		folder, to, ending := *in, *out, ending
		if before, after, ok := strings.Cut(filepath.Base(to), "*"); ok {
			if before != "" {
				return usagef("--out %s: want a folder, or a pattern such as results/*%s", to, ending)
			}
			to, ending = filepath.Dir(to), after
		}
		if to == "" || filepath.Ext(to) != "" && !isFolder(to) {
			return usagef("%s is a folder: --out has to be one, too, or a pattern such as results/*%s", folder, ending)
		}
		files, err := recordingsIn(folder)
		if err != nil {
			return err
		}
		names := outputNames(files)
		var failed []string
		for i, name := range files {
			if err := c.Context().Err(); err != nil {
				return err
			}
			*in, *out = filepath.Join(folder, name), filepath.Join(to, names[i]+ending)
			err := os.MkdirAll(filepath.Dir(*out), 0o777)
			if err == nil {
				err = run(c, args)
			}
			var wrong *usageError
			if errors.As(err, &wrong) {
				return err // of every file
			}
			if err != nil {
				failed = append(failed, name)
				fmt.Fprintf(c.ErrOrStderr(), "twiddle: %s: %s\n", *in, inFlags(c, oneLine(err)))
			}
		}
		if len(failed) > 0 {
			return fmt.Errorf("%d of %s failed", len(failed), counted.Of(len(files), "recording"))
		}
		return nil
	}
	return c
}

// otherFile is an error about a file that is not a verb's first, with its name.
type otherFile struct{ error }

func (e otherFile) Unwrap() error { return e.error }

// ofFile adds the name of the file that an error is about, if it does not have it.
func ofFile(err error, name string) error {
	if err == nil || name == "" || errors.As(err, new(*usageError)) || errors.As(err, new(otherFile)) || errors.Is(err, context.Canceled) {
		return err
	}
	if name == "-" {
		name = "standard input"
	}
	if strings.Contains(err.Error(), name) {
		return err
	}
	return fmt.Errorf("%w (%s)", err, name)
}

// outputNames are names of files without their endings, but where two would be the same.
func outputNames(files []string) []string {
	bare := func(name string) string { return strings.TrimSuffix(name, filepath.Ext(name)) }
	count := map[string]int{}
	for _, f := range files {
		count[bare(f)]++
	}
	names := make([]string, len(files))
	for i, f := range files {
		if names[i] = bare(f); count[names[i]] > 1 {
			names[i] = f
		}
	}
	return names
}
