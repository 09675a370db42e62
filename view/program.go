package view

import (
	"fmt"
	"path/filepath"
	"strings"
)

// command is the command line that computes the spectrum of the part.
func (p *part) command(flags []string) string {
	out := strings.TrimSuffix(filepath.Base(p.item), filepath.Ext(p.item)) + "-spectrum.npz"
	words := append([]string{"twiddle", "welch", "--in", p.item}, flags...)
	words = append(words, "--frames", fmt.Sprintf("%d:%d", p.from, p.to), "--nperseg", fmt.Sprint(p.look.N), "--window", p.look.Window, "--out", out)
	for i, w := range words {
		words[i] = quoted(w)
	}
	return strings.Join(words, " ") + "\n"
}

// quoted is a word as shells take it.
func quoted(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,+@%", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// program is a Go program that prints the spectrum of the part.
func (p *part) program() string {
	channel, options := "", ""
	if p.info.IQ {
		options = ", audio.Options{IQ: true}"
		channel = "\tx = nd.Complex(x.At(0), x.At(1)).ExpandDims(0) // I and Q\n"
	} else if p.look.Channel != allChannels {
		channel = fmt.Sprintf("\tx = x.SliceAxis(0, nd.Range{Start: %d, Stop: %d}) // channel %d\n", p.look.Channel, p.look.Channel+1, p.look.Channel+1)
	}
	w := p.look.window()
	window := fmt.Sprintf("signal.Window{Name: %q}", w.Name)
	if w.Param != 0 {
		window = fmt.Sprintf("signal.Window{Name: %q, Param: %g}", w.Name, w.Param)
	}
	return fmt.Sprintf(programText, p.item, options, p.from, p.to-p.from, p.from, p.to, channel, number(p.info.rate()), window, p.look.N)
}

const programText = `package main

import (
	"context"
	"fmt"
	"io"
	"log"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func main() {
	f, err := audio.Open(%q%s)
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	if err := f.SeekFrame(%d); err != nil {
		log.Fatal(err)
	}
	frames := make([]float64, %d*f.Info.Channels) // frames %d to %d
	n, err := audio.ReadFull(f, frames)
	if err != nil && err != io.EOF {
		log.Fatal(err)
	}
	x := nd.From(frames[:n*f.Info.Channels], n, f.Info.Channels).Transpose()
%s	p := signal.Welch(x, signal.Spectral{FS: %s, Window: %s, NPerSeg: %d})
	density, err := nd.Slice[float64](context.Background(), p.Array)
	if err != nil {
		log.Fatal(err)
	}
	for i, v := range density {
		fmt.Println(i/len(p.Frequencies)+1, p.Frequencies[i%%len(p.Frequencies)], v)
	}
}
`
