package cuda

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/driver"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/device/devicetest"
	"github.com/twiddle-go/twiddle/nd/internal/kern"
)

// cards are what kernels are compiled for where there is no GPU: an A100 and
// an H200.
var cards = []emit.Card{
	{Arch: 80, Processors: 108, SharedBytes: 163 << 10, L2Bytes: 40 << 20},
	{Arch: 90, Processors: 132, SharedBytes: 227 << 10, L2Bytes: 60 << 20},
}

// record generates every program that passes through it for all cards and
// compiles each text once, several at a time.
type record struct {
	nvrtc   *driver.Compiler
	both    bool // for all cards; else those of one text take turns
	jobs    chan []job
	workers sync.WaitGroup
	batches map[string][]job // by kind and card
	seen    map[string]bool

	mu      sync.Mutex
	results []compiled
}

type job struct {
	kind   string
	module *emit.Module
	arch   int
}

// compiled is what the assembler says about a kernel.
type compiled struct {
	kind, entry                   string
	arch                          int
	registers, spilled, localSize int
	err                           error
}

func newRecord(nvrtc *driver.Compiler, both bool) *record {
	r := &record{nvrtc: nvrtc, both: both, jobs: make(chan []job, 1<<16), seen: map[string]bool{}, batches: map[string][]job{}}
	for range 2 {
		r.workers.Go(func() {
			for batch := range r.jobs {
				r.compile(batch)
			}
		})
	}
	return r
}

// batchSize is how many short texts are compiled as one: starting the compiler
// takes as long as they do.
const batchSize = 8

func (r *record) add(p kern.Program) error {
	turn := len(r.seen) % len(cards)
	for i, card := range cards {
		m, err := generate(p, card)
		if err != nil {
			return err
		}
		id := fmt.Sprint(card.Arch) + m.Text
		other := fmt.Sprint(cards[1-i].Arch) + m.Text
		if r.seen[id] || !r.both && (r.seen[other] || i != turn && m.Text == textFor(p, cards[1-i])) {
			continue
		}
		r.seen[id] = true
		kind := fmt.Sprintf("%s %d", p.Name(), card.Arch)
		r.batches[kind] = append(r.batches[kind], job{p.Name(), m, card.Arch})
		if _, long := p.(*kern.FFT); long || len(r.batches[kind]) == batchSize || p.Name() == "line" {
			r.flush(kind)
		}
	}
	return nil
}

// textFor is the text of a program that is known to have one.
func textFor(p kern.Program, card emit.Card) string {
	m, err := generate(p, card)
	if err != nil {
		return ""
	}
	return m.Text
}

func (r *record) flush(kind string) {
	r.jobs <- r.batches[kind]
	delete(r.batches, kind)
}

// finish compiles the rest.
func (r *record) finish() []compiled {
	for kind := range r.batches {
		r.flush(kind)
	}
	close(r.jobs)
	r.workers.Wait()
	return r.results
}

// together is several texts as one: each in a namespace, entries renamed.
func together(batch []job) string {
	if len(batch) == 1 {
		return batch[0].module.Text
	}
	var b strings.Builder
	for i, j := range batch {
		text := j.module.Text
		renamed := map[string]bool{}
		for _, s := range j.module.Steps {
			if !renamed[s.Entry] {
				renamed[s.Entry] = true
				text = regexp.MustCompile(`\b`+s.Entry+`\b`).ReplaceAllString(text, fmt.Sprintf("%s_%d", s.Entry, i))
			}
		}
		fmt.Fprintf(&b, "namespace n%d {\n%s\n}\n", i, text)
	}
	return b.String()
}

var (
	entryLine = regexp.MustCompile(`Compiling entry function '([^']+)'`)
	spillLine = regexp.MustCompile(`(\d+) bytes stack frame, (\d+) bytes spill stores`)
	usedLine  = regexp.MustCompile(`Used (\d+) registers`)
)

func (r *record) compile(batch []job) {
	kind, arch := batch[0].kind, batch[0].arch
	code, log, err := r.nvrtc.Compile(kind, together(batch), append(driver.Options(arch), "--ptxas-options=-v")...)
	if err != nil && len(batch) > 1 {
		for _, j := range batch { // whose fault is it?
			r.compile([]job{j})
		}
		return
	}
	if err == nil && len(code) == 0 {
		err = errors.New("no code")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.results = append(r.results, compiled{kind: kind, arch: arch, err: err})
		return
	}
	number := func(s string) int { n, _ := strconv.Atoi(s); return n }
	c := compiled{kind: kind, arch: arch}
	for line := range strings.Lines(log) {
		if m := entryLine.FindStringSubmatch(line); m != nil {
			c.entry = m[1]
		}
		if m := spillLine.FindStringSubmatch(line); m != nil {
			c.localSize, c.spilled = number(m[1]), number(m[2])
		}
		if m := usedLine.FindStringSubmatch(line); m != nil && c.entry != "" {
			c.registers = number(m[1])
			r.results = append(r.results, c)
			c = compiled{kind: kind, arch: arch}
		}
	}
}

// Where NVRTC is present, every kernel that the conformance suite would run is
// generated and compiled, and what the assembler says is reported. With
// TWIDDLE_TEST_KERNELS=all, texts that are the same for all cards are compiled
// for each of them.
func TestEveryKernelCompiles(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles hundreds of kernels")
	}
	nvrtc, err := driver.OpenCompiler(90, 0)
	if err != nil {
		t.Skip(err)
	}
	r := newRecord(nvrtc, os.Getenv("TWIDDLE_TEST_KERNELS") == "all")
	t.Run("suite", func(t *testing.T) {
		devicetest.Run(t, func() device.Device { return openSimWith(t, r.add) })
	})
	results := r.finish()
	if len(results) == 0 {
		t.Fatal("nothing was compiled")
	}
	type row struct{ kernels, registers, spills, local int }
	rows := map[string]*row{}
	failed := 0
	for _, c := range results {
		if c.err != nil {
			if failed++; failed <= 5 {
				t.Errorf("%s for sm_%d: %v", c.kind, c.arch, c.err)
			}
			continue
		}
		k := fmt.Sprintf("%s sm_%d", c.kind, c.arch)
		if rows[k] == nil {
			rows[k] = &row{}
		}
		x := rows[k]
		x.kernels++
		x.registers = max(x.registers, c.registers)
		x.local = max(x.local, c.localSize)
		if c.spilled > 0 {
			x.spills++
		}
	}
	if failed > 5 {
		t.Errorf("%d texts do not compile in all", failed)
	}
	var names []string
	for k := range rows {
		names = append(names, k)
	}
	sort.Strings(names)
	for _, k := range names {
		x := rows[k]
		t.Logf("%-16s %4d kernels, at most %3d registers, %d with spills, at most %d bytes of local memory", k, x.kernels, x.registers, x.spills, x.local)
	}
}
