package pcm_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/twiddle-go/twiddle/audio/pcm"
)

func Example() {
	// Two channels of raw big-endian samples.
	r, err := pcm.NewReader(strings.NewReader("\x40\x00\xc0\x00\x20\x00\xe0\x00"),
		pcm.Format{Encoding: pcm.Int16, BigEndian: true, Channels: 2, Rate: 48000})
	if err != nil {
		panic(err)
	}
	frames := make([]float32, 8)
	n, err := r.Read(frames)
	fmt.Println(n, frames[:2*n], err)
	// Output: 2 [0.5 -0.5 0.25 -0.25] <nil>
}

// TestDecode spells every encoding out, in both byte orders.
func TestDecode(t *testing.T) {
	for _, c := range []struct {
		e      pcm.Encoding
		little string
		want   float64
	}{
		{pcm.Uint8, "\x00", -1}, {pcm.Uint8, "\x80", 0}, {pcm.Uint8, "\xff", 127.0 / 128},
		{pcm.Int8, "\x80", -1}, {pcm.Int8, "\x40", 0.5},
		{pcm.Int16, "\x00\x80", -1}, {pcm.Int16, "\x01\x00", math.Ldexp(1, -15)}, {pcm.Int16, "\xff\x7f", 1 - math.Ldexp(1, -15)},
		{pcm.Int24, "\x00\x00\x80", -1}, {pcm.Int24, "\x01\x00\x00", math.Ldexp(1, -23)}, {pcm.Int24, "\xff\xff\xff", -math.Ldexp(1, -23)},
		{pcm.Int32, "\x00\x00\x00\x80", -1}, {pcm.Int32, "\x01\x00\x00\x00", math.Ldexp(1, -31)}, {pcm.Int32, "\xff\xff\xff\x7f", 1 - math.Ldexp(1, -31)},
		{pcm.Float32, "\x00\x00\x80\xbf", -1}, {pcm.Float64, "\x00\x00\x00\x00\x00\x00\xf0\x3f", 1},
	} {
		big := []byte(c.little)
		for i, j := 0, len(big)-1; i < j; i, j = i+1, j-1 {
			big[i], big[j] = big[j], big[i]
		}
		var got [2]float64
		pcm.Decode(got[:1], []byte(c.little), c.e, false)
		pcm.Decode(got[1:], big, c.e, true)
		if got[0] != c.want || got[1] != c.want {
			t.Errorf("%v % x: %v, want %v", c.e, c.little, got, c.want)
		}
		var back [8]byte
		for _, order := range []bool{false, true} {
			pcm.Encode(back[:], []float64{c.want}, c.e, order)
			want := c.little
			if order {
				want = string(big)
			}
			if string(back[:c.e.Bytes()]) != want {
				t.Errorf("%v: %v becomes % x, want % x", c.e, c.want, back[:c.e.Bytes()], want)
			}
		}
	}
}

// TestRoundsToNearest compares with exact arithmetic.
func TestRoundsToNearest(t *testing.T) {
	for _, e := range []pcm.Encoding{pcm.Uint8, pcm.Int8, pcm.Int16, pcm.Int24, pcm.Int32} {
		step := math.Ldexp(1, 1-8*e.Bytes())
		for i := range 100 {
			v := math.Sin(float64(i)) * 0.99
			var b [4]byte
			if clipped := pcm.Encode(b[:], []float64{v}, e, false); clipped != 0 {
				t.Errorf("%v: %v is clipped", e, v)
			}
			var back [1]float64
			pcm.Decode(back[:], b[:], e, false)
			off := new(big.Float).Sub(big.NewFloat(back[0]), big.NewFloat(v))
			if off.Abs(off).Cmp(big.NewFloat(step/2)) > 0 {
				t.Errorf("%v: %v became %v", e, v, back[0])
			}
		}
	}
}

// What is beyond full scale becomes the last number on its side, and is counted; NaN
// becomes silence, and is counted, too. 1 is one step beyond.
func TestClips(t *testing.T) {
	src := []float64{1, 1.5, math.Inf(1), -1, -1.5, math.Inf(-1), math.NaN()}
	for _, e := range []pcm.Encoding{pcm.Uint8, pcm.Int8, pcm.Int16, pcm.Int24, pcm.Int32} {
		b, back := make([]byte, len(src)*e.Bytes()), make([]float64, len(src))
		if clipped := pcm.Encode(b, src, e, false); clipped != 6 {
			t.Errorf("%v: %d clipped, want all but -1", e, clipped)
		}
		pcm.Decode(back, b, e, false)
		top := 1 - math.Ldexp(1, 1-8*e.Bytes())
		for i, want := range []float64{top, top, top, -1, -1, -1, 0} {
			if back[i] != want {
				t.Errorf("%v: %v becomes %v, want %v", e, src[i], back[i], want)
			}
		}
	}
}

func TestReaderInAnyPieces(t *testing.T) {
	f := pcm.Format{Encoding: pcm.Int24, Channels: 3, Rate: 1}
	x := make([]float32, 3*50001) // more than a buffer
	for i := range x {
		x[i] = float32(i%1000-500) / 512
	}
	var b bytes.Buffer
	w, err := pcm.NewWriter(&b, f)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(x); err != nil || w.Frames() != 50001 {
		t.Fatalf("%v, %d frames", err, w.Frames())
	}
	for name, in := range map[string]io.Reader{"at once": bytes.NewReader(b.Bytes()), "byte by byte": iotest.OneByteReader(bytes.NewReader(b.Bytes()))} {
		r, err := pcm.NewReader(in, f)
		if err != nil {
			t.Fatal(err)
		}
		var got []float32
		room := make([]float32, 3*20011)
		for {
			n, err := r.Read(room)
			got = append(got, room[:3*n]...)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if len(got) != len(x) || r.Position() != 50001 || r.Torn() != 0 {
			t.Fatalf("%s: %d samples of %d, %d torn", name, len(got), len(x), r.Torn())
		}
		for i := range x {
			if got[i] != x[i] {
				t.Fatalf("%s: sample %d is %v, want %v", name, i, got[i], x[i])
			}
		}
	}
}

func TestFailures(t *testing.T) {
	for fact, f := range map[string]pcm.Format{
		"Encoding(0) is not an encoding":  {Channels: 1, Rate: 1},
		"Encoding(99) is not an encoding": {Encoding: 99, Channels: 1, Rate: 1},
		"0 channels":                      {Encoding: pcm.Int16, Rate: 1},
		"70000 channels":                  {Encoding: pcm.Int16, Channels: 70000, Rate: 1},
		"a rate of -1":                    {Encoding: pcm.Int16, Channels: 1, Rate: -1},
		"a rate of NaN":                   {Encoding: pcm.Int16, Channels: 1, Rate: math.NaN()},
	} {
		if _, err := pcm.NewReader(nil, f); err == nil || !strings.Contains(err.Error(), fact) {
			t.Errorf("%v, want %q", err, fact)
		}
		if _, err := pcm.NewWriter(nil, f); err == nil {
			t.Errorf("%q is written", fact)
		}
	}
	if _, err := pcm.ParseEncoding("int12"); err == nil || !strings.Contains(err.Error(), "uint8, int8, int16") {
		t.Error(err)
	}
	broken := errors.New("broken")
	r, err := pcm.NewReader(io.MultiReader(strings.NewReader("abcde"), iotest.ErrReader(broken)), pcm.Format{Encoding: pcm.Int16, Channels: 1, Rate: 1})
	if err != nil {
		t.Fatal(err)
	}
	room := make([]float32, 10)
	if n, err := r.Read(room); n != 2 || err != nil {
		t.Errorf("%d frames, %v", n, err)
	}
	if n, err := r.Read(room); n != 0 || !errors.Is(err, broken) {
		t.Errorf("%d frames, %v", n, err)
	}
	if _, err := r.Read(nil); err == nil {
		t.Error("no room at all")
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("0123456789"), uint8(3), uint16(2), false, int64(-1))
	f.Fuzz(func(t *testing.T, content []byte, e uint8, channels uint16, big bool, limit int64) {
		format := pcm.Format{Encoding: pcm.Encoding(e), BigEndian: big, Channels: int(channels), Rate: 1}
		r, err := pcm.NewLimited(bytes.NewReader(content), format, limit)
		if err != nil {
			return
		}
		total, room := 0, make([]float64, 3*format.Channels)
		for {
			n, err := r.Read64(room)
			if total += n; err != nil {
				break
			}
		}
		if total*format.FrameBytes() > len(content) || limit >= 0 && int64(total*format.FrameBytes()) > limit {
			t.Errorf("%d frames of %d bytes from %d, limit %d", total, format.FrameBytes(), len(content), limit)
		}
	})
}
