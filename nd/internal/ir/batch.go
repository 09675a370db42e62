package ir

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// Batch is maps and reductions that do not depend on each other, in one launch.
// None reads what another writes, and no two write the same element; a launch
// binds the reads of all of them, then what all of them write.
type Batch struct {
	Programs []Program
}

func (*Batch) Name() string { return "batch" }

func (*Batch) String() string { return "batch" }

// Extent is the number of programs.
func (b *Batch) Extent() []int { return []int{len(b.Programs)} }

func (b *Batch) Accesses() []Access {
	var reads, writes []Access
	for _, p := range b.Programs {
		r, w := apart(p)
		reads, writes = append(reads, r...), append(writes, w...)
	}
	return append(reads, writes...)
}

func (b *Batch) key(k *keyer) {
	k.ints([]int{len(b.Programs)})
	for _, p := range b.Programs {
		k.program(p)
	}
}

func (b *Batch) clone() Program { return b }

// spaces is nothing: programs were simplified before they became a batch.
func (b *Batch) spaces(func(*Space)) {}

func (b *Batch) Ops() float64 { return lists.Sum(b.Programs, Program.Ops) }

func (b *Batch) Verify() error {
	for i, p := range b.Programs {
		switch p.(type) {
		case *Map, *Reduce:
		default:
			return fmt.Errorf("ir: batch: program %d is a %s", i, p.Name())
		}
		if err := p.Verify(); err != nil {
			return err
		}
	}
	return nil
}
