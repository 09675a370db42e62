// Command record hashes the results of a fixed set of programs on one device,
// and compares them with hashes that were recorded before.
//
// It answers one question: did a change of the compiler or of a device change
// any bit of any result? The set covers every kind of program, every element
// type, and the fused pipelines that the benchmarks measure, forward and with
// gradients. Random pipelines over lines follow.
//
//	go run ./internal/record --check internal/record/hashes/cpu-avx512.txt
//	TWIDDLE_SIMD=portable go run ./internal/record --check internal/record/hashes/cpu-portable.txt
//	record --device cuda:0 --out h200.txt
//
// A GPU's kernels are compiled one after the other in a process. --part 0/8 to 7/8 are
// eight processes that share the cases; their files, one behind the other, are the whole.
//
// A binary of it needs nothing beside it, so it can be built on one machine and
// run on another. Where a result is meant to change, record it again and say why
// in the commit.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/nd"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, w io.Writer) error {
	f := flag.NewFlagSet("record", flag.ContinueOnError)
	device := f.String("device", "cpu", "the device that computes")
	out := f.String("out", "", "write the hashes to this file")
	check := f.String("check", "", "compare with the hashes in this file")
	plans := f.String("plans", "", "write the plan of every case to this folder, to compare plans")
	var some selection
	f.StringVar(&some.only, "only", "", "only cases whose name contains this")
	f.Func("part", "only one of some parts, such as 0/8", some.setPart)
	workers := f.Int("workers", runtime.GOMAXPROCS(0), "how many cases are computed at once")
	note := f.String("note", "", "what to say about the machine in the file")
	if err := f.Parse(args); err != nil {
		return err
	}
	d, err := nd.Open(*device)
	if err != nil {
		return err
	}
	r := recorder{ctx: ctx, device: d, plans: *plans}
	start := time.Now()
	rows := r.all(some, max(1, *workers))
	fmt.Fprintf(w, "%d results on %s, SIMD level %s, in %.1f s\n", len(rows), d.Name(), simd.Active(), time.Since(start).Seconds())
	if *out != "" {
		if err := writeRows(*out, fmt.Sprintf("%s, SIMD level %s; %s", d.Name(), simd.Active(), *note), rows); err != nil {
			return err
		}
	}
	if *check == "" {
		return nil
	}
	before, err := readRows(*check)
	if err != nil {
		return err
	}
	return compare(w, before, rows, some)
}

// selection is which cases are computed.
type selection struct {
	only        string
	part, parts uint32 // none if parts is 0
}

func (s *selection) setPart(text string) error {
	if n, err := fmt.Sscanf(text, "%d/%d", &s.part, &s.parts); n != 2 || err != nil || s.part >= s.parts {
		return fmt.Errorf("want a number below another, such as 0/8")
	}
	return nil
}

// has goes by a case's name, so that cases which come or go move no others.
func (s selection) has(name string) bool {
	h := fnv.New32a()
	h.Write([]byte(name))
	return strings.Contains(name, s.only) && (s.parts == 0 || h.Sum32()%s.parts == s.part)
}

// row is one result: what it hashes to, and how many launches made it.
type row struct {
	name, hash string
	launches   int
}

func writeRows(name, about string, rows []row) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n# hash of shapes, types and bits; launches; case\n", about)
	for _, r := range rows {
		fmt.Fprintf(&b, "%s %d %s\n", r.hash, r.launches, r.name)
	}
	return os.WriteFile(name, []byte(b.String()), 0o644)
}

func readRows(name string) ([]row, error) {
	file, err := os.Open(filepath.Clean(name))
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var rows []row
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		text := lines.Text()
		if text == "" || text[0] == '#' {
			continue
		}
		fields := strings.SplitN(text, " ", 3)
		if len(fields) < 3 {
			return nil, fmt.Errorf("%s: %q: want a hash, a number of launches and a name", name, text)
		}
		launches, err := strconv.Atoi(fields[1])
		if err != nil {
			return nil, fmt.Errorf("%s: %q: %w", name, text, err)
		}
		rows = append(rows, row{fields[2], fields[0], launches})
	}
	return rows, lines.Err()
}

// compare reports every result that differs. A different number of launches is
// told and no fault: plans may improve.
func compare(w io.Writer, before, after []row, some selection) error {
	now := map[string]row{}
	for _, r := range after {
		now[r.name] = r
	}
	differ, launches := 0, 0
	for _, b := range before {
		if !some.has(b.name) {
			continue
		}
		a, ok := now[b.name]
		delete(now, b.name)
		switch {
		case !ok:
			differ++
			fmt.Fprintf(w, "%s: no longer computed\n", b.name)
		case a.hash != b.hash:
			differ++
			fmt.Fprintf(w, "%s: %s before, %s now\n", b.name, b.hash, a.hash)
		case a.launches != b.launches:
			launches++
			fmt.Fprintf(w, "%s: same bits, %d launches before, %d now\n", b.name, b.launches, a.launches)
		}
	}
	for name := range now {
		fmt.Fprintf(w, "%s: new, compared with nothing\n", name)
	}
	if differ > 0 {
		return fmt.Errorf("%d of %d results differ", differ, len(before))
	}
	fmt.Fprintf(w, "every result has the bits it had; %d with another number of launches\n", launches)
	return nil
}
