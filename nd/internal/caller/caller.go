// Package caller finds the line of a program that called an operation, which errors name.
package caller

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
)

// Call is a call of an operation that can fail while it runs. It does not change.
type Call struct {
	Op   string
	Site string // file:line; empty if nobody outside the library called
}

// Of is the call under way of an operation of package nd, by the function that calls Of.
func Of(op string) *Call { return &Call{op, site("nd")} }

// Gradient is the call that a gradient of c's operation is blamed on; nil for nil.
func (c *Call) Gradient() *Call {
	if c == nil {
		return nil
	}
	return &Call{"gradient of " + c.Op, c.Site}
}

// Site is the file:line of the first frame outside the library and pkg. If there is none,
// as on the library's own goroutines, it is that of the first frame outside nd.
func Site(pkg string) string { return site(pkg) }

// chain is the addresses that functions under way return to. Two equal chains that end at the
// beginning of a goroutine are of the same calls in the same lines.
type chain [48]uintptr

// sites remembers what chains led to: unwinding a stack with what is inlined takes longer than
// building a node, and longer than running a small kernel in calls of the library by the library.
var sites struct {
	sync.RWMutex
	of map[key]string
}

type key struct {
	chain
	pkg string
}

const mostSites = 2048 // a megabyte; programs whose stacks differ with each call see them forgotten

// site is not inlined, so that its own frame is one.
//
//go:noinline
func site(pkg string) string {
	k := key{pkg: pkg}
	if n := returns(&k.chain); n == 0 || n == len(k.chain) {
		return unwound(pkg)
	}
	sites.RLock()
	found, known := sites.of[k]
	sites.RUnlock()
	if known {
		return found
	}
	found = unwound(pkg)
	sites.Lock()
	defer sites.Unlock()
	if sites.of == nil || len(sites.of) >= mostSites {
		sites.of = map[key]string{}
	}
	sites.of[k] = found
	return found
}

// unwound finds a site among the frames.
func unwound(pkg string) string {
	var pcs [32]uintptr
	nearest := ""
	for skip := 4; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs[:])
		for _, pc := range pcs[:n] {
			f := frameAt(pc)
			switch {
			case f.isTest || !f.isRuntime && !inside(f.path, pkg):
				return f.site
			case nearest == "" && !f.isRuntime && !within(f.path, "nd"):
				nearest = f.site
			}
		}
		if n < len(pcs) {
			return nearest
		}
	}
}

// frame is what is known of a place in a program.
type frame struct {
	site      string
	path      string // of the function, in this module; empty for others
	isTest    bool   // in the file of a test: outside, wherever that is
	isRuntime bool
}

// frames remembers the places seen so far: finding the names of one takes longer than
// unwinding the stack.
var frames struct {
	sync.RWMutex
	at map[uintptr]*frame
}

func frameAt(pc uintptr) *frame {
	frames.RLock()
	f := frames.at[pc]
	frames.RUnlock()
	if f != nil {
		return f
	}
	r, _ := runtime.CallersFrames([]uintptr{pc}).Next()
	f = &frame{site: fmt.Sprintf("%s:%d", r.File, r.Line), isTest: strings.HasSuffix(r.File, "_test.go"), isRuntime: strings.HasPrefix(r.Function, "runtime.")}
	if path, ours := strings.CutPrefix(r.Function, "github.com/twiddle-go/twiddle/"); ours {
		f.path = path
	}
	frames.Lock()
	defer frames.Unlock()
	if frames.at == nil {
		frames.at = map[uintptr]*frame{}
	}
	frames.at[pc] = f
	return f
}

// library are the packages, and those below them, whose own lines tell their users
// nothing: an error of an operation that one of them builds is about its caller's.
var library = []string{"nd", "signal", "learn", "loss", "linalg", "mixer", "measure", "kernels", "audio"}

// inside reports functions of the library, and those of pkg.
func inside(path, pkg string) bool {
	if path == "" {
		return false
	}
	for _, p := range library {
		if within(path, p) {
			return true
		}
	}
	return within(path, pkg)
}

// within reports functions of a package and of those below it.
func within(path, pkg string) bool {
	rest, ok := strings.CutPrefix(path, pkg)
	return ok && rest != "" && (rest[0] == '.' || rest[0] == '/')
}
