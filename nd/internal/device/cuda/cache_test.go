package cuda

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

func TestCacheKeepsCode(t *testing.T) {
	c := openCache(t.TempDir())
	k := keyOf("text", 90, 13020)
	if _, ok := c.get(k); ok {
		t.Fatal("an empty cache has code")
	}
	code := []byte("some code")
	c.put(k, code)
	if got, ok := c.get(k); !ok || !bytes.Equal(got, code) {
		t.Fatalf("%q, %t", got, ok)
	}
	for name, other := range map[string]key{"text": keyOf("texts", 90, 13020), "architecture": keyOf("text", 80, 13020), "compiler": keyOf("text", 90, 13000)} {
		if _, ok := c.get(other); ok {
			t.Errorf("another %s finds the same code", name)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(c.folder, "*", ".new-*")); len(left) > 0 || c.notes() != nil {
		t.Errorf("left behind: %v, notes %v", left, c.notes())
	}
}

func TestDamagedCodeIsDropped(t *testing.T) {
	for name, damage := range map[string]func([]byte) []byte{
		"cut short": func(b []byte) []byte { return b[:len(b)-1] },
		"empty":     func([]byte) []byte { return nil },
		"a bit":     func(b []byte) []byte { b[len(b)-1] ^= 1; return b },
		"the sum":   func(b []byte) []byte { b[0] ^= 1; return b },
		"longer":    func(b []byte) []byte { return append(b, 0) },
	} {
		t.Run(name, func(t *testing.T) {
			c := openCache(t.TempDir())
			k := keyOf(name, 90, 13020)
			c.put(k, []byte("some code"))
			data, err := os.ReadFile(c.path(k))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(c.path(k), damage(data), 0o644); err != nil {
				t.Fatal(err)
			}
			if _, ok := c.get(k); ok {
				t.Error("damaged code was handed out")
			}
			if _, err := os.Stat(c.path(k)); !os.IsNotExist(err) {
				t.Errorf("it is still there: %v", err)
			}
		})
	}
}

// Writers that do not know of each other never let a reader see half a file.
func TestCacheIsShared(t *testing.T) {
	folder := t.TempDir()
	k := keyOf("text", 90, 13020)
	code := bytes.Repeat([]byte("code"), 1<<14)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			c := openCache(folder)
			for range 20 {
				c.put(k, code)
				if got, ok := c.get(k); !ok || !bytes.Equal(got, code) {
					t.Errorf("%d bytes, %t", len(got), ok)
				}
			}
		})
	}
	wg.Wait()
}

func TestCacheIsBounded(t *testing.T) {
	c := openCache(t.TempDir())
	now := time.Now()
	var keys []key
	for i := range 10 {
		k := keyOf(fmt.Sprint(i), 90, 13020)
		c.put(k, make([]byte, 1000))
		if err := os.Chtimes(c.path(k), now, now.Add(time.Duration(i)*time.Minute)); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, k)
	}
	left := func() (list []int) {
		for i, k := range keys {
			if _, err := os.Stat(c.path(k)); err == nil {
				list = append(list, i)
			}
		}
		return list
	}
	c.shrink(11000)
	if got := left(); len(got) != 10 {
		t.Errorf("left %v of a cache that is small enough", got)
	}
	c.shrink(8000)
	if got := left(); !slices.Equal(got, []int{7, 8, 9}) {
		t.Errorf("left %v, want the newest", got)
	}
}

// A folder that cannot be written to is worth a note and nothing else.
func TestCacheWithoutFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	s := newSim()
	d, err := open("cuda:0", "simulated", s, s, s.generate, openCache(filepath.Join(file, "cuda")))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if _, err := d.Compile(copyProgram(8)); err != nil {
		t.Error(err)
	}
	if n := d.Notes(); len(n) != 1 || !strings.Contains(n[0], "not kept") || !strings.Contains(n[0], CacheVar) {
		t.Errorf("notes %q", n)
	}
}

// copyProgram copies n float32.
func copyProgram(n int) *ir.Map {
	dims := []int{n}
	o := ir.Contiguous(elem.Float32, dims)
	return &ir.Map{Dims: dims, Out: []ir.Operand{o}, Value: []ir.ValueID{0},
		Code: ir.Code{In: []ir.Operand{o}, Instrs: []ir.Instr{{Kind: ir.Load, Type: elem.Float32}}}}
}

// A text is compiled once per device, and not at all if the cache has it.
func TestTextsAreCompiledOnce(t *testing.T) {
	folder := t.TempDir()
	s := newSim()
	gen := func(p ir.Program, card emit.Card) (*emit.Module, error) {
		m, err := s.generate(copyProgram(8), card) // one text whatever the size
		return m, err
	}
	for opened, want := range []int64{1, 1} {
		d, err := open("cuda:0", "simulated", s, s, gen, openCache(folder))
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; n < 5; n++ {
			if _, err := d.Compile(copyProgram(n)); err != nil {
				t.Fatal(err)
			}
		}
		if got := s.compiles.Load(); got != want {
			t.Errorf("opened %d times: compiled %d times, want %d", opened+1, got, want)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Programs that are prepared together are compiled, each text once, and not
// again by Compile.
func TestPrepare(t *testing.T) {
	d, s := openSim(t)
	defer d.Close()
	programs := []ir.Program{copyProgram(1), copyProgram(2), copyProgram(3), copyProgram(2)}
	d.Prepare(programs)
	if got := s.compiles.Load(); got != 3 {
		t.Errorf("compiled %d times", got)
	}
	for _, p := range programs {
		if _, err := d.Compile(p); err != nil {
			t.Error(err)
		}
	}
	if got := s.compiles.Load(); got != 3 {
		t.Errorf("compiled %d times in the end", got)
	}
}
