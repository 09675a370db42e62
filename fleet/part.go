package fleet

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/twiddle-go/twiddle/fleet/archive"
	"github.com/twiddle-go/twiddle/fleet/internal/little"
	"github.com/twiddle-go/twiddle/fleet/internal/pages"
)

// Part is the rows of a unit. On disk it is a line of JSON, and then the
// numbers as little-endian float32: those of the first variable for all rows,
// of the second for all rows, and so on.
type Part struct {
	Unit     string            `json:"unit"`
	Rows     []int             `json:"rows"`  // which of the day there are, ascending
	Sizes    []int             `json:"sizes"` // numbers of each variable in a row
	Problems []archive.Problem `json:"problems"`
	values   [][]float32       // of each variable, all rows; nil if they are on disk only
	path     string            // on disk
	begin    int64             // of the numbers, on disk
}

func newPart(u *Unit, d *Dataset) *Part {
	p := &Part{Unit: u.ID, values: make([][]float32, len(d.Layout.Variables))}
	for i := range d.Layout.Variables {
		p.Sizes = append(p.Sizes, d.Layout.Size(&d.Layout.Variables[i]))
		p.values[i] = pages.Make[float32](u.Rows * p.Sizes[i])[:0]
	}
	return p
}

// room is memory for the next row, of NaN: add keeps it.
func (p *Part) room() Row {
	row := make(Row, len(p.values))
	for i, v := range p.values {
		p.values[i] = slices.Grow(v, p.Sizes[i])
		row[i] = p.values[i][len(v):][:p.Sizes[i]]
	}
	row.clear()
	return row
}

// add keeps the row that room gave.
func (p *Part) add(index int) {
	p.Rows = append(p.Rows, index)
	for i, v := range p.values {
		p.values[i] = v[:len(v)+p.Sizes[i]]
	}
}

// row is the numbers of a variable in the i-th row that there is.
func (p *Part) row(variable, i int) []float32 {
	n := p.Sizes[variable]
	return p.values[variable][i*n : (i+1)*n]
}

// partName is where the part of a unit is kept, in the output folder.
func (p *Plan) partName(u *Unit) string {
	return filepath.Join(hidden, "parts", p.Datasets[u.Dataset].Series.Name, Date(u.Day), u.ID+".part")
}

func (p *Part) write(out, name string) error {
	return createFile(out, name, func(f *os.File) error {
		head, err := json.Marshal(p)
		if err != nil {
			return err
		}
		if _, err := f.Write(append(head, '\n')); err != nil {
			return err
		}
		for _, v := range p.values {
			if _, err := f.Write(little.Bytes(v)); err != nil {
				return err
			}
		}
		return nil
	})
}

// openPart reads what a part begins with; its numbers stay on disk.
func openPart(name string) (*Part, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("fleet: %w", err)
	}
	defer f.Close()
	p := &Part{path: name}
	head, err := bufio.NewReaderSize(f, 1<<16).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(head, p)
	}
	if err != nil {
		return nil, fmt.Errorf("fleet: part %s: %w", name, err)
	}
	p.begin = int64(len(head))
	return p, nil
}

// load is the part with its numbers.
func (p *Part) load() (*Part, error) {
	if p.values != nil {
		return p, nil
	}
	full := *p
	full.values = make([][]float32, len(p.Sizes))
	for i, n := range p.Sizes {
		full.values[i] = make([]float32, n*len(p.Rows))
		if err := p.read(full.values[i], i, 0); err != nil {
			return nil, err
		}
	}
	return &full, nil
}

// read gives numbers of a variable, from the first of one of the rows that there
// are on, or a few behind it.
func (p *Part) read(dst []float32, variable, from int) error {
	if p.values != nil {
		copy(dst, p.values[variable][from:])
		return nil
	}
	if len(dst) == 0 {
		return nil
	}
	at := p.begin + 4*int64(from)
	for _, n := range p.Sizes[:variable] {
		at += 4 * int64(n*len(p.Rows))
	}
	f, err := os.Open(p.path)
	if err != nil {
		return fmt.Errorf("fleet: %w", err)
	}
	defer f.Close()
	err = little.Read(dst, func(b []byte) error {
		_, err := f.ReadAt(b, at)
		return err
	})
	if err != nil {
		return fmt.Errorf("fleet: part %s: %w", p.path, err)
	}
	return nil
}
