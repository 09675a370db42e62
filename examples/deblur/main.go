// Deblur sharpens a picture that a known point spread blurred, by Wiener's filter. Without
// a picture it blurs one of its own.
//
//	go run ./examples/deblur [blurred.png] # writes sharp.png
package main

import (
	"context"
	"log"
	"os"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/picture"
)

// spread is a Gaussian around the corner of a picture, where transforms want its middle.
func spread(h, w int, sigma float64) *nd.Array {
	square := func(n int) *nd.Array { return nd.FFTFreq(n, 1.0/float64(n)).AbsSquared() }
	g := square(h).ExpandDims(1).Add(square(w)).DivScalar(-2 * sigma * sigma).Exp()
	return g.Div(g.Sum()).Cast(nd.Float32)
}

func main() {
	ctx := context.Background()
	var blurred *nd.Array
	if len(os.Args) > 1 {
		x, err := picture.Load(os.Args[1])
		if err != nil {
			log.Fatal(err)
		}
		blurred = x.Reshape(x.Dim(0), x.Dim(1), -1).Mean(-1) // grey
	} else {
		i := nd.Arange(0.0, 256, 1)
		tiles := i.DivScalar(32).Floor().ExpandDims(1).Add(i.DivScalar(32).Floor()).RemScalar(2).Cast(nd.Float32)
		blurred = tiles.RFFTN().Mul(spread(256, 256, 3).RFFTN()).IRFFTN(nd.FFTN{Shape: []int{256, 256}})
		if err := picture.Save(ctx, "blurred.png", blurred); err != nil {
			log.Fatal(err)
		}
	}
	h, w := blurred.Dim(0), blurred.Dim(1)
	psf := spread(h, w, 3).RFFTN()
	wiener := psf.Conj().MulReal(psf.AbsSquared().AddScalar(1e-4).DivInto(1))
	sharp := blurred.RFFTN().Mul(wiener).IRFFTN(nd.FFTN{Shape: []int{h, w}})
	if err := picture.Save(ctx, "sharp.png", sharp); err != nil {
		log.Fatal(err)
	}
}
