package printer

import (
	"fmt"
	"sort"
	"strings"

	"github.com/twiddle-go/twiddle/internal/ktree"
)

// Metal is the kernel as a Metal source file. Header and body are the
// author's own text; only the signature, the template constants and the .x of
// positions used as numbers are added.
func Metal(p *ktree.Program) string {
	var b strings.Builder
	b.WriteString("#include <metal_stdlib>\nusing namespace metal;\n\n")
	for _, c := range p.Consts {
		if c.Is {
			fmt.Fprintf(&b, "using %s = %s;\n", c.Name, c.Type)
		} else {
			fmt.Fprintf(&b, "constant constexpr %s %s = %s;\n", c.Type, c.Name, plainInt(c.Type.Kind, c.Val.I))
		}
	}
	if len(p.Consts) > 0 {
		b.WriteByte('\n')
	}
	last := len(p.Source.Files) - 1
	for i := range last {
		if text := strings.TrimSpace(fixed(p, i)); text != "" {
			b.WriteString(text + "\n\n")
		}
	}
	var params []string
	slot := 0
	buffer := func(format string, args ...any) {
		params = append(params, fmt.Sprintf(format, args...)+fmt.Sprintf(" [[buffer(%d)]]", slot))
		slot++
	}
	for _, v := range p.Inputs {
		buffer("device const %s* %s", v.Type.Name(), v.Name)
	}
	for _, v := range p.Outputs {
		if v.Atomic {
			buffer("device atomic<%s>* %s", v.Type.Name(), v.Name)
		} else {
			buffer("device %s* %s", v.Type.Name(), v.Name)
		}
	}
	for _, v := range p.Metas {
		if v.What == "ndim" {
			buffer("constant const int& %s", v.Name)
		} else {
			buffer("constant const %s* %s", v.Type.Name(), v.Name)
		}
	}
	for _, v := range p.Builtins {
		if v != nil {
			params = append(params, fmt.Sprintf("%s %s [[%s]]", v.Type, v.Name, v.Name))
		}
	}
	fmt.Fprintf(&b, "kernel void %s(\n    %s) {\n", p.Name, strings.Join(params, ",\n    "))
	body := strings.Trim(fixed(p, last), "\n")
	b.WriteString(body + "\n}\n")
	return b.String()
}

func plainInt(k ktree.Kind, v int64) string {
	if k == ktree.Bool {
		return fmt.Sprint(v != 0)
	}
	return fmt.Sprint(v)
}

// fixed is a file with the checker's insertions made.
func fixed(p *ktree.Program, file int) string {
	text := p.Source.Files[file].Text
	var here []ktree.Fix
	seen := map[ktree.Fix]bool{}
	for _, f := range p.Fixes {
		if int(f.Pos.File) == file && !seen[f] {
			seen[f] = true
			here = append(here, f)
		}
	}
	sort.Slice(here, func(i, j int) bool { return here[i].Pos.Offset > here[j].Pos.Offset })
	for _, f := range here {
		at := min(int(f.Pos.Offset), len(text))
		text = text[:at] + f.Text + text[at:]
	}
	return text
}
