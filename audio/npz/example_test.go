package npz_test

import (
	"bytes"
	"fmt"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/audio/npz"
)

func Example() {
	taps, err := npy.From([]float32{0.25, 0.5, 0.25}, 3)
	if err != nil {
		panic(err)
	}
	var file bytes.Buffer // npz.WriteFile and npz.Open for real ones
	if err := npz.Write(&file, map[string]*npy.Array{"taps": taps}, true); err != nil {
		panic(err)
	}

	a, err := npz.NewArchive(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		panic(err)
	}
	for _, name := range a.Names() {
		x, err := a.Read(name)
		if err != nil {
			panic(err)
		}
		values, err := npy.Values[float32](x)
		if err != nil {
			panic(err)
		}
		fmt.Println(name, x.Shape, values)
	}
	// Output: taps [3] [0.25 0.5 0.25]
}
