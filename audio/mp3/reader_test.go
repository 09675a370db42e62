package mp3_test

import (
	"io"
	"testing"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/internal/blockstest"
	"github.com/twiddle-go/twiddle/audio/mp3"
)

var format = blockstest.Format{Ending: ".mp3", Name: "MP3", Encoding: "mp3", Open: func(r io.Reader) (audio.Reader, audio.Info, error) {
	m, err := mp3.NewReader(r)
	if err != nil {
		return nil, audio.Info{}, err
	}
	return m, m.Info(), nil
}}

func TestLoad(t *testing.T)   { format.Load(t) }
func TestSeek(t *testing.T)   { format.Seek(t) }
func TestBroken(t *testing.T) { format.Broken(t, nil) }
