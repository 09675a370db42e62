package safetensors

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// metadataKey is the one name in a header that is no tensor.
const metadataKey = "__metadata__"

// entry is a tensor in the header. Offsets count from the end of the header.
type entry struct {
	name    string
	DType   DType   `json:"dtype"`
	Shape   []int   `json:"shape"`
	Offsets []int64 `json:"data_offsets"`
}

// parseHeader reads the JSON text. A name that comes twice is an error: which
// of the two is meant would depend on the reader.
func parseHeader(text []byte) (entries []entry, metadata map[string]string, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, nil, fmt.Errorf("safetensors: header: want a JSON object")
	}
	seen := map[string]bool{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, nil, fmt.Errorf("safetensors: header: %w", err)
		}
		name := t.(string) // keys of an object are
		if seen[name] {
			return nil, nil, fmt.Errorf("safetensors: header: %q comes twice", name)
		}
		seen[name] = true
		if name == metadataKey {
			if err := d.Decode(&metadata); err != nil {
				return nil, nil, fmt.Errorf("safetensors: header: metadata: %w", err)
			}
			continue
		}
		e := entry{name: name}
		if err := d.Decode(&e); err != nil {
			return nil, nil, fmt.Errorf("safetensors: header: %q: %w", name, err)
		}
		if e.Shape == nil || len(e.Offsets) != 2 {
			return nil, nil, fmt.Errorf("safetensors: header: %q: want dtype, shape and two data_offsets", name)
		}
		entries = append(entries, e)
	}
	if _, err := d.Token(); err != nil {
		return nil, nil, fmt.Errorf("safetensors: header: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, nil, fmt.Errorf("safetensors: header: text behind the JSON object")
	}
	return entries, metadata, nil
}

// place sorts entries by where they lie and checks that they lie behind each
// other, from 0 to size, without gaps and overlaps.
func place(entries []entry, size int64) error {
	slices.SortStableFunc(entries, func(a, b entry) int {
		for i := range a.Offsets {
			if a.Offsets[i] != b.Offsets[i] {
				if a.Offsets[i] < b.Offsets[i] {
					return -1
				}
				return 1
			}
		}
		return 0
	})
	at := int64(0)
	for _, e := range entries {
		from, to := e.Offsets[0], e.Offsets[1]
		if from != at || to < from || to > size {
			return fmt.Errorf("safetensors: %q: bytes %d to %d, want them to begin at %d and end by %d", e.name, from, to, at, size)
		}
		at = to
	}
	if at != size {
		return fmt.Errorf("safetensors: the tensors end at byte %d of %d", at, size)
	}
	return nil
}

// headerOf is the JSON text for tensors that follow each other, padded with
// spaces so that what comes behind it is aligned.
func headerOf(f *File) ([]byte, error) {
	if f == nil {
		return nil, errors.New("no file")
	}
	var b bytes.Buffer
	b.WriteByte('{')
	if f.Metadata != nil {
		text, err := json.Marshal(f.Metadata) // in the order of names
		if err != nil {
			return nil, fmt.Errorf("safetensors: metadata: %w", err)
		}
		fmt.Fprintf(&b, "%q:%s", metadataKey, text)
	}
	at := int64(0)
	seen := map[string]bool{metadataKey: true}
	for i := range f.Tensors {
		t := &f.Tensors[i]
		if err := t.check(); err != nil {
			return nil, err
		}
		if seen[t.Name] {
			return nil, fmt.Errorf("safetensors: the name %q is taken", t.Name)
		}
		seen[t.Name] = true
		name, err := json.Marshal(t.Name)
		if err != nil {
			return nil, fmt.Errorf("safetensors: %q: %w", t.Name, err)
		}
		shape := t.Shape
		if shape == nil {
			shape = []int{}
		}
		end := at + int64(len(t.Data))
		text, err := json.Marshal(entry{DType: t.DType, Shape: shape, Offsets: []int64{at, end}})
		if err != nil {
			return nil, fmt.Errorf("safetensors: %q: %w", t.Name, err)
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%s:%s", name, text)
		at = end
	}
	b.WriteByte('}')
	for b.Len()%8 != 0 {
		b.WriteByte(' ')
	}
	if b.Len() > maxHeader {
		return nil, fmt.Errorf("safetensors: header of %d bytes, at most %d are allowed", b.Len(), maxHeader)
	}
	return b.Bytes(), nil
}
