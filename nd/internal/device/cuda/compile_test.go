package cuda

import (
	"errors"
	"fmt"
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
// compiles each text once.
type record struct {
	nvrtc   *driver.Compiler
	jobs    chan job
	workers sync.WaitGroup

	mu      sync.Mutex
	seen    map[string]bool
	kinds   map[string]int
	refused map[string]string
	results []compiled
}

type job struct {
	program kern.Program
	module  *emit.Module
	arch    int
}

// compiled is what the assembler says about a kernel.
type compiled struct {
	kind, entry                   string
	arch                          int
	registers, spilled, localSize int
	err                           error
}

func newRecord(nvrtc *driver.Compiler) *record {
	r := &record{nvrtc: nvrtc, jobs: make(chan job, 1<<16), seen: map[string]bool{}, kinds: map[string]int{}, refused: map[string]string{}}
	for range 2 {
		r.workers.Go(func() {
			for j := range r.jobs {
				r.compile(j)
			}
		})
	}
	return r
}

func (r *record) add(p kern.Program) error {
	for i, card := range cards {
		m, err := generate(p, card)
		if err != nil {
			return err
		}
		key := fmt.Sprint(card.Arch) + m.Text
		r.mu.Lock()
		again := r.seen[key]
		r.seen[key] = true
		// Where the text is the same for both, compiling half of them for each
		// finds the same faults in half the time.
		other := r.seen[fmt.Sprint(cards[1-i].Arch)+m.Text]
		if !again && !other {
			r.kinds[p.Name()]++
		}
		r.mu.Unlock()
		if !again && (!other || len(r.results)%2 == 0) {
			r.jobs <- job{p, m, card.Arch}
		}
	}
	return nil
}

var (
	entryLine = regexp.MustCompile(`Compiling entry function '([^']+)'`)
	spillLine = regexp.MustCompile(`(\d+) bytes stack frame, (\d+) bytes spill stores`)
	usedLine  = regexp.MustCompile(`Used (\d+) registers`)
)

func (r *record) compile(j job) {
	name := j.program.Name()
	code, log, err := r.nvrtc.Compile(name, j.module.Text, append(driver.Options(j.arch), "--ptxas-options=-v")...)
	if err == nil && len(code) == 0 {
		err = errors.New("no code")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.results = append(r.results, compiled{kind: name, arch: j.arch, err: err})
		return
	}
	number := func(s string) int { n, _ := strconv.Atoi(s); return n }
	c := compiled{kind: name, arch: j.arch}
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
			c = compiled{kind: name, arch: j.arch}
		}
	}
}

// Where NVRTC is present, every kernel that the conformance suite would run is
// generated and compiled, and what the assembler says is reported.
func TestEveryKernelCompiles(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles hundreds of kernels")
	}
	nvrtc, err := driver.OpenCompiler(90, 0)
	if err != nil {
		t.Skip(err)
	}
	r := newRecord(nvrtc)
	t.Run("suite", func(t *testing.T) {
		devicetest.Run(t, func() device.Device {
			s := newSim()
			d, err := open("cuda:0", "simulated", s, s, func(p kern.Program, card emit.Card) (*emit.Module, error) {
				if err := r.add(p); err != nil {
					return nil, err
				}
				return s.generate(p, card)
			}, openCache(""))
			if err != nil {
				t.Fatal(err)
			}
			return d
		})
	})
	close(r.jobs)
	r.workers.Wait()
	if len(r.results) == 0 {
		t.Fatal("nothing was compiled")
	}
	type row struct{ kernels, registers, spills, local int }
	rows := map[string]*row{}
	failed := 0
	for _, c := range r.results {
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
