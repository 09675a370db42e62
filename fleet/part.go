package fleet

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/twiddle-go/twiddle/fleet/archive"
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
}

func newPart(u *Unit, d *Dataset) *Part {
	p := &Part{Unit: u.ID, values: make([][]float32, len(d.Layout.Variables))}
	for i := range d.Layout.Variables {
		p.Sizes = append(p.Sizes, d.Layout.Size(&d.Layout.Variables[i]))
		p.values[i] = make([]float32, 0, u.Rows*p.Sizes[i])
	}
	return p
}

// add copies a row.
func (p *Part) add(index int, row Row) {
	p.Rows = append(p.Rows, index)
	for i, v := range row {
		p.values[i] = append(p.values[i], v...)
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
		const block = 1 << 18
		b := make([]byte, 0, 4*block)
		for _, v := range p.values {
			for len(v) > 0 {
				n := min(block, len(v))
				b = b[:0]
				for _, x := range v[:n] {
					b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
				}
				if _, err := f.Write(b); err != nil {
					return err
				}
				v = v[n:]
			}
		}
		return nil
	})
}

// readPart reads a part, of all variables or of the one asked for.
func readPart(name string, only int) (*Part, error) {
	fail := func(err error) (*Part, error) { return nil, fmt.Errorf("fleet: part %s: %w", name, err) }
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("fleet: %w", err)
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 1<<16)
	head, err := r.ReadBytes('\n')
	if err != nil {
		return fail(err)
	}
	p := &Part{}
	if err := json.Unmarshal(head, p); err != nil {
		return fail(err)
	}
	p.values = make([][]float32, len(p.Sizes))
	at := int64(len(head))
	for i, n := range p.Sizes {
		count := n * len(p.Rows)
		if only < 0 || only == i {
			b := make([]byte, 4*count)
			if _, err := f.ReadAt(b, at); err != nil && !(err == io.EOF && count == 0) {
				return fail(err)
			}
			p.values[i] = make([]float32, count)
			for j := range p.values[i] {
				p.values[i][j] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*j:]))
			}
		}
		at += 4 * int64(count)
	}
	return p, nil
}
