package zarr

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/twiddle-go/twiddle/fleet/internal/little"
)

// Number is an element of an array.
type Number interface{ float32 | float64 | int64 }

// Array describes an array.
type Array struct {
	Shape      []int
	Chunks     []int // lengths of a chunk
	Type       string
	Dimensions []string
	Attributes map[string]any
}

func typeOf[T Number]() string {
	var zero T
	switch any(zero).(type) {
	case float32:
		return "float32"
	case float64:
		return "float64"
	}
	return "int64"
}

// New describes an array of numbers. Floats that were never written are NaN.
func New[T Number](dimensions []string, shape, chunks []int, attributes map[string]any) *Array {
	return &Array{shape, chunks, typeOf[T](), dimensions, attributes}
}

// ChunkKey is the name of a chunk below the name of the array.
func (a *Array) ChunkKey(at ...int) string {
	parts := []string{"c"}
	for _, i := range at {
		parts = append(parts, strconv.Itoa(i))
	}
	return strings.Join(parts, "/")
}

// chunkLen is how many elements a chunk has; those at the end of an array are
// as long as the others.
func (a *Array) chunkLen() int {
	n := 1
	for _, c := range a.Chunks {
		n *= c
	}
	return n
}

// level is that of zstd in metadata; encoders of Go have names for levels.
const level = 1

var (
	encoder, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(runtime.GOMAXPROCS(0)), zstd.WithEncoderCRC(false))
	decoder, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0))
)

// Encode appends the bytes of a chunk to dst.
func Encode[T Number](dst []byte, a *Array, values []T) ([]byte, error) {
	if a.Type != typeOf[T]() || len(values) != a.chunkLen() {
		return nil, fmt.Errorf("zarr: encode: %d elements of %s for chunks %v of %s", len(values), typeOf[T](), a.Chunks, a.Type)
	}
	raw := little.Bytes(values)
	return encoder.EncodeAll(raw, slices.Grow(dst, encoder.MaxEncodedSize(len(raw)))), nil
}

// maxChunk is how many bytes a chunk may decode to: far more than is written.
const maxChunk int64 = 1 << 31

// Decode is the elements of a chunk.
func Decode[T Number](a *Array, data []byte) ([]T, error) {
	size := 8
	if a.Type == "float32" {
		size = 4
	}
	n := a.chunkLen()
	if a.Type != typeOf[T]() || int64(n)*int64(size) > maxChunk {
		return nil, fmt.Errorf("zarr: decode: chunks %v of %s as %s", a.Chunks, a.Type, typeOf[T]())
	}
	out, decoded := make([]T, n), 0
	err := little.Read(out, func(b []byte) error {
		raw, err := decoder.DecodeAll(data, b[:0])
		decoded = len(raw)
		copy(b, raw) // elsewhere only if it did not fit
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("zarr: decode: %w", err)
	}
	if decoded != n*size {
		return nil, fmt.Errorf("zarr: decode: %d bytes in a chunk of %d", decoded, n*size)
	}
	return out, nil
}

// metadata is zarr.json of an array, as the specification has it.
type metadata struct {
	Format     int            `json:"zarr_format"`
	Node       string         `json:"node_type"`
	Shape      []int          `json:"shape"`
	Type       string         `json:"data_type"`
	Grid       grid           `json:"chunk_grid"`
	Keys       named          `json:"chunk_key_encoding"`
	Fill       any            `json:"fill_value"`
	Codecs     []named        `json:"codecs"`
	Attributes map[string]any `json:"attributes"`
	Dimensions []string       `json:"dimension_names"`
}

type grid struct {
	Name          string `json:"name"`
	Configuration struct {
		Shape []int `json:"chunk_shape"`
	} `json:"configuration"`
}

type named struct {
	Name          string         `json:"name"`
	Configuration map[string]any `json:"configuration,omitempty"`
}

func (a *Array) metadata() *metadata {
	m := &metadata{Format: 3, Node: "array", Shape: a.Shape, Type: a.Type, Dimensions: a.Dimensions, Attributes: a.Attributes,
		Keys: named{"default", map[string]any{"separator": "/"}}, Fill: "NaN",
		Codecs: []named{{"bytes", map[string]any{"endian": "little"}}, {"zstd", map[string]any{"level": level, "checksum": false}}}}
	m.Grid.Name, m.Grid.Configuration.Shape = "regular", a.Chunks
	if a.Type == "int64" {
		m.Fill = 0
	}
	if m.Attributes == nil {
		m.Attributes = map[string]any{}
	}
	return m
}

// Metadata is the zarr.json of an array.
func (a *Array) Metadata() ([]byte, error) { return indented(a.metadata()) }

// GroupMetadata is the zarr.json of a group, with that of its arrays.
func GroupMetadata(attributes map[string]any, arrays map[string]*Array) ([]byte, error) {
	all := map[string]*metadata{}
	for name, a := range arrays {
		all[name] = a.metadata()
	}
	return indented(map[string]any{"zarr_format": 3, "node_type": "group", "attributes": attributes,
		"consolidated_metadata": map[string]any{"kind": "inline", "must_understand": false, "metadata": all}})
}

func indented(v any) ([]byte, error) {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("zarr: metadata: %w", err)
	}
	return append(b, '\n'), nil
}

// ParseGroup reads what GroupMetadata wrote.
func ParseGroup(b []byte) (attributes map[string]any, arrays map[string]*Array, err error) {
	var g struct {
		Format       int            `json:"zarr_format"`
		Attributes   map[string]any `json:"attributes"`
		Consolidated struct {
			Metadata map[string]*metadata `json:"metadata"`
		} `json:"consolidated_metadata"`
	}
	if err := json.Unmarshal(b, &g); err != nil {
		return nil, nil, fmt.Errorf("zarr: group: %w", err)
	}
	if g.Format != 3 || g.Consolidated.Metadata == nil {
		return nil, nil, fmt.Errorf("zarr: group: version %d, %d arrays: want version 3 with consolidated metadata", g.Format, len(g.Consolidated.Metadata))
	}
	arrays = map[string]*Array{}
	for name, m := range g.Consolidated.Metadata {
		if len(m.Codecs) != 2 || m.Codecs[0].Name != "bytes" || m.Codecs[1].Name != "zstd" {
			return nil, nil, fmt.Errorf("zarr: group: array %s has other codecs than bytes and zstd", name)
		}
		chunks := m.Grid.Configuration.Shape
		if len(chunks) != len(m.Shape) {
			return nil, nil, fmt.Errorf("zarr: group: array %s has shape %v and chunks %v", name, m.Shape, chunks)
		}
		for i, c := range chunks {
			if c < 1 || m.Shape[i] < 0 {
				return nil, nil, fmt.Errorf("zarr: group: array %s has shape %v and chunks %v", name, m.Shape, chunks)
			}
		}
		arrays[name] = &Array{m.Shape, chunks, m.Type, m.Dimensions, m.Attributes}
	}
	return g.Attributes, arrays, nil
}
