package fleet

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/twiddle-go/twiddle/fleet/internal/parallel"
	"github.com/twiddle-go/twiddle/fleet/zarr"
)

// chunkBytes is how large chunks may be: a day of most variables, no more than
// anyone wants to read for one row, and little beside the samples of workers.
const chunkBytes = 16 << 20

// chunkRows is how many rows a chunk has: a part of a day.
func (p *Plan) chunkRows(size int) int {
	perDay := int(day / p.Config.Period)
	rows := perDay
	for rows > 1 && (perDay%rows != 0 || 4*rows*size > chunkBytes) {
		rows--
	}
	return rows
}

// chunkLines is how many lines a chunk has, of so many numbers each: all, unless
// one row of them is too large, as of thousands of pairs. Then chunks are smaller
// than others, because readers want a few pairs.
func chunkLines(lines, size int) int {
	if 4*lines*size <= chunkBytes {
		return lines
	}
	const few = chunkBytes / 4
	chunks := (4*lines*size + few - 1) / few
	return (lines + chunks - 1) / chunks
}

// array describes a variable of a dataset.
func (p *Plan) array(d *Dataset, v *Variable) *zarr.Array {
	rows := (d.LastDay - d.FirstDay + 1) * int(day/p.Config.Period)
	names, shape := []string{"time"}, []int{rows}
	chunks := []int{p.chunkRows(d.Layout.Size(v))}
	if !v.PerRow {
		lines := len(d.Layout.Lines)
		names, shape, chunks = append(names, d.Layout.LinesName), append(shape, lines), append(chunks, chunkLines(lines, d.Layout.Size(v)/lines))
	}
	if v.Axis != nil {
		n := len(v.Axis.Values)
		names, shape, chunks = append(names, v.Axis.Name), append(shape, n), append(chunks, n)
	}
	return zarr.New[float32](names, shape, chunks, map[string]any{"units": v.Unit, "long_name": v.Long})
}

func (p *Plan) store(d *Dataset) string { return d.Series.Name + ".zarr" }

// chunk is a part of a variable that is written as one.
type chunk struct {
	variable    int
	array       *zarr.Array
	name        string // of the file
	row, rows   int    // of the day
	line, lines int    // numbers of a row, from which and how many
}

// chunksOf lists the chunks of a day.
func (p *Plan) chunksOf(d Day) []chunk {
	set := &p.Datasets[d.Dataset]
	perDay := int(day / p.Config.Period)
	var all []chunk
	for i := range set.Layout.Variables {
		v := &set.Layout.Variables[i]
		a := p.array(set, v)
		size := set.Layout.Size(v)
		lines := size // of a chunk
		if !v.PerRow {
			lines = size / len(set.Layout.Lines) * a.Chunks[1]
		}
		for row := 0; row < perDay; row += a.Chunks[0] {
			for line := 0; line < size; line += lines {
				at := make([]int, len(a.Shape))
				at[0] = ((d.Day-set.FirstDay)*perDay + row) / a.Chunks[0]
				if !v.PerRow {
					at[1] = line / lines
				}
				name := filepath.Join(p.store(set), v.Name, a.ChunkKey(at...))
				all = append(all, chunk{i, a, name, row, a.Chunks[0], line, lines})
			}
		}
	}
	return all
}

// chunkWriters is how many chunks of a day are compressed at a time: each has its
// numbers and its bytes in memory.
const chunkWriters = 4

// writeChunks writes the chunks of a day.
func (p *Plan) writeChunks(d Day, parts []*Part) error {
	all := p.chunksOf(d)
	memory := func() *room { return new(room) }
	return parallel.Each(context.Background(), min(chunkWriters, runtime.GOMAXPROCS(0)), len(all), memory, nil, func(m *room, i int) error {
		return p.writeChunk(all[i], parts, m)
	})
}

// room is memory of a chunk, used again for others.
type room struct {
	numbers []float32
	bytes   []byte
}

// writeChunk writes one.
func (p *Plan) writeChunk(c chunk, parts []*Part, memory *room) error {
	has := func(part *Part) bool {
		return slices.ContainsFunc(part.Rows, func(r int) bool { return r >= c.row && r < c.row+c.rows })
	}
	if !slices.ContainsFunc(parts, has) {
		if err := os.Remove(filepath.Join(p.Config.Out, c.name)); err != nil && !os.IsNotExist(err) {
			return fmt.Errorf("fleet: %w", err)
		}
		return nil
	}
	numbers := c.whole(parts)
	if numbers == nil {
		n := c.rows * c.lines
		memory.numbers = slices.Grow(memory.numbers[:0], n)[:n]
		numbers = memory.numbers
		for i := range numbers {
			numbers[i] = float32(math.NaN())
		}
		for _, part := range parts {
			if has(part) {
				if err := c.fill(numbers, part); err != nil {
					return err
				}
			}
		}
	}
	var err error
	if memory.bytes, err = zarr.Encode(memory.bytes[:0], c.array, numbers); err != nil {
		return err
	}
	return writeFile(p.Config.Out, c.name, memory.bytes)
}

// whole is the numbers of a chunk if they are side by side in memory already, or
// nil.
func (c *chunk) whole(parts []*Part) []float32 {
	if len(parts) != 1 || parts[0].values == nil || c.rows != 1 {
		return nil
	}
	j, size := slices.Index(parts[0].Rows, c.row), parts[0].Sizes[c.variable]
	if j < 0 || c.line+c.lines > size {
		return nil
	}
	return parts[0].values[c.variable][j*size+c.line:][:c.lines]
}

// fill copies what a part has of a chunk.
func (c *chunk) fill(dst []float32, part *Part) error {
	size := part.Sizes[c.variable]
	lines := min(c.lines, size-c.line) // the last chunk of a row may be longer than it
	for j := 0; j < len(part.Rows); {
		r, n := part.Rows[j], 1
		// Rows that follow one another are read at once, if they are whole.
		for lines == size && j+n < len(part.Rows) && part.Rows[j+n] == r+n && r+n < c.row+c.rows {
			n++
		}
		if r < c.row || r >= c.row+c.rows {
			j++
			continue
		}
		if err := part.read(dst[(r-c.row)*c.lines:][:n*lines], c.variable, j*size+c.line); err != nil {
			return err
		}
		j += n
	}
	return nil
}
