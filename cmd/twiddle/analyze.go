package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/analyze"
	"github.com/twiddle-go/twiddle/cmd/twiddle/internal/page"
	"github.com/twiddle-go/twiddle/internal/replace"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// analyzeRequest is what the analyze verb was asked for.
type analyzeRequest struct {
	files    []string
	piped    string // the file with what came through the pipe that is called -
	open     audio.Options
	options  analyze.Options
	out, png string
}

func newAnalyzeCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "analyze FILE...",
		Short: "Report on recordings: spectrum, tones, levels",
		Long: "Read recordings (WAV, FLAC, MP3, Ogg, .npy, .npz, CSV or raw), folders of them, or - for\n" +
			"a pipe. Print the spectrum of each recording and a table of its prominent tones; --out\n" +
			"writes an HTML page with waveforms, spectrograms and power spectral densities. Levels are\n" +
			"in dB relative to a sine of amplitude 1, which is full scale for integer samples: a sine\n" +
			"has the same RMS and peak level. Files are read once and in constant memory, several at a\n" +
			"time. A file that cannot be read is reported, the others are analysed, and the exit\n" +
			"status is 1.",
		Example: "  twiddle analyze machine.wav --out report.html\n" +
			"  twiddle analyze *.flac --peaks 5 --json\n" +
			"  twiddle analyze data.npy --fs 1000 --png pictures\n" +
			"  twiddle analyze bearing.csv --columns ax,az\n" +
			"  twiddle analyze dump.bin --raw int16 --channels 2 --fs 48000\n" +
			"  twiddle analyze iq.bin --raw int16 --iq --fs 2e6",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("want a recording or several")
			}
			return nil
		},
	}
	var r analyzeRequest
	var window, device string
	f := c.Flags()
	recording := addRecordingFlags(c)
	recording.addIQ(c)
	recording.addChoice(c)
	f.IntVar(&r.options.NPerSeg, "nperseg", 0, "samples in a segment (default: about a tenth of a second)")
	f.StringVar(&window, "window", "hann", "window of a segment, such as hann or kaiser:8.6")
	f.IntVar(&r.options.Peaks, "peaks", 10, "number of peaks to list")
	f.Float64Var(&r.options.Prominence, "prominence", 6, "least prominence of a peak, in dB")
	f.StringVar(&r.out, "out", "", "write an HTML page to this file")
	f.StringVar(&r.png, "png", "", "write the pictures as PNG files to this folder")
	f.StringVar(&device, "device", "cpu", "the device to run on; see 'twiddle devices'")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, args []string) (err error) {
		if r.files, err = withFolders(args); err != nil {
			return err
		}
		if r.open, err = recording.options(c); err != nil {
			return err
		}
		r.open.IQ = recording.iq
		if r.options.Window, err = signal.ParseWindow(window); err != nil {
			return usagef("--window: %w", err)
		}
		switch {
		case c.Flags().Changed("nperseg") && r.options.NPerSeg < 1:
			return usagef("--nperseg %d: want at least 1", r.options.NPerSeg)
		case r.options.Peaks < 1:
			return usagef("--peaks %d: want at least 1", r.options.Peaks)
		case !(r.options.Prominence > 0):
			return usagef("--prominence %g: want a positive number", r.options.Prominence)
		}
		dev, err := nd.Open(device)
		if err != nil {
			return usagef("--device: %w", err)
		}
		r.options.Stream = dev.Stream()
		if slices.Contains(r.files, "-") {
			var remove func() error
			if r.piped, remove, err = piped(c.InOrStdin()); err != nil {
				return err
			}
			defer func() { err = errors.Join(err, remove()) }()
		}
		all, err := analyzeFiles(c, r)
		if err != nil {
			return err
		}
		if err := show(c, *asJSON, all); err != nil {
			return err
		}
		return all.failure()
	}
	return c
}

// withFolders puts the recordings of folders in their place.
func withFolders(names []string) ([]string, error) {
	var list []string
	for _, name := range names {
		if !isFolder(name) {
			list = append(list, name)
			continue
		}
		files, err := recordingsIn(name)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			list = append(list, filepath.Join(name, f))
		}
	}
	return list, nil
}

// analyzeFiles looks at all files, some at a time, and keeps their order.
func analyzeFiles(c *cobra.Command, r analyzeRequest) (*analyzeReport, error) {
	if r.out != "" {
		if err := checkOut(r.out, ".html", ".htm"); err != nil {
			return nil, err
		}
	}
	if r.png != "" {
		if err := os.MkdirAll(r.png, 0o777); err != nil {
			return nil, fmt.Errorf("analyze: --png: %w", err)
		}
	}
	p := startProgress(c.ErrOrStderr(), "analysing")
	defer p.finish()
	all := &analyzeReport{Files: make([]analyzedFile, len(r.files)), Page: r.out}
	names := pictureNames(r.files)
	next := make(chan int)
	var workers sync.WaitGroup
	for range min(len(r.files), runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for i := range next {
				all.Files[i] = analyzeFile(c.Context(), r, r.files[i], names[i], p)
			}
		})
	}
	for i := range r.files {
		next <- i
	}
	close(next)
	workers.Wait()
	if err := c.Context().Err(); err != nil {
		return nil, err
	}
	if r.out != "" {
		return all, all.writePage(r.out)
	}
	return all, nil
}

// analyzeFile looks at one file. What goes wrong is in its result.
func analyzeFile(ctx context.Context, r analyzeRequest, name, pictures string, p *progress) analyzedFile {
	a := analyzedFile{Name: name}
	a.Result, a.err = analyzeRecording(ctx, r, name, p)
	if name == "-" {
		a.err = ofPipe(a.err, r.piped)
	}
	if a.err == nil && (r.out != "" || r.png != "") {
		a.entry, a.err = page.NewEntry(spelled(name), a.Result)
	}
	if a.err == nil && r.out != "" {
		a.entry.Sound = soundOf(ctx, r.path(name), r.out, r.open, a.Result)
	}
	if a.err == nil && r.png != "" {
		for _, picture := range a.entry.Pictures {
			file := filepath.Join(r.png, pictures+"-"+picture.Name+".png")
			if err := replace.Bytes(file, picture.PNG); err != nil {
				a.err = fmt.Errorf("analyze: --png: %w", err)
				break
			}
			a.Pictures = append(a.Pictures, file)
		}
	}
	if a.err != nil {
		a.Result, a.Error = nil, oneLine(a.err)
		a.entry = page.Entry{Name: spelled(name), Err: a.err}
		return a
	}
	a.Result.Spectrogram = analyze.Spectrogram{} // drawn, and large
	return a
}

func analyzeRecording(ctx context.Context, r analyzeRequest, name string, p *progress) (result *analyze.Result, err error) {
	f, err := audio.Open(r.path(name), r.open)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if f.Info.Frames < 0 {
		p.unknown.Store(true)
	} else {
		p.total.Add(f.Info.Frames)
	}
	o := r.options
	before := int64(0)
	o.Progress = func(frames, _ int64) {
		p.done.Add(frames - before)
		before = frames
	}
	return analyze.Recording(ctx, f, o)
}

// path is the file that a name stands for.
func (r *analyzeRequest) path(name string) string {
	if name == "-" {
		return r.piped
	}
	return name
}

// pictureNames is what the pictures of files are called: the files' own names,
// with a number where two would be the same.
func pictureNames(files []string) []string {
	names := make([]string, len(files))
	seen := map[string]int{}
	for i, f := range files {
		base := filepath.Base(f)
		if f == "-" {
			base = "stdin"
		}
		base = strings.TrimSuffix(base, filepath.Ext(base))
		if seen[base]++; seen[base] > 1 {
			base = fmt.Sprintf("%s-%d", base, seen[base])
		}
		names[i] = base
	}
	return names
}
