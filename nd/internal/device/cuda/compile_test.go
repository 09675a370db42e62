package cuda

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/device/devicetest"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// cards are what kernels are compiled for where there is no GPU: an A100 and
// an H200.
var cards = []emit.Card{
	{Arch: 80, Processors: 108, SharedBytes: 163 << 10, L2Bytes: 40 << 20},
	{Arch: 90, Processors: 132, SharedBytes: 227 << 10, L2Bytes: 60 << 20, Cluster: 16, Maps: true},
}

// coverage is how much is compiled: each text once, for one card or the other
// in turns, but of kinds that have many only some; with
// TWIDDLE_TEST_KERNELS=each, every text once; with =all, every text for every
// card.
type coverage int

const (
	some coverage = iota
	each
	all
)

// someTexts is how many texts of a kind are enough for a test run.
const someTexts = 24

func wanted() coverage {
	switch os.Getenv("TWIDDLE_TEST_KERNELS") {
	case "each":
		return each
	case "all":
		return all
	}
	return some
}

// record generates every program that passes through it for all cards and
// compiles texts, several at a time.
type record struct {
	nvrtc   *driver.Compiler
	cover   coverage
	jobs    chan []job
	workers sync.WaitGroup
	batches map[string][]job // by kind and card
	bytes   map[string]int   // of their texts
	seen    map[string]bool
	texts   map[string]int // by kind

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

func newRecord(nvrtc *driver.Compiler, cover coverage) *record {
	r := &record{nvrtc: nvrtc, cover: cover, jobs: make(chan []job, 1<<16), seen: map[string]bool{}, texts: map[string]int{}, batches: map[string][]job{}, bytes: map[string]int{}}
	for range runtime.GOMAXPROCS(0) {
		r.workers.Go(func() {
			for batch := range r.jobs {
				r.compile(batch)
			}
		})
	}
	return r
}

// batchBytes is how much text is compiled as one: starting the compiler takes as
// long as a short kernel does.
const batchBytes = 32 << 10

func (r *record) add(p ir.Program) error { return r.addAs(p.Name(), p) }

// addAs compiles a program under a name of its own.
func (r *record) addAs(name string, p ir.Program) error {
	for i, card := range cards {
		m, err := generate(p, card)
		if err != nil {
			return err
		}
		if id := fmt.Sprint(card.Arch) + m.Text; r.seen[id] {
			continue
		} else {
			r.seen[id] = true
		}
		if i == 0 {
			r.texts[name]++
		}
		n := r.texts[name]
		if r.cover == some && n > someTexts && n&(n-1) != 0 {
			continue
		}
		// Where the text is the same for both, one of them will do.
		if r.cover != all && n%len(cards) != i && m.Text == textFor(p, cards[1-i]) {
			continue
		}
		kind := fmt.Sprintf("%s %d", name, card.Arch)
		j := job{name, m, card.Arch}
		r.batches[kind] = append(r.batches[kind], j)
		if r.bytes[kind] += len(m.Text); r.bytes[kind] >= batchBytes {
			r.flush(kind)
		}
	}
	return nil
}

// textFor is the text of a program that is known to have one.
func textFor(p ir.Program, card emit.Card) string {
	m, err := generate(p, card)
	if err != nil {
		return ""
	}
	return m.Text
}

func (r *record) flush(kind string) {
	r.jobs <- r.batches[kind]
	delete(r.batches, kind)
	delete(r.bytes, kind)
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

// Where NVRTC is present, the kernels that the conformance suite would run are
// generated and compiled, and what the assembler says is reported.
func TestKernelsCompile(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles hundreds of kernels")
	}
	nvrtc, err := driver.OpenCompiler(90, 0)
	if err != nil {
		t.Skip(err)
	}
	r := newRecord(nvrtc, wanted())
	t.Run("suite", func(t *testing.T) {
		devicetest.Run(t, func() device.Device { return openSimWith(t, r.add) })
	})
	results := r.finish()
	if len(results) == 0 {
		t.Fatal("nothing was compiled")
	}
	report(t, results)
}

// report logs the worst of each kind, and fails for what did not compile.
func report(t *testing.T, results []compiled) {
	t.Helper()
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
	for _, k := range slices.Sorted(maps.Keys(rows)) {
		x := rows[k]
		t.Logf("%-16s %4d kernels, at most %3d registers, %d with spills, at most %d bytes of local memory", k, x.kernels, x.registers, x.spills, x.local)
	}
}

// Transforms that fit into one kernel keep their lines in registers: none of
// them may spill.
func TestTransformsDoNotSpill(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: compiles long kernels")
	}
	nvrtc, err := driver.OpenCompiler(90, 0)
	if err != nil {
		t.Skip(err)
	}
	r := newRecord(nvrtc, all)
	for _, n := range []int{64, 256, 1000, 1024, 2048, 4096, 8192, 32768} {
		for _, typ := range []elem.Type{elem.Complex64, elem.Complex128} {
			dims := []int{4096, n}
			o := ir.Contiguous(typ, dims)
			if err := r.addAs(fmt.Sprintf("%s %d", typ, n), &ir.FFT{Outer: dims[:1], Kind: ir.FFTComplex, N: n, Scale: 1, InLen: n, In: o, Out: o}); err != nil {
				t.Errorf("%d: %v", n, err)
			}
		}
	}
	for _, c := range r.finish() {
		if c.err != nil || c.spilled > 0 {
			t.Errorf("%s for sm_%d: %d bytes spilled, %v", c.kind, c.arch, c.spilled, c.err)
		}
		t.Logf("%-16s sm_%d: %d registers, %d bytes of local memory", c.kind, c.arch, c.registers, c.localSize)
	}
}
