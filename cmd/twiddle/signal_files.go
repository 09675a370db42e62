package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/audio/npz"
	"github.com/twiddle-go/twiddle/internal/counted"
	"github.com/twiddle-go/twiddle/nd"
)

// signalFile is the samples of a file.
type signalFile struct {
	*nd.Array
	rate    float64 // 0 if nobody says
	axis    nd.AxisChoice
	names   []string // of a table's columns, or of chosen channels; nil if there are none
	warning error    // what is wrong with a recording that could be read all the same
}

// channelNames are the names of so many channels: their own, or "channel 1".
func (s *signalFile) channelNames(count int) []string {
	names := slices.Clone(s.names)
	for i := len(names); i < count; i++ {
		names = append(names, "channel "+strconv.Itoa(i+1))
	}
	return names
}

// readSignal reads a file, or a part of it. Arrays keep their shape, and their dtype if
// it is one of single precision; recordings have shape (channels, frames), or
// (frames) if there is one channel.
func readSignal(name string, o audio.Options, part framePart) (signalFile, error) {
	kind, err := sniff(name)
	if err != nil {
		return signalFile{}, err
	}
	s := signalFile{rate: o.Rate, axis: o.Axis}
	switch {
	case o.Raw.Encoding != 0:
	case o.Channel != "" || o.Mono: // an array is a recording, too
		s.axis = nd.AxisChoice{}
	case kind == "npy":
		a, err := npy.ReadFile(name)
		if err != nil {
			return s, err
		}
		if s.Array, err = signalArray(a); err == nil {
			s.Array, err = part.of(s.Array, s.axis)
		}
		return s, err
	case kind == "npz":
		a, err := readNPZ(name, o.Array)
		if err != nil {
			return s, err
		}
		if s.Array, err = signalArray(a); err == nil {
			s.Array, err = part.of(s.Array, s.axis)
		}
		return s, err
	}
	f, err := audio.Open(name, o)
	if err != nil {
		return s, err
	}
	s.Array, err = part.read(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return s, err
	}
	if s.Dim(0) == 1 {
		s.Array = s.Squeeze(0)
	}
	s.rate, s.names, s.warning = f.Info.Rate, f.ChannelNames(), f.Warning()
	return s, nil
}

// sniff tells arrays from recordings.
func sniff(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", fmt.Errorf("audio: %w", err)
	}
	defer f.Close()
	head := make([]byte, 6)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.ErrUnexpectedEOF && err != io.EOF {
		return "", fmt.Errorf("audio: %w", err)
	}
	switch {
	case bytes.HasPrefix(head[:n], []byte("\x93NUMPY")):
		return "npy", nil
	case bytes.HasPrefix(head[:n], []byte("PK\x03\x04")):
		return "npz", nil
	}
	return "", nil
}

func readNPZ(name, array string) (*npy.Array, error) {
	z, err := npz.Open(name)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	if array == "" {
		if names := z.Names(); len(names) > 1 {
			return nil, usagef("%s has %s: say which with --array: %s", name, counted.Of(len(names), "array"), strings.Join(names, ", "))
		}
		array = z.Names()[0]
	}
	return z.Read(array)
}

// named is a result with a name.
type named struct {
	name  string
	array *npy.Array
}

// writeResults writes the first array to a .npy file, or all by their names to
// a .npz file.
func writeResults(name string, results ...named) error {
	if extension(name) == ".npy" {
		return npy.WriteFile(name, results[0].array)
	}
	all := map[string]*npy.Array{}
	for _, r := range results {
		all[r.name] = r.array
	}
	return npz.WriteFile(name, all, false)
}

// extension is how a name ends, in small letters.
func extension(name string) string { return strings.ToLower(filepath.Ext(name)) }

// checkOut reports a file that cannot be written, before there is work to lose.
func checkOut(name string, extensions ...string) error {
	if name == "" {
		return usagef("--out is required: a file that ends in %s", strings.Join(extensions, " or "))
	}
	if !slices.Contains(extensions, extension(name)) {
		return usagef("--out %s: want a name that ends in %s", name, strings.Join(extensions, " or "))
	}
	folder, err := os.Stat(filepath.Dir(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("--out %s: there is no folder %s: make it first", name, filepath.Dir(name))
	case err == nil && !folder.IsDir():
		err = fmt.Errorf("%s is not a folder", filepath.Dir(name))
	}
	if err != nil {
		return fmt.Errorf("--out %s: %w", name, err)
	}
	if isFolder(name) {
		return fmt.Errorf("--out %s is a folder: want a file", name)
	}
	return nil
}

// maxJSON is how many numbers are printed as JSON: more belong in a file.
const maxJSON = 1 << 16

// jsonValues is an array as nested lists; complex numbers are pairs.
func jsonValues(a *npy.Array) (any, error) {
	if n, err := a.Count(); err != nil || n > maxJSON {
		return nil, usagef("%d numbers are too many for --json: write them with --out", n)
	}
	if a.DType.IsComplex() {
		values, err := npy.As[complex128](a)
		if err != nil {
			return nil, err
		}
		pairs := make([]any, len(values))
		for i, z := range values {
			pairs[i] = [2]float64{real(z), imag(z)}
		}
		return nested(pairs, a.Shape), nil
	}
	values, err := npy.As[float64](a)
	if err != nil {
		return nil, err
	}
	list := make([]any, len(values))
	for i, v := range values {
		list[i] = v
		if v-v != 0 {
			list[i] = nil // JSON has no NaN and no infinity
		}
	}
	return nested(list, a.Shape), nil
}

// nested is a flat list in the given shape.
func nested(list []any, shape []int) any {
	if len(shape) == 0 {
		return list[0]
	}
	if len(shape) == 1 {
		return list
	}
	out := make([]any, shape[0])
	step := 0
	if shape[0] > 0 {
		step = len(list) / shape[0]
	}
	for i := range out {
		out[i] = nested(list[i*step:(i+1)*step], shape[1:])
	}
	return out
}

// signalReport says what a verb made: where it is, or for --json what it is.
type signalReport struct {
	Out    string         `json:"out,omitempty"`
	Shape  []int          `json:"shape"`
	DType  string         `json:"dtype"`
	Note   string         `json:"note,omitempty"`
	Values map[string]any `json:"values,omitempty"`
}

func (r *signalReport) WriteText(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s: %s %v\n", r.Out, r.DType, r.Shape)
	if err == nil && r.Note != "" {
		_, err = fmt.Fprintf(w, "note: %s\n", r.Note)
	}
	return err
}

// reportResults writes results to a file, if one is named, and says so. Without a
// file they are values of the report.
func reportResults(out, note string, results ...named) (*signalReport, error) {
	r := &signalReport{Out: out, Shape: results[0].array.Shape, DType: results[0].array.DType.String(), Note: note}
	if out != "" {
		return r, writeResults(out, results...)
	}
	r.Values = map[string]any{}
	for _, n := range results {
		v, err := jsonValues(n.array)
		if err != nil {
			return nil, err
		}
		r.Values[n.name] = v
	}
	return r, nil
}
