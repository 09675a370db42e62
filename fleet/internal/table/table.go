// Package table writes Parquet files of rows whose columns are a time, a name,
// and numbers or lists of numbers. The same rows give the same bytes.
package table

import (
	"fmt"
	"io"
	"time"

	"github.com/parquet-go/parquet-go"
)

// Column is numbers of a row: one, or a list.
type Column struct {
	Name string
	List bool
}

// Writer writes rows.
type Writer struct {
	w       *parquet.GenericWriter[any] // rows, not values of a type, are written
	columns []Column
	index   []int // of each column in the file; the time and the line come first
	time    int
	line    int
	row     parquet.Row
	rows    int
	group   int
}

// groupBytes is about how much a row group holds in memory.
const groupBytes = 64 << 20

// NewWriter starts a file with columns "time", one of names, and the given
// ones. Rows have about so many numbers.
func NewWriter(out io.Writer, line string, columns []Column, numbers int) (*Writer, error) {
	group := parquet.Group{
		"time": parquet.Timestamp(parquet.Microsecond),
		line:   parquet.Encoded(parquet.String(), &parquet.RLEDictionary),
	}
	for _, c := range columns {
		group[c.Name] = parquet.Compressed(parquet.Leaf(parquet.FloatType), &parquet.Zstd)
		if c.List {
			group[c.Name] = parquet.List(group[c.Name])
		}
	}
	schema := parquet.NewSchema("rows", group)
	t := &Writer{columns: columns, group: max(1, groupBytes/(4*max(1, numbers)))}
	place := map[string]int{}
	for i, path := range schema.Columns() {
		place[path[0]] = i
	}
	t.time, t.line = place["time"], place[line]
	for _, c := range columns {
		t.index = append(t.index, place[c.Name])
	}
	if len(place) != len(columns)+2 {
		return nil, fmt.Errorf("table: %d columns have %d names", len(columns)+2, len(place))
	}
	t.w = parquet.NewGenericWriter[any](out, schema, parquet.CreatedBy("twiddle-fleet", "1", ""))
	return t, nil
}

// Write adds a row; values are those of each column, one number if it is no
// list.
func (t *Writer) Write(at time.Time, line string, values [][]float32) error {
	// The values of a row have to be in the order of the file's columns.
	byColumn := make([][]parquet.Value, len(t.columns)+2)
	byColumn[t.time] = []parquet.Value{parquet.Int64Value(at.UnixMicro()).Level(0, 0, t.time)}
	byColumn[t.line] = []parquet.Value{parquet.ByteArrayValue([]byte(line)).Level(0, 0, t.line)}
	for i, c := range t.columns {
		at := t.index[i]
		if !c.List {
			byColumn[at] = []parquet.Value{parquet.FloatValue(values[i][0]).Level(0, 0, at)}
			continue
		}
		list := make([]parquet.Value, len(values[i]))
		for j, v := range values[i] {
			repetition := 1
			if j == 0 {
				repetition = 0
			}
			list[j] = parquet.FloatValue(v).Level(repetition, 1, at)
		}
		byColumn[at] = list
	}
	t.row = t.row[:0]
	for _, v := range byColumn {
		t.row = append(t.row, v...)
	}
	if _, err := t.w.WriteRows([]parquet.Row{t.row}); err != nil {
		return fmt.Errorf("table: write: %w", err)
	}
	if t.rows++; t.rows%t.group == 0 {
		if err := t.w.Flush(); err != nil {
			return fmt.Errorf("table: write: %w", err)
		}
	}
	return nil
}

// Close ends the file.
func (t *Writer) Close() error {
	if err := t.w.Close(); err != nil {
		return fmt.Errorf("table: close: %w", err)
	}
	return nil
}
