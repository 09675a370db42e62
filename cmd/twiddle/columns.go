package main

import (
	"context"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/audio/npz"
	"github.com/twiddle-go/twiddle/internal/replace"
	"github.com/twiddle-go/twiddle/nd"
)

// columns is an array of shape (channels, rows, frames) in Fortran order: frame after
// frame.
type columns[T float32 | float64 | complex64 | complex128] struct {
	values         []T
	channels, rows int
}

func (c columns[T]) frames() int { return len(c.values) / (c.channels * c.rows) }

func (c columns[T]) array() *nd.Array {
	return nd.From(c.values, c.frames(), c.rows, c.channels).Transpose()
}

// columnsFrom computes arrays and lets go of them.
func columnsFrom[T float32 | float64 | complex64 | complex128](ctx context.Context, arrays iter.Seq2[*nd.Array, error]) iter.Seq2[columns[T], error] {
	return func(yield func(columns[T], error) bool) {
		for x, err := range arrays {
			var c columns[T]
			if err == nil {
				across := x.Transpose()
				c = columns[T]{channels: x.Dim(0), rows: x.Dim(1)}
				c.values, err = nd.Slice[T](ctx, across)
				across.Release()
				x.Release()
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// columnFile is a result that is written frame after frame.
type columnFile struct {
	name   string  // in a .npz file
	frames int     // of all columns together
	beside []named // what a .npz file has beside it
}

// writeColumns writes columns as they come, as one array in Fortran order, so that nothing
// is kept. One channel has no axis.
func writeColumns[T float32 | float64 | complex64 | complex128](c *cobra.Command, v *signalVerb, f columnFile, parts iter.Seq2[columns[T], error]) error {
	h := npy.Header{DType: npy.DTypeOf[T](), Fortran: true}
	written := 0
	all := func(out io.Writer) error {
		for p, err := range parts {
			if err != nil {
				return err
			}
			a, err := npy.From(p.values, len(p.values))
			if err != nil {
				return err
			}
			if h.Shape == nil {
				h.BigEndian = a.BigEndian
				h.Shape = []int{p.channels, p.rows, f.frames}
				if p.channels == 1 {
					h.Shape = h.Shape[1:]
				}
				if err := npy.WriteHeader(out, h); err != nil {
					return err
				}
			}
			written += p.frames()
			if _, err := out.Write(a.Data); err != nil {
				return err
			}
		}
		if written != f.frames { // the recording promised other samples than it has
			return fmt.Errorf("%d frames of %s, want %d", written, f.name, f.frames)
		}
		return nil
	}
	err := replace.File(*v.out, func(out *os.File) error {
		if extension(*v.out) != ".npz" {
			return all(out)
		}
		z := npz.NewWriter(out, false)
		for _, b := range f.beside {
			if err := z.Add(b.name, b.array); err != nil {
				return err
			}
		}
		w, err := z.Create(f.name)
		if err != nil {
			return err
		}
		if err := all(w); err != nil {
			return err
		}
		return z.Close()
	})
	if err != nil {
		return err
	}
	return show(c, *v.asJSON, &signalReport{Out: *v.out, Shape: h.Shape, DType: h.DType.String()})
}
