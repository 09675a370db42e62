package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/view"
)

// liveSeconds is how much of a live signal can be looked back at, within
// liveSamples.
const (
	liveSeconds = 120
	liveSamples = 16 << 20
)

// frameReader is what live samples come from.
type frameReader interface {
	Read(dst []float32) (frames int, err error)
}

// liveFrom shows a stream of samples as it arrives: of a format, or of a WAV file
// if there is none.
func liveFrom(ctx context.Context, in io.Reader, o audio.Options, record string) (view.Source, func(), error) {
	if o.Raw.Encoding == 0 {
		r, err := wav.NewReader(in)
		if err != nil {
			return nil, nil, fmt.Errorf("view: standard input: %w; for samples without a header say --raw and --fs", err)
		}
		return startLive(ctx, "standard input", r.Header().Format, o.IQ, r, record)
	}
	r, err := pcm.NewReader(in, o.Raw)
	if err != nil {
		return nil, nil, err
	}
	return startLive(ctx, "standard input", o.Raw, o.IQ, r, record)
}

// startLive reads samples into a live source, and a file if one is named, until
// they end or stop is called.
func startLive(ctx context.Context, name string, format pcm.Format, iq bool, r frameReader, record string) (view.Source, func(), error) {
	keep := min(int(liveSeconds*format.Rate)+1, max(liveSamples/format.Channels, 1<<16))
	var live *view.Live
	var err error
	switch {
	case !iq:
		live, err = view.NewLive(name, format.Rate, format.Channels, keep)
	case format.Channels != 2:
		err = usagef("--iq: %s: want two channels, I and Q (%s)", counted.Of(format.Channels, "channel"), name)
	default:
		live, err = view.NewLiveIQ(name, format.Rate, keep)
	}
	if err != nil {
		return nil, nil, err
	}
	var file recorder
	if record != "" {
		if file.out, err = wav.Create(record, format); err != nil {
			return nil, nil, err
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		live.End(errors.Join(copyFrames(ctx, live, &file, format, r), file.close()))
	}()
	// A read that waits for samples cannot be woken: the file is closed without it.
	return live, func() {
		cancel()
		if err := file.close(); err != nil {
			fmt.Fprintf(visible{os.Stderr}, "twiddle: --record: %v\n", err)
		}
	}, nil
}

// recorder is a file that what arrives is written to, until it is closed; the zero
// value has none.
type recorder struct {
	mu  sync.Mutex
	out *wav.Writer
}

func (r *recorder) write(frames []float32) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.out == nil {
		return nil
	}
	return r.out.Write(frames)
}

func (r *recorder) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.out == nil {
		return nil
	}
	err := r.out.Close()
	r.out = nil
	return err
}

// copyFrames passes on samples in pieces of a hundredth of a second, which is
// below what the eye notices.
func copyFrames(ctx context.Context, live *view.Live, file *recorder, format pcm.Format, r frameReader) error {
	room := make([]float32, max(1, int(format.Rate/100))*format.Channels)
	for ctx.Err() == nil {
		n, err := r.Read(room)
		frames := room[:n*format.Channels]
		if err := errors.Join(live.Write(frames), file.write(frames)); err != nil {
			return err
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// recorders is programs that write samples of the microphone to standard
// output, as int16 at 48 kHz: of PipeWire, of PulseAudio, of ALSA.
var recorders = [][]string{
	{"pw-record", "--rate", "48000", "--channels", "1", "--format", "s16", "--latency", "10ms", "--raw", "-"},
	{"parec", "--rate=48000", "--channels=1", "--format=s16le", "--latency-msec=10"},
	{"arecord", "-q", "-t", "raw", "-f", "S16_LE", "-r", "48000", "-c", "1", "--buffer-time=40000"},
}

// microphone shows what the first recorder that gives samples hears. One may be
// installed where its server does not run.
func microphone(ctx context.Context, record string) (view.Source, func(), error) {
	format := pcm.Format{Encoding: pcm.Int16, Channels: 1, Rate: 48000}
	var failed []error
	for _, words := range recorders {
		path, err := exec.LookPath(words[0])
		if err != nil {
			continue
		}
		p := exec.CommandContext(ctx, path, words[1:]...)
		var said bytes.Buffer
		p.Stderr = &said
		p.WaitDelay = time.Second // for a child of its own that keeps its output open
		out, err := p.StdoutPipe()
		if err == nil {
			err = p.Start()
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", words[0], err))
			continue
		}
		in := bufio.NewReader(out)
		if _, err := in.Peek(1); err != nil {
			if ended := p.Wait(); ended != nil {
				err = ended
			}
			failed = append(failed, fmt.Errorf("%s: %w: %s", words[0], err, bytes.TrimSpace(said.Bytes())))
			continue
		}
		r, err := pcm.NewReader(in, format)
		var source view.Source
		var stop func()
		if err == nil {
			source, stop, err = startLive(ctx, "microphone", format, false, r, record)
		}
		end := func() {
			_ = p.Process.Kill()
			if stop != nil {
				stop()
			}
			_ = p.Wait()
		}
		if err != nil {
			end()
		}
		return source, end, err
	}
	if len(failed) > 0 {
		return nil, nil, fmt.Errorf("view: --mic: %w; the page can use the browser's microphone instead", errors.Join(failed...))
	}
	return nil, nil, errors.New("view: --mic: neither pw-record, parec nor arecord was found; the page can use the browser's microphone instead")
}
