package kernc

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/kernc/check"
	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/internal/ktree/printer"
	"github.com/twiddle-go/twiddle/internal/ktree/source"
)

// Operand is an input or output: its name in the body and its elements.
type Operand struct {
	Name string
	Type elem.Type
}

// Constant is a template constant: a type if Type is set, else a bool or int.
type Constant struct {
	Name   string
	Type   elem.Type
	IsBool bool
	Int    int64
}

// Spec is all that decides what a kernel compiles to.
type Spec struct {
	Name            string
	Inputs, Outputs []Operand
	Header, Source  string
	HeaderFile      string // names in messages; by default made from Name
	SourceFile      string
	Template        []Constant
	Atomic          bool
	// CUDA is a whole CUDA C++ source given instead of, or beside, Source.
	CUDA string
	// Native stands for Source on the CPU; may be nil.
	Native *Native
}

// Unit is a compiled kernel. It does not change and is shared.
type Unit struct {
	Spec
	Key     [sha256.Size]byte // of the whole Spec
	Program *ktree.Program    // nil for a kernel given as CUDA only
	flat    *flat.Program
}

// Errors are faults in a kernel's text, each with its place.
type Errors = source.Errors

// Fault is an error of a running kernel, with its place and thread.
type Fault = source.Fault

// key identifies everything in s, text included, so that a changed kernel can
// never meet code compiled for another.
func (s *Spec) key() [sha256.Size]byte {
	var room [512]byte
	sum := digest(texts{s.Name, s.Header, s.Source, s.HeaderFile, s.SourceFile, s.CUDA})
	b := append(room[:0], sum[:]...)
	for _, list := range [][]Operand{s.Inputs, s.Outputs} {
		b = number(b, int64(len(list)))
		for _, o := range list {
			b = number(text(b, o.Name), int64(o.Type))
		}
	}
	b = number(b, int64(len(s.Template)))
	for _, c := range s.Template {
		b = number(text(b, c.Name), int64(c.Type), bit(c.IsBool), c.Int)
	}
	b = number(b, bit(s.Atomic))
	if s.Native != nil {
		b = number(b, s.Native.id)
	}
	return sha256.Sum256(b)
}

// texts is the long part of a Spec, which seldom changes.
type texts struct{ name, header, source, headerFile, sourceFile, cuda string }

// digests keeps what texts hash to: a kernel that is called again would spend
// more time on that than on the rest of the call. It is bounded like cache.
var digests struct {
	sync.Mutex
	of map[texts][sha256.Size]byte
}

func digest(t texts) [sha256.Size]byte {
	digests.Lock()
	defer digests.Unlock()
	sum, ok := digests.of[t]
	if !ok {
		var b []byte
		for _, s := range []string{t.name, t.header, t.source, t.headerFile, t.sourceFile, t.cuda} {
			b = text(b, s)
		}
		sum = sha256.Sum256(b)
		if digests.of == nil || len(digests.of) >= maxUnits {
			digests.of = map[texts][sha256.Size]byte{}
		}
		digests.of[t] = sum
	}
	return sum
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// text and number append with lengths, so that no two specs run together.
func text(b []byte, s string) []byte { return append(number(b, int64(len(s))), s...) }

func number(b []byte, list ...int64) []byte {
	for _, n := range list {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	return b
}

// cache keeps units by key. It is emptied when it grows past a bound, which
// only programs that make kernels up as they go will see.
var cache struct {
	sync.Mutex
	units map[[sha256.Size]byte]*Unit
}

const maxUnits = 1024

// Compile checks a kernel, or finds it compiled already.
func Compile(s Spec) (*Unit, error) {
	if s.Name == "" {
		s.Name = "kernel"
	}
	if s.SourceFile == "" {
		s.SourceFile = s.Name
	}
	if s.HeaderFile == "" {
		s.HeaderFile = s.Name + ".header"
	}
	key := s.key()
	cache.Lock()
	u := cache.units[key]
	cache.Unlock()
	if u != nil {
		return u, nil
	}
	u, err := build(s)
	if err != nil {
		return nil, err
	}
	u.Key = key
	cache.Lock()
	defer cache.Unlock()
	if old := cache.units[key]; old != nil {
		return old, nil // another goroutine was faster
	}
	if cache.units == nil || len(cache.units) >= maxUnits {
		cache.units = map[[sha256.Size]byte]*Unit{}
	}
	cache.units[key] = u
	return u, nil
}

func build(s Spec) (*Unit, error) {
	if s.Source == "" && (s.CUDA != "" || s.Native != nil) {
		return &Unit{Spec: s}, nil
	}
	if len(s.Outputs) == 0 {
		return nil, errors.New("a kernel needs an output")
	}
	c := check.Spec{Name: s.Name, Atomic: s.Atomic}
	for _, o := range s.Inputs {
		c.Inputs = append(c.Inputs, check.Operand(o))
	}
	for _, o := range s.Outputs {
		c.Outputs = append(c.Outputs, check.Operand(o))
	}
	for _, t := range s.Template {
		k := ktree.Int
		if t.IsBool {
			k = ktree.Bool
		} else if t.Type == elem.Invalid && int64(int32(t.Int)) != t.Int {
			k = ktree.Long
		}
		c.Template = append(c.Template, check.Template{Name: t.Name, Type: t.Type, Kind: k, Int: t.Int})
	}
	src := source.NewSource(source.File{Name: s.HeaderFile, Text: s.Header}, source.File{Name: s.SourceFile, Text: s.Source})
	p, err := check.Check(c, src)
	if err != nil {
		return nil, err
	}
	f, err := flat.Flatten(p)
	if err != nil {
		return nil, err
	}
	return &Unit{Spec: s, Program: p, flat: f}, nil
}

// ErrNoBody is the error of a kernel that exists for another device only.
var ErrNoBody = errors.New("the kernel has no body, only a CUDA source or a native form")

// Flat is the kernel with everything expanded, which machines run.
func (u *Unit) Flat() (*flat.Program, error) {
	if u.Program == nil {
		return nil, ErrNoBody
	}
	return u.flat, nil
}

// Writes says of each output whether a launch sets all of its elements.
func (u *Unit) Writes(grid [3]int, in, out [][]int) []bool {
	if u.Program == nil {
		return make([]bool, len(u.Outputs))
	}
	l := flat.Launch{Grid: grid, Shapes: in}
	for _, s := range out {
		n := 1
		for _, d := range s {
			n *= d
		}
		l.Lens = append(l.Lens, n)
	}
	return u.flat.Covers(l)
}

// Text is the kernel in another language; WGSL fixes the threadgroup.
func (u *Unit) Text(form string, threadgroup [3]int) (string, error) {
	if form == "cuda" && u.CUDA != "" {
		return u.CUDA, nil
	}
	if u.Program == nil {
		return "", ErrNoBody
	}
	switch form {
	case "metal":
		return printer.Metal(u.Program), nil
	case "cuda":
		return printer.CUDA(u.Program, threadgroup, 1), nil
	case "wgsl":
		return printer.WGSL(u.flat, threadgroup)
	}
	return "", fmt.Errorf("no form %q; there are metal, cuda and wgsl", form)
}
