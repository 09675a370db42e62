package main

import (
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

// columnFile is a result that is written frame after frame.
type columnFile struct {
	name   string  // in a .npz file
	frames int     // of all arrays together
	beside []named // what a .npz file has beside it
}

// writeColumns writes arrays of shape (channels, rows, frames) as they come, as one array
// along the frames. In Fortran order one frame follows the other, so nothing is kept. One
// channel has no axis.
func writeColumns[T float32 | float64 | complex64 | complex128](c *cobra.Command, v *signalVerb, f columnFile, arrays iter.Seq2[*nd.Array, error]) error {
	h := npy.Header{DType: npy.DTypeOf[T](), Fortran: true}
	written := 0
	all := func(out io.Writer) error {
		for z, err := range arrays {
			if err != nil {
				return err
			}
			if h.Shape == nil {
				h.Shape = []int{z.Dim(0), z.Dim(1), f.frames}
				if z.Dim(0) == 1 {
					h.Shape = h.Shape[1:]
				}
				if err := npy.WriteHeader(out, h); err != nil {
					return err
				}
			}
			values, err := nd.Slice[T](c.Context(), z.Transpose())
			if err != nil {
				return err
			}
			written += z.Dim(2)
			z.Release()
			part, err := npy.From(values, len(values))
			if err != nil {
				return err
			}
			if _, err := out.Write(part.Data); err != nil {
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
