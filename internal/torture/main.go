//go:build linux

package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// part is something to do to Twiddle; it gives what it did, in words with
// counts, and what went wrong.
type part struct {
	name, about string
	run         func(*torture) (did string, failures []string)
}

var parts = []part{
	{"files", "every verb that reads, on files that are not what they say", (*torture).files},
	{"outputs", "every verb that writes: full disks, folders that cannot be written, output = input", (*torture).outputs},
	{"flags", "every flag of every verb, with values that make no sense", (*torture).flags},
	{"kill", "Ctrl-C and kill -9 in the middle of every verb that writes", (*torture).kill},
	{"large", "sparse files of 10 GB and a recording of two hours, in bounded memory", (*torture).large},
	{"crowd", "16 goroutines, streams, cancels, releases and limits at once", (*torture).crowd},
	{"small", "a million small evaluations", (*torture).small},
	{"soak", "mixed work of changing lengths, for as long as -for says", (*torture).soak},
}

// torture is what the parts share.
type torture struct {
	work    string // a folder that is removed at the end
	twiddle string // the command
	seed    uint64
	span    time.Duration
	quick   bool
	only    string
	inputs  *inputs
}

func main() {
	t := &torture{}
	flag.DurationVar(&t.span, "for", time.Hour, "how long soak and crowd take (crowd: a minute at most)")
	flag.Uint64Var(&t.seed, "seed", 1, "of everything that is drawn")
	flag.BoolVar(&t.quick, "quick", false, "a part of each part")
	flag.StringVar(&t.only, "only", "", "only verbs with this in their names")
	flag.StringVar(&t.twiddle, "twiddle", "", "the command to torture (default: build it)")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: torture [flags] [part...]; all parts but soak if none is named")
		for _, p := range parts {
			fmt.Fprintf(flag.CommandLine.Output(), "  %-8s %s\n", p.name, p.about)
		}
		flag.PrintDefaults()
	}
	flag.Parse()
	code, err := t.all(flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "torture:", err)
		code = 2
	}
	os.Exit(code)
}

func (t *torture) all(names []string) (code int, err error) {
	if len(names) == 0 {
		for _, p := range parts {
			if p.name != "soak" {
				names = append(names, p.name)
			}
		}
	}
	var chosen []part
	for _, name := range names {
		i := slices.IndexFunc(parts, func(p part) bool { return p.name == name })
		if i < 0 {
			return 2, fmt.Errorf("no part is named %q; see -help", name)
		}
		chosen = append(chosen, parts[i])
	}
	if t.work, err = os.MkdirTemp("", "torture-"); err != nil {
		return 2, err
	}
	defer func() { _ = os.RemoveAll(t.work) }()
	if t.twiddle == "" {
		t.twiddle = filepath.Join(t.work, "twiddle")
		build := exec.Command("go", "build", "-o", t.twiddle, "./cmd/twiddle")
		if out, err := build.CombinedOutput(); err != nil {
			return 2, fmt.Errorf("build: %v\n%s", err, out)
		}
	}
	if t.inputs, err = t.makeInputs(); err != nil {
		return 2, err
	}
	for _, p := range chosen {
		start := time.Now()
		did, failures := p.run(t)
		for _, f := range failures {
			fmt.Printf("torture: %s: FAILED: %s\n", p.name, f)
			code = 1
		}
		fmt.Printf("torture: %s: %s; %d failed; %s\n", p.name, did, len(failures), time.Since(start).Round(time.Second))
	}
	return code, nil
}
