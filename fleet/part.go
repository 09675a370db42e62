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
)

// Part is the rows of a unit. On disk it is a line of JSON, and then the
// numbers as little-endian float32: those of the first variable for all rows,
// of the second for all rows, and so on.
type Part struct {
	Unit     string            `json:"unit"`
	Rows     []int             `json:"rows"`  // which of the day there are, ascending
	Sizes    []int             `json:"sizes"` // numbers of each variable in a row
	Problems []archive.Problem `json:"problems"`
	values   [][]float32       // of each variable, all rows
	begin    int64             // of the numbers, on disk
}

func newPart(u *Unit, d *Dataset) *Part {
	p := &Part{Unit: u.ID, values: make([][]float32, len(d.Layout.Variables))}
	for i := range d.Layout.Variables {
		p.Sizes = append(p.Sizes, d.Layout.Size(&d.Layout.Variables[i]))
		p.values[i] = make([]float32, 0, u.Rows*p.Sizes[i])
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

// readPart reads a part, with its numbers.
func readPart(name string) (*Part, error) {
	f, p, err := openPart(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p.values = make([][]float32, len(p.Sizes))
	for i, n := range p.Sizes {
		p.values[i] = make([]float32, n*len(p.Rows))
		if err := p.readRows(f, p.values[i], i, 0); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// openPart reads what a part begins with.
func openPart(name string) (*os.File, *Part, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, fmt.Errorf("fleet: %w", err)
	}
	p := &Part{}
	head, err := bufio.NewReaderSize(f, 1<<16).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(head, p)
	}
	if err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("fleet: part %s: %w", name, err)
	}
	p.begin = int64(len(head))
	return f, p, nil
}

// readRows reads numbers of a variable, from one of the rows that there are on.
func (p *Part) readRows(f *os.File, dst []float32, variable, row int) error {
	if len(dst) == 0 {
		return nil
	}
	at := p.begin + 4*int64(row*p.Sizes[variable])
	for _, n := range p.Sizes[:variable] {
		at += 4 * int64(n*len(p.Rows))
	}
	err := little.Read(dst, func(b []byte) error {
		_, err := f.ReadAt(b, at)
		return err
	})
	if err != nil {
		return fmt.Errorf("fleet: part %s: %w", f.Name(), err)
	}
	return nil
}
