package wav

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/audio/pcm"
)

// withChunk is a file of a few samples that has a chunk before them.
func withChunk(t *testing.T, id string, body []byte) []byte {
	var b bytes.Buffer
	w, err := NewWriter(&b, pcm.Format{Encoding: pcm.Int16, Channels: 1, Rate: 8000})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write([]float32{0.25, 0.5}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	chunk := binary.LittleEndian.AppendUint32([]byte(id), uint32(len(body)))
	chunk = append(chunk, body...)
	if len(body)%2 == 1 {
		chunk = append(chunk, 0)
	}
	file := b.Bytes()
	return append(append(append([]byte{}, file[:12]...), chunk...), file[12:]...)
}

func info(id, text string) []byte {
	body := binary.LittleEndian.AppendUint32([]byte("INFO"+id), uint32(len(text)))
	return append(body, text...)
}

func TestRecorded(t *testing.T) {
	bext := make([]byte, 602)
	copy(bext[320:], "2024-10-30")
	copy(bext[330:], "19:17:30")
	at := time.Date(2024, 10, 30, 19, 17, 30, 0, time.UTC)
	for _, c := range []struct {
		name, id string
		body     []byte
		want     time.Time
	}{
		{"bext", "bext", bext, at},
		{"bext that says nothing", "bext", make([]byte, 602), time.Time{}},
		{"short bext", "bext", bext[:330], time.Time{}},
		{"guano", "guan", []byte("GUANO|Version: 1.0\nTimestamp: 2024-10-30T21:17:30.250+02:00\n"), at.Add(250 * time.Millisecond)},
		{"AudioMoth", "LIST", info("ICMT", "Recorded at 19:17:30 30/10/2024 (UTC) by AudioMoth 24F3 at gain 2.\x00"), at},
		{"AudioMoth, a zone", "LIST", info("ICMT", "Recorded at 13:47:30 30/10/2024 (UTC-5:30) by AudioMoth 24F3"), at},
		{"creation date", "LIST", info("ICRD", "2024-10-30T19:17:30Z"), at},
		{"a day only", "LIST", info("ICRD", "2024-10-30"), time.Time{}},
		{"not INFO", "LIST", []byte("adtl1234"), time.Time{}},
		{"a size that is too great", "LIST", append([]byte("INFOICMT"), 0xff, 0xff, 0xff, 0xff), time.Time{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := NewReader(bytes.NewReader(withChunk(t, c.id, c.body)))
			if err != nil {
				t.Fatal(err)
			}
			if got := r.Header().Recorded; !got.Equal(c.want) {
				t.Errorf("recorded %v, want %v", got, c.want)
			}
			var x [2]float32
			if n, err := r.Read(x[:]); n != 2 || err != nil || x != [2]float32{0.25, 0.5} {
				t.Errorf("samples %v, %d, %v", x, n, err)
			}
		})
	}
}
