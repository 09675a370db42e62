package source

import (
	"fmt"
	"strings"
)

// maxErrors bounds how many faults one compilation reports.
const maxErrors = 10

// Error is a fault at a place of the source.
type Error struct {
	Place
	Msg  string
	Hint string // what the author may have meant
}

// Error gives file:line:column, the fact, the source line and a caret.
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" { // kernels of the engine have no text
		fmt.Fprintf(&b, "%s:%d:%d: ", e.File, e.Line, e.Column)
	}
	b.WriteString(e.Msg)
	if e.Hint != "" {
		fmt.Fprintf(&b, " (%s)", e.Hint)
	}
	if text, col := clip(e.Text, e.Column-1); text != "" {
		b.WriteString("\n    " + text + "\n    ")
		for i, c := range text {
			if i >= col {
				break
			}
			if c == '\t' {
				b.WriteByte('\t')
			} else {
				b.WriteByte(' ')
			}
		}
		b.WriteByte('^')
	}
	return b.String()
}

// clip cuts a very long source line to a window around column col.
func clip(text string, col int) (string, int) {
	const width = 160
	if len(text) <= width {
		return text, col
	}
	lo := max(0, min(col-width/2, len(text)-width))
	return strings.ToValidUTF8(text[lo:min(lo+width, len(text))], "?"), col - lo
}

// Errors are the faults of one compilation, in the order of the text.
type Errors []*Error

func (l Errors) Error() string {
	parts := make([]string, len(l))
	for i, e := range l {
		parts[i] = e.Error()
	}
	return strings.Join(parts, "\n")
}

// Unwrap lets errors.As find a single *Error.
func (l Errors) Unwrap() []error {
	out := make([]error, len(l))
	for i, e := range l {
		out[i] = e
	}
	return out
}

// Reporter collects faults; past a limit it only counts them.
type Reporter struct {
	Source *Source
	list   Errors
	seen   map[Pos]bool
}

// Report adds a fault at p. Only the first fault of a place is kept, so that
// one mistake is told once.
func (r *Reporter) Report(p Pos, format string, args ...any) {
	r.Suggest(p, "", format, args...)
}

// Suggest is Report with a hint.
func (r *Reporter) Suggest(p Pos, hint, format string, args ...any) {
	if r.seen[p] || len(r.list) >= maxErrors {
		return
	}
	if r.seen == nil {
		r.seen = map[Pos]bool{}
	}
	r.seen[p] = true
	r.list = append(r.list, &Error{Place: r.Source.Place(p), Msg: fmt.Sprintf(format, args...), Hint: hint})
}

// Full reports that no further fault would be kept.
func (r *Reporter) Full() bool { return len(r.list) >= maxErrors }

// Err is nil, or all faults as Errors.
func (r *Reporter) Err() error {
	if len(r.list) == 0 {
		return nil
	}
	return r.list
}

// foreign are names of CUDA and OpenCL, in small letters and without underscores around them, and what they
// are called here.
var foreign = map[string]string{
	"threadidx": "thread_position_in_threadgroup", "blockidx": "threadgroup_position_in_grid", "blockdim": "threads_per_threadgroup",
	"griddim": "threadgroups_per_grid", "warpsize": "threads_per_simdgroup", "syncthreads": "threadgroup_barrier",
	"syncwarp": "simdgroup_barrier", "shfl_sync": "simd_shuffle", "shfl_xor_sync": "simd_shuffle_xor",
	"shfl_down_sync": "simd_shuffle_down", "shfl_up_sync": "simd_shuffle_up", "atomicadd": "atomic_fetch_add_explicit",
	"get_global_id": "thread_position_in_grid", "get_local_id": "thread_position_in_threadgroup", "get_group_id": "threadgroup_position_in_grid",
}

// DidYouMean gives a hint naming the candidate nearest to name, or nothing if
// none is near.
func DidYouMean(name string, candidates []string) string {
	best, bestD := foreign[strings.Trim(strings.ToLower(name), "_")], 3
	if best != "" {
		return fmt.Sprintf("here it is %q", best)
	}
	if len(name) <= 3 {
		bestD = 2
	}
	for _, c := range candidates {
		if c != name && strings.EqualFold(c, name) {
			best = c
			break
		}
		if c == name || len(c)-len(name) >= bestD || len(name)-len(c) >= bestD {
			continue
		}
		if d := distance(name, c); d < bestD || d == bestD && best != "" && c < best {
			best, bestD = c, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("did you mean %q?", best)
}

// distance counts insertions, deletions, substitutions and swaps of
// neighbours that turn a into b.
func distance(a, b string) int {
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}
