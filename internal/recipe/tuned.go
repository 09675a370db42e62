package recipe

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed tuned/sm_*.txt
var tunedFiles embed.FS

// tables are recipes that were measured to be fastest on an architecture, by
// length: of lines by themselves, of packed real ones (by the length of the
// complex line), of lines side by side, of round trips, whose second axis is
// transformed back in the same pass, of lines by
// clusters, and of packed lines by clusters, whose blocks take pairs of rows.
type tables struct {
	arch                                        int
	line, packed, columns, trip, cluster, pairs map[int]*Recipe
}

// tuned are the tables, by rising compute capability. A table is a file, so that
// measuring another architecture adds data and no code.
var tuned = sync.OnceValue(func() []tables {
	files, err := tunedFiles.ReadDir("tuned")
	if err != nil {
		panic(err) // it is in the binary
	}
	var all []tables
	for _, f := range files {
		var t tables
		text, err := tunedFiles.ReadFile("tuned/" + f.Name())
		if err == nil {
			t, err = parseTables(string(text))
		}
		if err == nil {
			_, err = fmt.Sscanf(f.Name(), "sm_%d.txt", &t.arch)
		}
		if err != nil {
			panic(fmt.Errorf("recipe: tuned: %s: %w", f.Name(), err)) // a test reads them all
		}
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b tables) int { return a.arch - b.arch })
	return all
})

func parseTables(text string) (tables, error) {
	t := tables{line: map[int]*Recipe{}, packed: map[int]*Recipe{}, columns: map[int]*Recipe{}, trip: map[int]*Recipe{}, cluster: map[int]*Recipe{}, pairs: map[int]*Recipe{}}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		role, rest, _ := strings.Cut(line, " ")
		table, ok := map[string]map[int]*Recipe{"line": t.line, "packed": t.packed, "columns": t.columns, "trip": t.trip, "cluster": t.cluster, "pairs": t.pairs}[role]
		if !ok {
			return t, fmt.Errorf("unknown role %q", role)
		}
		r, err := Parse(rest)
		if err != nil {
			return t, err
		}
		kind, ok := map[string]Kind{"trip": FourStep, "cluster": Cluster, "pairs": Cluster}[role]
		if !ok {
			kind = MixedRadix
		}
		if r.Kind != kind || !r.OnGPU() || len(r.Axes()) > 2 || table[r.N] != nil {
			return t, fmt.Errorf("%s: not the one recipe of its length", line)
		}
		table[r.N] = r
	}
	return t, nil
}

// tunedFor are the tables of the newest measured architecture up to arch, or of
// the oldest there is.
func tunedFor(arch int) tables {
	all := tuned()
	i := len(all) - 1
	for i > 0 && all[i].arch > arch {
		i--
	}
	return all[i]
}
