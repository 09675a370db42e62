// Livefilter convolves samples from a pipe with a long impulse response, block by block
// and without delay: float32 in, float32 out.
//
//	arecord -f FLOAT_LE -r 48000 | go run ./examples/livefilter room.wav | aplay -f FLOAT_LE -r 48000
package main

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"log"
	"os"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal/live"
)

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: livefilter RESPONSE < SAMPLES > FILTERED")
	}
	x, _, err := audio.Load[float32](os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	taps, err := nd.Slice[float32](context.Background(), x.At(0))
	if err != nil {
		log.Fatal(err)
	}
	room, err := live.NewConv(taps, 128)
	if err != nil {
		log.Fatal(err)
	}
	raw, block := make([]byte, 4*room.Block()), make([]float32, room.Block())
	for {
		n, err := io.ReadFull(os.Stdin, raw)
		if n == 0 && errors.Is(err, io.EOF) {
			return
		}
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
			log.Fatal(err)
		}
		clear(raw[n:]) // zeros after the last samples
		_, err = binary.Decode(raw, binary.LittleEndian, block)
		if err := cmp.Or(err, room.Process(block, block), binary.Write(os.Stdout, binary.LittleEndian, block)); err != nil {
			log.Fatal(err)
		}
	}
}
