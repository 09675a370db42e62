//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"
)

// files gives every verb that reads, in every place of a file, each hostile file,
// and the good files of other kinds.
func (t *torture) files() (string, []string) {
	hostile, err := t.hostileFiles()
	if err != nil {
		return "", []string{err.Error()}
	}
	slices.Sort(hostile)
	for _, name := range t.inputs.files {
		hostile = append(hostile, name)
	}
	verbs, err := t.verbs()
	if err != nil {
		return "", []string{err.Error()}
	}
	var crew crew
	read := 0
	for _, verb := range verbs {
		if _, known := calls[verb]; !known {
			crew.fail(fmt.Sprintf("the verb %q has no row in verbs.go", verb))
			continue
		}
		if len(places(verb, false)) > 0 {
			read++
		}
		for _, place := range places(verb, false) {
			for i, file := range hostile {
				if t.quick && i%4 != len(verb)%4 {
					continue
				}
				crew.run(t, func(folder string) (*process, []string) {
					args, err := t.command(verb, folder, map[string]string{place: file})
					if err != nil {
						return nil, []string{err.Error()}
					}
					p, wrong := t.verb(folder, patience, args...)
					if p.status != 0 {
						wrong = append(wrong, leftovers(folder, p.args)...)
					}
					return p, wrong
				})
			}
		}
	}
	crew.wait()
	if left, err := os.ReadDir(t.inputs.temporary); err == nil && len(left) > 0 {
		crew.fail(fmt.Sprintf("%d temporary files are left behind, such as %s", len(left), left[0].Name()))
	}
	return fmt.Sprintf("%d files, %d verbs that read, %s", len(hostile), read, crew.said()), crew.failures
}

// leftovers are files that a verb that failed should not have written.
func leftovers(folder string, args []string) []string {
	var list []string
	_ = filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		// A page says which recordings could not be read.
		if fault := half(path); fault != nil || filepath.Ext(path) != ".html" {
			list = append(list, fmt.Sprintf("twiddle %s: failed and left %s: %v", shown(args), filepath.Base(path), fault))
		}
		return nil
	})
	return list
}

// crew does runs, as many at a time as there are cores, each in a folder of its
// own.
type crew struct {
	mu                sync.Mutex
	workers           sync.WaitGroup
	free              chan struct{}
	runs, interrupted int
	slowest           time.Duration // from an interrupt to the end
	resident          int           // bytes, of the run that had most
	failures          []string
}

// mostFailures are listed; a fault that every run has need not be listed by each.
const mostFailures = 60

func (c *crew) fail(list ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, f := range list {
		if len(c.failures) < mostFailures {
			c.failures = append(c.failures, f)
		}
	}
}

// run does one thing when a worker is free.
func (c *crew) run(t *torture, do func(folder string) (*process, []string)) {
	if c.free == nil {
		c.free = make(chan struct{}, runtime.GOMAXPROCS(0))
	}
	c.free <- struct{}{}
	c.runs++
	c.workers.Go(func() {
		defer func() { <-c.free }()
		folder, err := os.MkdirTemp(t.work, "run-")
		if err != nil {
			c.fail(err.Error())
			return
		}
		p, wrong := do(folder)
		c.fail(wrong...)
		_ = os.RemoveAll(folder)
		if p == nil {
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.resident = max(c.resident, p.resident)
		if p.interrupted {
			c.interrupted++
			c.slowest = max(c.slowest, p.after)
		}
	})
}

func (c *crew) wait() { c.workers.Wait() }

// said is what the runs came to.
func (c *crew) said() string {
	return fmt.Sprintf("%d runs, at most %d MiB resident, %d interrupted, gone within %d ms", c.runs, c.resident>>20, c.interrupted, c.slowest.Milliseconds())
}
