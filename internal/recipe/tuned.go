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

// tables are recipes that were measured to be fastest on an architecture, for components
// of 32 or 64 bits, by length: of lines by themselves, of packed real ones (by the length of the
// complex line), of lines that are padded and convolved with a chirp, of lines side by
// side, of long lines in passes, of round trips, whose second axis is transformed back in
// the same pass, of packed lines in passes, of their rows, which have both columns that are a
// number, of lines by clusters, of packed lines by clusters, whose blocks take
// pairs of rows, of causal convolutions whose bins are a quarter lower, of two of those at a
// time, in halves, and of pairs of segments, whose powers are added up. Packed lines that are
// transformed there, or back, by themselves may have other threads than those that are fused, but
// of the same axes and radices: so their bits are the same, but where clusters take them.
type tables struct {
	arch, bits                                                                                                     int
	line, packed, padded, columns, passes, trip, reals, rows, cluster, pairs, quarter, halves, powers, there, back map[int]*Recipe
}

// roles are the tables by the words that lines of a file begin with.
func (t *tables) roles() map[string]*map[int]*Recipe {
	return map[string]*map[int]*Recipe{"line": &t.line, "packed": &t.packed, "padded": &t.padded, "columns": &t.columns,
		"passes": &t.passes, "trip": &t.trip, "reals": &t.reals, "rows": &t.rows, "cluster": &t.cluster, "pairs": &t.pairs, "quarter": &t.quarter, "halves": &t.halves, "powers": &t.powers, "there": &t.there, "back": &t.back}
}

// kinds are what recipes of a role may be; MixedRadix unless it says otherwise.
var kinds = map[string][]Kind{"padded": {MixedRadix, FourStep}, "passes": {FourStep}, "trip": {FourStep}, "reals": {FourStep}, "cluster": {Cluster}, "pairs": {Cluster}, "quarter": {MixedRadix, Cluster}, "there": {MixedRadix, FourStep, Cluster}, "back": {MixedRadix, FourStep, Cluster}}

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
			_, err = fmt.Sscanf(f.Name(), "sm_%d_f%d.txt", &t.arch, &t.bits)
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
	var t tables
	roles := t.roles()
	for _, table := range roles {
		*table = map[int]*Recipe{}
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		role, rest, _ := strings.Cut(line, " ")
		table, ok := roles[role]
		if !ok {
			return t, fmt.Errorf("unknown role %q", role)
		}
		r, err := Parse(rest)
		if err != nil {
			return t, err
		}
		kind, ok := kinds[role]
		if !ok {
			kind = []Kind{MixedRadix}
		}
		if !slices.Contains(kind, r.Kind) || !r.OnGPU() || role != "passes" && len(r.Axes()) > 2 || (*table)[r.N] != nil {
			return t, fmt.Errorf("%s: not the one recipe of its length", line)
		}
		if r.Kind == Cluster && r.severalColumns() != (role == "quarter") {
			return t, fmt.Errorf("%s: bins a quarter lower alone have several columns to a thread", line)
		}
		if r.Kind == Cluster && !r.severalColumns() && r.inPairs() != (role != "cluster") {
			return t, fmt.Errorf("%s: packed lines alone have pairs of rows", line)
		}
		(*table)[r.N] = r
	}
	return t, nil
}

// oneWay are the recipes of packed lines that are transformed one way by themselves.
func (t tables) oneWay(w Way) map[int]*Recipe {
	switch w {
	case There:
		return t.there
	case Back:
		return t.back
	}
	return nil
}

// tables are those of the newest measured architecture up to that of a GPU, or of the
// oldest there is.
func (g GPU) tables() (found tables) {
	for _, t := range tuned() {
		if t.bits == g.Bits && (found.arch == 0 || t.arch <= g.Arch) {
			found = t
		}
	}
	return found
}
