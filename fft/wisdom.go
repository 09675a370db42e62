package fft

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/replace"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// wisdomKey is what a measurement holds for. A recipe that is best with one
// instruction set says nothing about another.
type wisdomKey struct {
	level simd.Level
	bits  int // of one part of an element
	n     int
}

func wisdomKeyOf[C Complex](n int, level simd.Level) wisdomKey {
	return wisdomKey{level: level, bits: bitsOf[C](), n: n}
}

func bitsOf[C Complex]() int {
	if _, single := any(C(0)).(complex64); single {
		return 32
	}
	return 64
}

// wisdom is the recipes that measurements found best.
type wisdom struct {
	mu      sync.RWMutex
	recipes map[wisdomKey]*recipe.Recipe
}

// remembered is what this process knows. Plans consult it.
var remembered wisdom

func (w *wisdom) find(k wisdomKey) *recipe.Recipe {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.recipes[k]
}

func (w *wisdom) add(recipes map[wisdomKey]*recipe.Recipe) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.recipes == nil {
		w.recipes = map[wisdomKey]*recipe.Recipe{}
	}
	maps.Copy(w.recipes, recipes)
}

// LoadWisdom reads a file that Measure wrote; plans made from then on use what
// it holds. A file with an error in it changes nothing.
func LoadWisdom(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("fft: wisdom: %w", err)
	}
	defer f.Close()
	recipes, err := readWisdom(f)
	if err != nil {
		return fmt.Errorf("fft: wisdom: %s: %w", file, err)
	}
	remembered.add(recipes)
	return nil
}

// The first line of a wisdom file. The rest is one recipe a line:
// instruction set, bits, length, recipe.
const wisdomTitle = "twiddle fft wisdom 1"

func readWisdom(r io.Reader) (map[wisdomKey]*recipe.Recipe, error) {
	in := bufio.NewScanner(r)
	if !in.Scan() || in.Text() != wisdomTitle {
		return nil, errors.Join(fmt.Errorf("the first line is not %q", wisdomTitle), in.Err())
	}
	recipes := map[wisdomKey]*recipe.Recipe{}
	for number := 2; in.Scan(); number++ {
		key, r, err := parseWisdom(in.Text())
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		recipes[key] = r
	}
	return recipes, in.Err()
}

func parseWisdom(line string) (wisdomKey, *recipe.Recipe, error) {
	fields := strings.SplitN(line, " ", 4)
	if len(fields) != 4 {
		return wisdomKey{}, nil, fmt.Errorf("%.60q: want instruction set, bits, length and recipe", line)
	}
	key := wisdomKey{level: -1}
	for l := simd.Portable; l <= simd.AVX512; l++ {
		if l.String() == fields[0] {
			key.level = l
		}
	}
	var err, err2 error
	key.bits, err = strconv.Atoi(fields[1])
	key.n, err2 = strconv.Atoi(fields[2])
	if key.level < 0 || err != nil || err2 != nil || key.bits != 32 && key.bits != 64 {
		return wisdomKey{}, nil, fmt.Errorf("%.60q: bad instruction set, bits or length", line)
	}
	r, err := recipe.Parse(fields[3])
	if err != nil {
		return wisdomKey{}, nil, err
	}
	if r.N != key.n || key.n > MaxLen {
		return wisdomKey{}, nil, fmt.Errorf("%.60q: the recipe is for length %d", line, r.N)
	}
	return key, r, nil
}

// saveWisdom adds one recipe to a file, which it creates if need be. The file
// is replaced whole, so a reader never sees half of it.
func saveWisdom(file string, key wisdomKey, r *recipe.Recipe) error {
	recipes := map[wisdomKey]*recipe.Recipe{}
	switch f, err := os.Open(file); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	default:
		recipes, err = readWisdom(f)
		f.Close()
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
	}
	recipes[key] = r
	keys := slices.SortedFunc(maps.Keys(recipes), func(a, b wisdomKey) int {
		return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.bits, b.bits), cmp.Compare(a.n, b.n))
	})
	var text strings.Builder
	fmt.Fprintln(&text, wisdomTitle)
	for _, k := range keys {
		fmt.Fprintf(&text, "%v %d %d %v\n", k.level, k.bits, k.n, recipes[k])
	}
	return replace.Bytes(file, []byte(text.String()))
}
