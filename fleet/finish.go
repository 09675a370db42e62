package fleet

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/twiddle-go/twiddle/fleet/archive"
	"github.com/twiddle-go/twiddle/fleet/internal/table"
	"github.com/twiddle-go/twiddle/fleet/zarr"
)

// Day is a day of a dataset, and which units make it.
type Day struct {
	Dataset int
	Day     int
	Units   []int
}

// Days lists the days of a plan, in order.
func (p *Plan) Days() []Day {
	var days []Day
	for i, u := range p.Units {
		if n := len(days); n == 0 || days[n-1].Dataset != u.Dataset || days[n-1].Day != u.Day {
			days = append(days, Day{Dataset: u.Dataset, Day: u.Day})
		}
		d := &days[len(days)-1]
		d.Units = append(d.Units, i)
	}
	return days
}

// mark is what is kept of a day that is finished.
type mark struct {
	Hash     string            `json:"hash"` // of its units, and of where it is in the store
	Rows     int               `json:"rows"`
	Problems []archive.Problem `json:"problems"`
}

func (p *Plan) markName(d Day) string {
	return filepath.Join(hidden, "done", p.Datasets[d.Dataset].Series.Name, Date(d.Day)+".json")
}

func (p *Plan) hash(d Day) string {
	h := sha256.New()
	fmt.Fprintln(h, p.Config.Zarr, p.Config.Parquet, p.Datasets[d.Dataset].FirstDay)
	for _, u := range d.Units {
		fmt.Fprintln(h, p.Units[u].ID)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// finished is the mark of a day that needs nothing done, or nil.
func (p *Plan) finished(d Day) *mark {
	b, err := os.ReadFile(filepath.Join(p.Config.Out, p.markName(d)))
	if err != nil {
		return nil
	}
	m := &mark{}
	if json.Unmarshal(b, m) != nil || m.Hash != p.hash(d) {
		return nil
	}
	return m
}

// Finish writes a day from the parts of its units, and then takes the parts
// away.
func (p *Plan) Finish(d Day) error {
	if p.finished(d) != nil {
		return nil
	}
	parts := make([]*Part, len(d.Units))
	for i, u := range d.Units {
		var err error
		if parts[i], err = openPart(filepath.Join(p.Config.Out, p.partName(&p.Units[u]))); err != nil {
			return err
		}
	}
	if err := p.write(d, parts); err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Dir(parts[0].path)); err != nil {
		return fmt.Errorf("fleet: %w", err)
	}
	return nil
}

// write writes a day, and marks it as finished.
func (p *Plan) write(d Day, parts []*Part) error {
	m := mark{Hash: p.hash(d)}
	for _, part := range parts {
		m.Rows += len(part.Rows)
		m.Problems = append(m.Problems, part.Problems...)
	}
	if p.Config.Zarr {
		if err := p.writeChunks(d, parts); err != nil {
			return err
		}
	}
	if p.Config.Parquet {
		if err := p.writeTable(d, parts); err != nil {
			return err
		}
	}
	b, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("fleet: %w", err)
	}
	return writeFile(p.Config.Out, p.markName(d), append(b, '\n'))
}

// writeTable writes the Parquet file of a day: a row for each period and line.
func (p *Plan) writeTable(d Day, parts []*Part) error {
	set := &p.Datasets[d.Dataset]
	l := set.Layout
	var columns []table.Column
	numbers := 0
	for _, v := range l.Variables {
		columns = append(columns, table.Column{Name: v.Name, List: v.Axis != nil})
		numbers += l.Size(&v) / len(l.Lines)
	}
	name := filepath.Join("parquet", "series="+set.Series.Name, "date="+Date(d.Day), "rows.parquet")
	return createFile(p.Config.Out, name, func(f *os.File) error {
		w, err := table.NewWriter(f, l.LinesName, columns, numbers)
		if err != nil {
			return err
		}
		values := make([][]float32, len(columns))
		for _, part := range parts {
			part, err := part.load()
			if err != nil {
				return err
			}
			for j, r := range part.Rows {
				at := dayStart(d.Day).Add(time.Duration(r) * p.Config.Period)
				for line, label := range l.Lines {
					for i := range l.Variables {
						row := part.row(i, j)
						if !l.Variables[i].PerRow {
							n := len(row) / len(l.Lines)
							row = row[line*n : (line+1)*n]
						}
						values[i] = row
					}
					if err := w.Write(at, label, values); err != nil {
						return err
					}
				}
			}
		}
		return w.Close()
	})
}

// Close writes what belongs to all days: metadata and coordinates of stores,
// and the table of problems.
func (p *Plan) Close() error {
	problems := slices.Clone(p.Problems)
	for _, d := range p.Days() {
		m := p.finished(d)
		if m == nil {
			return fmt.Errorf("fleet: close: %s of %s is not finished", Date(d.Day), p.Datasets[d.Dataset].Series.Name)
		}
		problems = append(problems, m.Problems...)
	}
	if p.Config.Zarr {
		for i := range p.Datasets {
			if err := p.describe(&p.Datasets[i]); err != nil {
				return err
			}
		}
	}
	archive.SortProblems(problems)
	problems = slices.Compact(problems)
	return createFile(p.Config.Out, ProblemsName, func(f *os.File) error {
		w := csv.NewWriter(f)
		w.Write([]string{"path", "kind", "reason"})
		for _, one := range problems {
			w.Write([]string{one.Path, string(one.Kind), one.Reason})
		}
		w.Flush()
		return w.Error()
	})
}

// ProblemsName is the table of problems in the output folder.
const ProblemsName = "problems.csv"

// describe writes the metadata and the coordinates of a store.
func (p *Plan) describe(d *Dataset) error {
	arrays := map[string]*zarr.Array{}
	coordinate := func(name string, values []float64, unit, long string) error {
		a := zarr.New[float64]([]string{name}, []int{len(values)}, []int{max(1, len(values))}, map[string]any{"units": unit, "long_name": long})
		arrays[name] = a
		return writeCoordinate(p, d, name, a, 0, values)
	}
	for i := range d.Layout.Variables {
		v := &d.Layout.Variables[i]
		arrays[v.Name] = p.array(d, v)
		if v.Axis != nil && arrays[v.Axis.Name] == nil {
			if err := coordinate(v.Axis.Name, v.Axis.Values, v.Axis.Unit, v.Axis.Long); err != nil {
				return err
			}
		}
	}
	index := make([]int64, len(d.Layout.Lines))
	for i := range index {
		index[i] = int64(i)
	}
	name := d.Layout.LinesName
	arrays[name] = zarr.New[int64]([]string{name}, []int{len(index)}, []int{len(index)}, map[string]any{"labels": d.Layout.Lines})
	if err := writeCoordinate(p, d, name, arrays[name], 0, index); err != nil {
		return err
	}
	if err := p.writeTimes(d, arrays); err != nil {
		return err
	}
	for name, a := range arrays {
		b, err := a.Metadata()
		if err == nil {
			err = writeFile(p.Config.Out, filepath.Join(p.store(d), name, "zarr.json"), b)
		}
		if err != nil {
			return err
		}
	}
	attributes := map[string]any{"title": p.Config.Job + " of " + d.Series.Name, "job": p.Config.Job, "period_s": p.Config.Period.Seconds(),
		"rate_hz": d.Series.Rate, "source": "twiddle-fleet"}
	for k, v := range d.Layout.Attributes {
		attributes[k] = v
	}
	b, err := zarr.GroupMetadata(attributes, arrays)
	if err != nil {
		return err
	}
	return writeFile(p.Config.Out, filepath.Join(p.store(d), "zarr.json"), b)
}

// writeTimes writes the starts of periods, with the units of the CF
// conventions.
func (p *Plan) writeTimes(d *Dataset, arrays map[string]*zarr.Array) error {
	unit, length := "seconds", time.Second
	if p.Config.Period%time.Second != 0 {
		unit, length = "milliseconds", time.Millisecond
	}
	perDay := int(day / p.Config.Period)
	rows := (d.LastDay - d.FirstDay + 1) * perDay
	const chunk = 1 << 20
	a := zarr.New[int64]([]string{"time"}, []int{rows}, []int{min(rows, chunk)},
		map[string]any{"units": unit + " since 1970-01-01T00:00:00Z", "calendar": "proleptic_gregorian", "long_name": "start of the period", "standard_name": "time"})
	arrays["time"] = a
	values := make([]int64, a.Chunks[0])
	for first := 0; first < rows; first += len(values) {
		for i := range values {
			at := dayStart(d.FirstDay).Add(time.Duration(first+i) * p.Config.Period)
			values[i] = at.UnixNano() / int64(length)
		}
		if err := writeCoordinate(p, d, "time", a, first/len(values), values); err != nil {
			return err
		}
	}
	return nil
}

// writeCoordinate writes a chunk of a coordinate.
func writeCoordinate[T zarr.Number](p *Plan, d *Dataset, name string, a *zarr.Array, at int, values []T) error {
	b, err := zarr.Encode(nil, a, values)
	if err != nil {
		return err
	}
	return writeFile(p.Config.Out, filepath.Join(p.store(d), name, a.ChunkKey(at)), b)
}
