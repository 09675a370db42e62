package rules_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/twiddle-go/twiddle"

// layers is the import policy: each package, and what of this module it may
// import. A row may name only packages of earlier rows, so the table is also
// the order in which to read the code. "..." after a folder means it and
// everything in it.
var layers = []struct {
	pkg     string
	imports string
}{
	// Numbers and measurements, usable by everyone above.
	{"internal/replace", ""},
	{"internal/hostmem", ""},
	{"internal/counted", ""},
	{"internal/timing", ""},
	{"internal/oracle", ""},
	{"internal/testdevice", ""}, // for tests
	{"internal/clib", ""},
	{"internal/peer", "internal/clib"},
	{"internal/simd", ""},

	// The transform engine on slices.
	{"internal/roots", ""},
	{"internal/handoff", ""},
	{"internal/recipe", ""},
	{"internal/simd/butterfly", "internal/roots internal/simd"},
	{"internal/transform", "internal/roots internal/recipe internal/simd internal/simd/butterfly"},
	{"fft", "internal/handoff internal/replace internal/timing internal/roots internal/recipe internal/simd internal/transform"},

	// Vector kernels of the CPU device.
	{"internal/simd/vec", "internal/simd"},
	{"internal/simd/chain", "internal/simd"},
	{"internal/simd/gemm", "internal/simd internal/simd/vec"},
	{"internal/simd/pair", "internal/simd"},
	{"internal/simd/row", "internal/simd"},
	{"internal/simd/peak", "internal/simd"},
	{"internal/simd/recurse", "internal/simd"},
	{"internal/simd/median", "internal/simd internal/simd/vec"},
	{"internal/simd/order", "internal/simd"},
	{"internal/simd/outer", "internal/simd"},
	{"internal/simd/philox", "internal/simd"},

	// The engine, from what a graph is down to what runs it.
	{"internal/elem", ""},
	{"internal/choice", ""},
	{"nd/internal/lists", ""},
	{"nd/internal/caller", ""},
	{"nd/internal/shape", "internal/counted nd/internal/lists"},
	{"nd/internal/accum", ""},
	{"nd/internal/wide", "nd/internal/accum"},
	{"nd/internal/scalar", "internal/elem"},
	// The kernel tree, and beside it the front end of users' kernels.
	{"internal/ktree/source", ""},
	{"internal/ktree", "internal/elem internal/ktree/source"},
	{"internal/kernc/syntax", "internal/ktree/source"},
	{"internal/kernc/check", "internal/counted internal/elem internal/ktree/source internal/ktree internal/kernc/syntax"},
	{"internal/ktree/flat", "internal/elem internal/ktree/source internal/ktree internal/kernc/check"},
	{"internal/pysite", ""},
	{"internal/cuda/driver", "internal/clib internal/pysite"},
	{"nd/internal/device/webgpu/driver", "internal/clib internal/pysite"},
	{"internal/ktree/cudatest", "internal/cuda/driver"},
	{"internal/ktree/printer", "internal/counted internal/elem internal/ktree/source internal/ktree internal/kernc/check internal/ktree/cudatest internal/ktree/flat"},
	{"internal/ktree/build", "internal/ktree internal/ktree/printer"},
	{"internal/ktree/machine", "internal/counted internal/simd internal/simd/vec internal/elem internal/ktree/source internal/ktree internal/ktree/build " +
		"internal/kernc/check internal/ktree/cudatest internal/ktree/flat internal/ktree/printer"},
	{"nd/internal/kgen/dft", "nd/internal/lists internal/roots internal/recipe internal/simd/vec internal/ktree internal/ktree/..."},
	{"internal/kernc", "internal/elem internal/ktree/source internal/ktree internal/ktree/flat internal/ktree/printer internal/kernc/..."},
	{"nd/internal/graph", "internal/counted nd/internal/caller nd/internal/lists nd/internal/accum internal/elem nd/internal/shape nd/internal/scalar internal/kernc"},
	{"nd/internal/grad", "internal/counted nd/internal/lists internal/elem nd/internal/scalar nd/internal/graph"},
	{"nd/internal/ir", "nd/internal/lists nd/internal/accum internal/elem nd/internal/shape nd/internal/scalar internal/kernc"},
	{"nd/internal/linepass", "nd/internal/lists internal/elem nd/internal/scalar nd/internal/ir"},
	{"nd/internal/device", "nd/internal/caller internal/elem nd/internal/scalar nd/internal/ir"},
	{"nd/internal/device/marks", "nd/internal/device"},
	{"nd/internal/device/null", "nd/internal/lists internal/elem nd/internal/scalar nd/internal/ir nd/internal/device"},
	{"nd/internal/device/cpu", "nd/internal/lists internal/handoff internal/hostmem nd/internal/accum nd/internal/wide internal/recipe internal/transform internal/simd internal/simd/vec internal/simd/chain internal/simd/gemm internal/simd/pair internal/simd/order internal/elem " +
		"nd/internal/scalar internal/simd/philox internal/ktree/... internal/kernc internal/kernc/... nd/internal/ir nd/internal/linepass nd/internal/device"},
	{"nd/internal/kgen/order", ""},
	{"nd/internal/kgen/share", ""},
	{"nd/internal/kgen", "nd/internal/lists nd/internal/accum internal/elem nd/internal/scalar nd/internal/ir internal/ktree internal/ktree/build internal/ktree/flat internal/ktree/printer " +
		"nd/internal/device internal/cuda/driver nd/internal/kgen/order"},
	{"nd/internal/kgen/simulate", "nd/internal/lists internal/simd internal/simd/vec internal/elem nd/internal/scalar nd/internal/ir internal/ktree/flat internal/ktree/machine nd/internal/device nd/internal/kgen"},
	{"nd/internal/kgen/line", "nd/internal/lists nd/internal/accum internal/roots internal/recipe fft internal/elem nd/internal/scalar nd/internal/ir nd/internal/linepass internal/ktree internal/ktree/build internal/ktree/flat internal/ktree/printer " +
		"nd/internal/device internal/cuda/driver nd/internal/kgen nd/internal/kgen/dft nd/internal/kgen/order nd/internal/kgen/share"},
	{"nd/internal/device/cuda/emit", "internal/ktree/printer nd/internal/kgen"},
	{"nd/internal/device/cuda", "nd/internal/lists internal/elem nd/internal/scalar nd/internal/ir nd/internal/kgen nd/internal/kgen/line internal/ktree/... internal/kernc internal/kernc/... nd/internal/device nd/internal/device/marks " +
		"internal/cuda/driver internal/recipe nd/internal/device/cuda/emit"},
	{"nd/internal/device/webgpu", "nd/internal/lists internal/elem nd/internal/ir nd/internal/kgen nd/internal/kgen/line internal/ktree internal/ktree/flat internal/ktree/printer internal/kernc " +
		"nd/internal/device nd/internal/device/marks nd/internal/device/webgpu/driver"},
	{"nd/internal/cost", "nd/internal/lists internal/elem nd/internal/scalar nd/internal/ir nd/internal/device nd/internal/kgen/share"},
	{"nd/internal/plan", "nd/internal/lists nd/internal/accum internal/elem nd/internal/shape nd/internal/scalar nd/internal/graph " +
		"nd/internal/ir nd/internal/linepass nd/internal/device nd/internal/cost"},
	{"nd/internal/sched", "nd/internal/lists internal/elem nd/internal/shape nd/internal/scalar nd/internal/graph " +
		"nd/internal/ir nd/internal/device nd/internal/cost nd/internal/plan"},
	{"nd/internal/tuning", "internal/hostmem nd/internal/lists internal/replace nd/internal/device"},
	{"nd", "internal/counted fft nd/internal/caller nd/internal/lists nd/internal/accum internal/elem nd/internal/shape nd/internal/scalar internal/simd/philox internal/ktree/... internal/kernc internal/kernc/... nd/internal/graph nd/internal/grad nd/internal/ir " +
		"nd/internal/device nd/internal/device/cpu nd/internal/device/cuda nd/internal/device/webgpu nd/internal/device/null nd/internal/cost nd/internal/plan nd/internal/sched nd/internal/tuning"},

	// What devices are checked against: shares nothing with any of them.
	{"nd/internal/reference", "nd/internal/lists nd/internal/accum internal/oracle internal/elem nd/internal/scalar internal/simd/philox nd/internal/ir nd/internal/graph"},
	{"nd/internal/device/devicetest", "nd/internal/caller nd/internal/lists nd/internal/accum internal/elem nd/internal/scalar nd/internal/ir nd/internal/device nd/internal/reference"},

	// The one door to that suite for those who are not tests.
	{"nd/conformance", "internal/simd nd/internal/device nd/internal/device/cpu nd/internal/device/cuda nd/internal/device/devicetest"},

	// Features see the public API only.
	{"kernels", "nd"},
	{"linalg", "internal/choice fft nd internal/simd internal/simd/gemm internal/simd/row internal/simd/vec"},                                                                         // rows: in native forms of its kernels
	{"signal/live", "fft internal/simd internal/simd/vec"},                                                                                                                            // on slices, for programs without arrays
	{"signal", "internal/counted internal/choice signal/live fft nd internal/simd internal/simd/peak internal/simd/recurse internal/simd/median internal/simd/row internal/simd/vec"}, // peak: of lines on the host; the others: in native forms of its kernels
	{"measure", "internal/counted fft nd signal signal/live"},
	{"loss", "internal/counted internal/choice nd signal"},
	{"audio/npy", "nd internal/hostmem internal/replace"},
	{"audio/safetensors", "internal/hostmem internal/replace"},
	{"audio/pcm", "internal/choice internal/simd internal/simd/vec"}, // vec: samples of 16 bits are most of what is read
	{"audio/internal/file", ""},
	{"audio/npz", "internal/hostmem internal/replace audio/npy audio/internal/file"},
	{"audio/wav", "internal/replace audio/pcm audio/internal/file"},
	{"audio/flac", "audio/internal/file"},
	{"audio/csv", "internal/counted internal/choice audio/internal/file"},
	{"audio", "internal/counted internal/hostmem internal/replace nd audio/csv audio/npy audio/npz audio/pcm audio/wav audio/flac"},
	{"audio/internal/blocks", ""},
	{"audio/internal/blockstest", "audio nd"},
	{"audio/mp3", "audio audio/internal/blocks"},
	{"audio/vorbis", "audio audio/internal/blocks"},
	{"audio/analyze", "fft nd signal audio audio/..."},

	{"view", "fft nd signal audio audio/... internal/simd internal/simd/vec"},

	{"learn", "internal/counted nd audio/safetensors"},
	{"learn/layer", "nd learn signal"}, // signal: in an example
	{"learn/butterfly", "nd audio/safetensors learn"},
	{"mixer", "internal/counted internal/choice fft nd signal learn"},
	{"internal/hostile", "nd"},
	{"internal/torture", "nd signal audio/npy audio/npz audio/pcm audio/wav audio/safetensors"},

	// Hashes of results, to compare before and after a change.
	{"internal/record", "internal/simd nd kernels linalg signal loss learn/butterfly mixer"},

	// What pictures look like, and recordings.
	{"internal/figure", "internal/replace"},
	{"picture", "internal/replace nd"},
	{"chart", "internal/counted internal/choice internal/replace nd internal/figure picture"},
	{"cmd/twiddle/internal/page", "internal/counted audio audio/... internal/figure"},

	// Analysis of source code, which knows nd by name only
	// and the dialect of kernels through one door.
	{"lint/internal/kernlint", "internal/ktree internal/ktree/source internal/kernc/syntax"},
	{"lint/...", "internal/counted internal/hostmem internal/replace lint/..."},

	{"cmd/twiddle", "internal/counted internal/choice fft nd nd/conformance chart picture measure kernels linalg signal learn/... loss audio audio/... mixer view cmd/twiddle/internal/... internal/hostmem internal/replace internal/figure lint/... internal/timing internal/oracle internal/peer internal/recipe internal/simd internal/simd/vec"},
}

// forTests may be imported by any test, and by nothing else than what the
// table allows.
var forTests = []string{"internal/oracle", "internal/testdevice", "internal/timing", "internal/simd", "nd/internal/reference", "nd/internal/device/devicetest", "nd/internal/device/null", "nd/internal/kgen/simulate"}

// inTests are what the tests of a package may import beside its row.
var inTests = map[string][]string{
	"nd":                        {"signal", "loss", "nd/internal/device/webgpu/driver", "nd/internal/kgen", "nd/internal/kgen/line"}, // plans of what is built on it; kernels for a simulated GPU
	"nd/internal/device/webgpu": {"nd/internal/scalar", "nd/internal/device/cpu", "internal/ktree/build"},                            // kernels of users and of doubles
	"audio/mp3":                 {"audio/internal/blockstest"},
	"audio/vorbis":              {"audio/internal/blockstest"},
}

// modules lists every dependency outside the standard library and who may use
// it. docs/ARCHITECTURE.md gives the reason for each.
var modules = map[string]string{
	"github.com/coder/websocket":     "view cmd/twiddle",
	"github.com/ebitengine/purego":   "internal/clib",
	"github.com/hajimehoshi/go-mp3":  "audio/mp3",
	"github.com/jfreymuth/oggvorbis": "audio/vorbis",
	"github.com/mewkiz/flac":         "audio/flac",
	"github.com/schollz/progressbar": "cmd/twiddle",
	"github.com/spf13/cobra":         "cmd/twiddle",
	"github.com/spf13/pflag":         "cmd/twiddle",
	"gonum.org/v1/plot":              "internal/figure chart cmd/twiddle cmd/twiddle/internal/...",
	"golang.org/x/term":              "cmd/twiddle",
	"golang.org/x/tools":             "lint/... cmd/twiddle",
	"golang.org/x/sys":               "internal/hostmem internal/simd internal/timing nd/internal/device nd/internal/device/cpu nd/internal/device/cuda",
}

func TestLayersAreInOrder(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range layers {
		for _, imp := range strings.Fields(l.imports) {
			if _, folder := strings.CutSuffix(imp, "/..."); !folder && !seen[imp] {
				t.Errorf("%s may import %s, which has no earlier row", l.pkg, imp)
			}
		}
		if seen[l.pkg] {
			t.Errorf("%s has two rows", l.pkg)
		}
		seen[l.pkg] = true
	}
}

func TestImports(t *testing.T) {
	allowed := map[string][]string{}
	for _, l := range layers {
		allowed[l.pkg] = strings.Fields(l.imports)
	}
	found := map[string]bool{}
	said := map[string]bool{} // one complaint per package and import is enough
	complain := func(file, pkg, about, why string) {
		if !said[pkg+" "+about] {
			said[pkg+" "+about] = true
			t.Errorf("%s: %s %s %s", file, pkg, why, about)
		}
	}
	for _, file := range goFiles(t) {
		pkg := path.Dir(filepath.ToSlash(file))
		if pkg == "." || pkg == "internal/rules" || strings.HasPrefix(pkg, "examples/") {
			continue // these tests; examples import what any user may
		}
		row := rowOf(allowed, pkg)
		imports, ok := allowed[row]
		if !ok {
			t.Errorf("%s: package %s has no row in the table of layers", file, pkg)
			allowed[pkg] = nil
		}
		found[row] = true
		isTest := strings.HasSuffix(file, "_test.go")
		for _, imp := range importsOf(t, file) {
			if imp == "C" {
				complain(file, pkg, "C", "needs no cgo and may not import")
				continue
			}
			rel, ours := strings.CutPrefix(imp, module+"/")
			switch {
			case ours && (rel == pkg && isTest || matches(imports, rel) || isTest && (slices.Contains(forTests, rel) || slices.Contains(inTests[pkg], rel))):
			case ours:
				complain(file, pkg, rel, "may not import")
			case strings.Contains(strings.SplitN(imp, "/", 2)[0], "."):
				mod, users := dependency(imp)
				if mod == "" {
					complain(file, pkg, imp, "imports what is not a dependency of this module:")
				} else if !matches(users, pkg) {
					complain(file, pkg, mod, "may not use")
				}
			}
		}
	}
	for _, l := range layers {
		if !found[l.pkg] {
			t.Errorf("the table of layers names %s, which does not exist", l.pkg)
		}
	}
}

// rowOf is the name of the row that holds for a package: its own, or that of
// a folder it is in.
func rowOf(rows map[string][]string, pkg string) string {
	if _, ok := rows[pkg]; ok {
		return pkg
	}
	for name := range rows {
		if matches([]string{name}, pkg) {
			return name
		}
	}
	return pkg
}

// matches reports whether pkg is in list, directly or by a folder pattern.
func matches(list []string, pkg string) bool {
	for _, l := range list {
		folder, all := strings.CutSuffix(l, "/...")
		if l == pkg || all && (pkg == folder || strings.HasPrefix(pkg, folder+"/")) {
			return true
		}
	}
	return false
}

func dependency(imp string) (mod string, users []string) {
	for m, u := range modules {
		if imp == m || strings.HasPrefix(imp, m+"/") {
			return m, strings.Fields(u)
		}
	}
	return "", nil
}

// goFiles lists the module's Go files for every platform, generators, test
// data and nested modules excepted.
func goFiles(t *testing.T) []string {
	var files []string
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() && p != "." {
			if name[0] == '.' || name[0] == '_' || name == "testdata" {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(p, "go.mod")); err == nil {
				return filepath.SkipDir
			}
		}
		if !d.IsDir() && strings.HasSuffix(name, ".go") {
			files = append(files, p)
		}
		return nil
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("walking the module: %d files, %v", len(files), err)
	}
	return files
}

func importsOf(t *testing.T, file string) []string {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var imports []string
	for _, i := range f.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			t.Fatalf("%s: import %s: %v", file, i.Path.Value, err)
		}
		imports = append(imports, p)
	}
	return imports
}
