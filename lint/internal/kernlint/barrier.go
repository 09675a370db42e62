package kernlint

import (
	"strings"

	"github.com/twiddle-go/twiddle/internal/kernc/syntax"
	"github.com/twiddle-go/twiddle/internal/ktree"
)

// barriers finds barriers that order memory which threads do not share.
func (k *kernel) barriers() {
	shared := k.sharesDevice()
	group := k.hasGroupMemory()
	k.all(func(e syntax.Expr) {
		call, ok := e.(*syntax.Call)
		if !ok || call.Fun == nil || call.Fun.Text != "threadgroup_barrier" || len(call.Args) != 1 {
			return
		}
		flags := map[string]bool{}
		inspect(call.Args[0], func(e syntax.Expr) {
			if n, ok := e.(*syntax.Name); ok {
				flags[n.Text] = true
			}
		})
		want := "mem_flags::mem_threadgroup"
		if !group {
			want = "mem_flags::mem_none"
		}
		switch {
		case flags["mem_device"] && !shared:
			k.report(WideScope, call.Pos, k.argument(call, want), "the barrier orders device memory, and no thread reads what another wrote there: "+want+" is enough")
		case flags["mem_threadgroup"] && !flags["mem_device"] && !group && !shared:
			k.report(WideScope, call.Pos, k.argument(call, want), "the barrier orders threadgroup memory, and the kernel has none: mem_flags::mem_none is enough")
		}
	})
}

// argument replaces the argument of a barrier, if its text can be found.
func (k *kernel) argument(call *syntax.Call, want string) *Fix {
	text := k.text(call.Pos)
	from := int(call.Fun.End.Offset)
	if from > len(text) {
		return nil
	}
	open := strings.IndexByte(text[from:], '(')
	end := strings.IndexByte(text[from:], ')')
	if open < 0 || end < open || strings.TrimSpace(text[from:from+open]) != "" || strings.ContainsAny(text[from+open+1:from+end], "(){};") {
		return nil
	}
	return &Fix{from + open + 1, from + end, want}
}

// hasGroupMemory reports whether the kernel declares threadgroup memory or
// takes it.
func (k *kernel) hasGroupMemory() bool {
	for _, v := range k.locals {
		if v.space == "threadgroup" {
			return true
		}
	}
	return false
}

// sharesDevice reports whether some device memory is both written and read, or
// goes where it cannot be followed.
func (k *kernel) sharesDevice() bool {
	written, read := map[*variable]bool{}, map[*variable]bool{}
	targets := map[*syntax.Name]bool{} // names that are only stored to
	k.all(func(e syntax.Expr) {
		switch e := e.(type) {
		case *syntax.Assign:
			if v := k.root(e.L, nil); v != nil && isDevice(v) {
				written[v] = true
				if e.Op == "" {
					targets[base(e.L)] = true
				} else {
					read[v] = true
				}
			}
		case *syntax.Unary:
			if e.Op == "++" || e.Op == "--" {
				if v := k.root(e.X, nil); v != nil && isDevice(v) {
					written[v], read[v] = true, true
				}
			}
		case *syntax.Call:
			if e.Fun == nil {
				return
			}
			fn, known := ktree.FindIntrinsic(e.Fun.Text)
			if known && !fn.IsAtomic() {
				return
			}
			for _, a := range e.Args {
				if v := k.root(a, nil); v != nil && isDevice(v) {
					written[v], read[v] = true, true
				}
			}
		}
	})
	k.all(func(e syntax.Expr) {
		if n, ok := e.(*syntax.Name); ok && !targets[n] {
			if v := k.refs[n]; v != nil {
				read[v] = true
			}
		}
	})
	for v := range written {
		if read[v] {
			return true
		}
	}
	return false
}

func isDevice(v *variable) bool {
	return v.operand && !isGrid(v.name) || v.space == "device" || v.pointer && v.space == ""
}
