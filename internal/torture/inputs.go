//go:build linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/audio/npz"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// inputs are files that are what they say.
type inputs struct {
	files     map[string]string // by what verbs.go calls them
	temporary string            // where the command puts what is to be gone in the end
}

// body is a kernel that doubles its input.
const body = "uint i = thread_position_in_grid.x;\ny[i] = 2 * x[i];\n"

// makeInputs writes what calls of verbs read.
func (t *torture) makeInputs() (*inputs, error) {
	folder := filepath.Join(t.work, "inputs")
	in := &inputs{files: map[string]string{}, temporary: filepath.Join(t.work, "tmp")}
	for _, f := range []string{folder, in.temporary} {
		if err := os.Mkdir(f, 0o700); err != nil {
			return nil, err
		}
	}
	name := func(key, file string) string {
		in.files[key] = filepath.Join(folder, file)
		return in.files[key]
	}
	const rate, channels = 8000, 2
	samples := make([]float32, 3*rate*channels)
	for i := range samples {
		samples[i] = float32(0.4*math.Sin(0.3*float64(i/channels)) + 0.2*math.Sin(1.7*float64(i)))
	}
	if err := wav.WriteFile(name("wav", "x.wav"), pcm.Format{Encoding: pcm.Int16, Channels: channels, Rate: rate}, samples); err != nil {
		return nil, err
	}
	x := nd.From(samples[:4*4096], 4, 4096)
	arrays := map[string]*nd.Array{
		"npy":    x,
		"filter": x.SliceAxis(-1, nd.Range{Stop: 64}),
		"stft":   signal.STFT{NFFT: 256}.Apply(x),
	}
	for key, a := range arrays {
		var file *npy.Array
		var err error
		if a.DType() == nd.Complex64 {
			file, err = toFile[complex64](a)
		} else {
			file, err = toFile[float32](a)
		}
		if err == nil {
			err = npy.WriteFile(name(key, key+".npy"), file)
		}
		if err == nil && key == "npy" {
			err = npz.WriteFile(name("npz", "x.npz"), map[string]*npy.Array{"x": file}, true)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile(name("metal", "body.metal"), []byte(body), 0o600); err != nil {
		return nil, err
	}
	// The command makes what it reads itself.
	in.files["weights"] = filepath.Join(folder, "w.safetensors")
	t.inputs = in
	p, err := t.start(folder, 60e9, 2, "train", "fft", "--n", "8", "--method", "factorize", "--out", in.files["weights"])
	if err != nil || p.status != 0 {
		return nil, fmt.Errorf("a network for eval: %v, status %d: %s", err, p.status, p.err)
	}
	return in, nil
}

func toFile[T interface {
	npy.Element
	nd.Element
}](a *nd.Array) (*npy.Array, error) {
	values, err := nd.Slice[T](context.Background(), a)
	if err != nil {
		return nil, err
	}
	return npy.From(values, a.Shape()...)
}

// bytesOf is a whole file, of inputs that are there.
func bytesOf(name string) []byte {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	return data
}

// same reports whether a file has these bytes still.
func same(name string, data []byte) bool { return bytes.Equal(bytesOf(name), data) }
