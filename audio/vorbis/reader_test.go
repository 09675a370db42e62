package vorbis_test

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"testing"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/internal/blockstest"
	"github.com/twiddle-go/twiddle/audio/vorbis"
)

var format = blockstest.Format{Ending: ".ogg", Name: "OGG", Encoding: "vorbis", Open: func(r io.Reader) (audio.Reader, audio.Info, error) {
	m, err := vorbis.NewReader(r)
	if err != nil {
		return nil, audio.Info{}, err
	}
	return m, m.Info(), nil
}}

func TestLoad(t *testing.T)   { format.Load(t) }
func TestSeek(t *testing.T)   { format.Seek(t) }
func TestBroken(t *testing.T) { format.Broken(t, mend) }

// mend makes the checksums of pages right again, so that broken bytes reach the decoder.
func mend(data []byte) []byte {
	for at := 0; at+27 <= len(data) && string(data[at:at+4]) == "OggS"; {
		end := at + 27 + int(data[at+26])
		if end > len(data) {
			break
		}
		for _, s := range data[at+27 : end] {
			end += int(s)
		}
		if end > len(data) {
			break
		}
		page := data[at:end]
		copy(page[22:26], []byte{0, 0, 0, 0})
		sum := uint32(0)
		for _, b := range page {
			sum ^= uint32(b) << 24
			for range 8 {
				if sum>>31 == 1 {
					sum = sum<<1 ^ 0x04c11db7
				} else {
					sum <<= 1
				}
			}
		}
		binary.LittleEndian.PutUint32(page[22:], sum)
		at = end
	}
	return data
}

// Headers that ask for more than there is are refused before room is made for it.
func TestHostileHeaders(t *testing.T) {
	whole, err := os.ReadFile("testdata/mono.ogg")
	if err != nil {
		t.Fatal(err)
	}
	books := bytes.Index(whole, []byte("BCV"))
	comments := bytes.Index(whole, []byte("\x03vorbis"))
	if books < 0 || comments < 0 {
		t.Fatal("no headers in the file")
	}
	vendor := int(binary.LittleEndian.Uint32(whole[comments+7:]))
	for name, change := range map[string]func(b []byte){
		"dimensions": func(b []byte) { copy(b[books+3:], "\xff\xff\xff\xff\xff") },
		"entries":    func(b []byte) { copy(b[books+5:], "\xff\xff\xff") },
		"comments":   func(b []byte) { copy(b[comments+11+vendor:], "\xff\xff\xff\x7f") },
		"vendor":     func(b []byte) { copy(b[comments+7:], "\xff\xff\xff\xff") },
	} {
		data := bytes.Clone(whole)
		change(data)
		if _, err := vorbis.NewReader(bytes.NewReader(mend(data))); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	// Pages without content: the decoder would call itself for each.
	header := bytes.Clone(whole[:27])
	header[5], header[26] = 0, 0
	first := 27 + int(whole[26]) + 30
	empty := append(append(bytes.Clone(whole[:first]), bytes.Repeat(header, 100000)...), whole[first:]...)
	r, err := vorbis.NewReader(bytes.NewReader(empty))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := r.Read(make([]float32, 6000)); n != 6000 {
		t.Errorf("%d frames, %v", n, err)
	}
}
