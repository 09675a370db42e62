// Mels turns recordings into mel spectrograms in decibels, a .npy file beside each.
//
//	go run ./examples/mels *.wav
package main

import (
	"cmp"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/signal"
)

func main() {
	if len(os.Args) < 2 {
		log.Fatal("usage: mels FILE...")
	}
	for _, name := range os.Args[1:] {
		x, info, err := audio.Load[float32](name)
		m := signal.Mel{FS: info.Rate, NMels: 80}.Apply(x.Mean(0))
		out := strings.TrimSuffix(name, filepath.Ext(name)) + ".npy"
		if err := cmp.Or(err, npy.Save(context.Background(), out, signal.PowerToDB(m))); err != nil {
			log.Fatal(err)
		}
		fmt.Println(out, m.Shape())
	}
}
