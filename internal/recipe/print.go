package recipe

import (
	"fmt"
	"strings"
)

// String writes the recipe on one line, in the form that Parse reads.
func (r *Recipe) String() string {
	switch r.Kind {
	case MixedRadix:
		var b strings.Builder
		b.WriteString("mixed ")
		for i, f := range r.Radices {
			switch {
			case i == 0:
			case i == r.Turn:
				b.WriteByte('|')
			default:
				b.WriteByte('.')
			}
			fmt.Fprint(&b, f)
		}
		return b.String() + r.Sharing.String()
	case FourStep:
		return fmt.Sprintf("fourstep (%v) (%v)", r.Columns, r.Rows)
	case Cluster:
		return fmt.Sprintf("cluster %d (%v) (%v)", r.Blocks, r.Columns, r.Rows)
	case Rader, Bluestein, Packed:
		return fmt.Sprintf("%v %d (%v)", r.Kind, r.N, r.Inner)
	}
	return fmt.Sprintf("%v %d%v", r.Kind, r.N, r.Sharing)
}

// Tree writes the recipe one part per line, indented.
func (r *Recipe) Tree() string {
	var b strings.Builder
	r.tree(&b, "", "")
	return b.String()
}

func (r *Recipe) tree(b *strings.Builder, indent, role string) {
	fmt.Fprintf(b, "%s%s%d: ", indent, role, r.N)
	indent += "  "
	switch r.Kind {
	case Direct:
		fmt.Fprintf(b, "one kernel%s\n", r.shared())
	case MixedRadix:
		fmt.Fprintf(b, "passes")
		for i, f := range r.Radices {
			if i > 0 && i == r.Turn {
				fmt.Fprintf(b, " turn")
			}
			fmt.Fprintf(b, " %d", f)
		}
		fmt.Fprintf(b, "%s\n", r.shared())
	case FourStep:
		fmt.Fprintf(b, "four-step, %d x %d\n", r.Columns.N, r.Rows.N)
		r.Columns.tree(b, indent, "columns ")
		r.Rows.tree(b, indent, "rows ")
	case Cluster:
		fmt.Fprintf(b, "in a cluster of %d blocks, %d x %d\n", r.Blocks, r.Columns.N, r.Rows.N)
		r.Columns.tree(b, indent, "columns ")
		r.Rows.tree(b, indent, "rows ")
	case Rader:
		fmt.Fprintf(b, "Rader, cyclic convolution of %d\n", r.Inner.N)
		r.Inner.tree(b, indent, "inner ")
	case Bluestein:
		fmt.Fprintf(b, "Bluestein, convolution padded to %d\n", r.Inner.N)
		r.Inner.tree(b, indent, "inner ")
	case Packed:
		fmt.Fprintf(b, "real, packed as a complex line of %d\n", r.Inner.N)
		r.Inner.tree(b, indent, "")
	}
}

// shared says for people how threads share lines.
func (r *Recipe) shared() string {
	if r.Threads == 0 {
		return ""
	}
	text := fmt.Sprintf(", %s a line", count(r.Threads, "thread"))
	if r.Lines > 0 {
		text += fmt.Sprintf(", %s a block", count(r.Lines, "line"))
	}
	if r.Resident > 0 {
		text += fmt.Sprintf(", %d threads a multiprocessor", r.Resident)
	}
	if r.Ahead > 0 {
		text += fmt.Sprintf(", lines asked for %s of a multiprocessor ahead", count(r.Ahead, "block"))
	}
	if r.Tight {
		text += ", without gaps"
	}
	if r.Turns {
		text += ", real and imaginary parts in turn"
	}
	if r.Stays {
		text += ", blocks that stay"
	}
	if r.Wide {
		text += ", numbers stored in twos"
	}
	return text
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
