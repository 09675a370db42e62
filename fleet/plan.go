package fleet

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/twiddle-go/twiddle/fleet/archive"
)

// Plan is what there is to do: the same for everyone who looks at the same
// archive with the same configuration.
type Plan struct {
	Config   Config              `json:"config"`
	Files    []archive.Recording `json:"files"`
	Datasets []Dataset           `json:"datasets"`
	Units    []Unit              `json:"units"` // in the order of datasets and time
	Problems []archive.Problem   `json:"problems"`
}

// Dataset is the results of a series: days of rows.
type Dataset struct {
	Series   Series  `json:"series"`
	Layout   *Layout `json:"layout"`
	FirstDay int     `json:"first_day"` // since 1970
	LastDay  int     `json:"last_day"`
}

// Unit is a unit of work: some rows of a day.
type Unit struct {
	ID      string `json:"id"` // says all that the rows depend on
	Dataset int    `json:"dataset"`
	Day     int    `json:"day"`
	Row     int    `json:"row"` // of the day
	Rows    int    `json:"rows"`
	// Files are those with samples of each station, in order of time.
	Files [][]int `json:"files"`
}

// Start is the time of the first row.
func (u *Unit) Start(period time.Duration) time.Time {
	return dayStart(u.Day).Add(time.Duration(u.Row) * period)
}

func dayStart(n int) time.Time { return time.Unix(int64(n)*86400, 0).UTC() }

func dayOf(t time.Time) int {
	s := t.Unix()
	d := s / 86400
	if s%86400 < 0 {
		d--
	}
	return int(d)
}

// Date is the name of a day.
func Date(n int) string { return dayStart(n).Format(time.DateOnly) }

// station is recordings of the same kind.
type station struct {
	name     string
	rate     float64
	channels int
	files    []int
}

// NewPlan cuts what was found into units.
func NewPlan(c Config, found *archive.Found) (*Plan, error) {
	c, err := c.filled()
	if err != nil {
		return nil, err
	}
	job, err := NewJob(c.Job, c.Options)
	if err != nil {
		return nil, err
	}
	var cal *Calibrations
	if c.Calibration != "" {
		if cal, err = ReadCalibration(c.Calibration); err != nil {
			return nil, err
		}
	}
	p := &Plan{Config: c, Files: found.Recordings, Problems: slices.Clone(found.Problems)}
	groups, names := p.groups(job)
	p.overlaps(groups)
	for i, stations := range groups {
		if err := p.add(job, names[i], stations, cal); err != nil {
			return nil, err
		}
	}
	archive.SortProblems(p.Problems)
	if len(p.Units) == 0 {
		return nil, errors.New("fleet: plan: no samples to compute on: " + p.summary())
	}
	return p, nil
}

func (p *Plan) summary() string {
	if n := len(p.Problems); n > 0 {
		return fmt.Sprintf("%d files have problems, the first: %s: %s", n, p.Problems[0].Path, p.Problems[0].Reason)
	}
	return "all files are outside of the time asked for"
}

// groups puts recordings together that make a series, with the names of the
// series.
func (p *Plan) groups(job Job) ([][]station, []string) {
	var kinds []station
	for i, f := range p.Files {
		at := slices.IndexFunc(kinds, func(k station) bool {
			return k.name == f.Station && k.rate == f.Rate && k.channels == f.Channels
		})
		if at < 0 {
			at = len(kinds)
			kinds = append(kinds, station{name: f.Station, rate: f.Rate, channels: f.Channels})
		}
		kinds[at].files = append(kinds[at].files, i)
	}
	var groups [][]station
	var names []string
	if a, ok := job.(Across); !ok || !a.Across() {
		for _, k := range kinds {
			same := 0
			for _, other := range kinds {
				if other.name == k.name {
					same++
				}
			}
			name := k.name
			if same > 1 {
				name = fmt.Sprintf("%s_%gHz_%dch", k.name, k.rate, k.channels)
			}
			groups, names = append(groups, []station{k}), append(names, name)
		}
		return groups, names
	}
	var rates []float64
	for _, k := range kinds {
		if !slices.Contains(rates, k.rate) {
			rates = append(rates, k.rate)
		}
	}
	for _, rate := range rates {
		var all []station
		for _, k := range kinds {
			if k.rate == rate {
				all = append(all, k)
			}
		}
		name := "all"
		if len(rates) > 1 {
			name = fmt.Sprintf("all_%gHz", rate)
		}
		groups, names = append(groups, all), append(names, name)
	}
	return groups, names
}

// clockSlack is how long a recording may go on after the next one of its station
// has begun: clocks drift, and names have whole seconds.
const clockSlack = 2 * time.Second

// overlaps notes recordings that have the time of another one of their station.
// Mostly they are of two stations that nobody has told apart.
func (p *Plan) overlaps(groups [][]station) {
	for _, g := range groups {
		for _, st := range g {
			last := -1 // the file that ends last so far; they are in order of start
			for _, f := range st.files {
				if last >= 0 {
					if over := p.Files[last].End().Sub(p.Files[f].Start); over > clockSlack {
						p.Problems = append(p.Problems, archive.Problem{Path: p.Files[f].Path, Kind: archive.Overlap,
							Reason: fmt.Sprintf("%s of it are also in %s, and both are of station %q: are they two stations, to be told apart by a pattern with {station}?",
								min(over, p.Files[f].End().Sub(p.Files[f].Start)).Round(time.Second), p.Files[last].Path, st.name)})
					}
				}
				if last < 0 || p.Files[f].End().After(p.Files[last].End()) {
					last = f
				}
			}
		}
	}
}

// add makes the dataset of a series and its units.
func (p *Plan) add(job Job, name string, stations []station, cal *Calibrations) error {
	s := Series{Name: clean(name), Rate: stations[0].rate, Period: p.Config.Period, Unit: "FS"}
	for _, st := range stations {
		c, ok := cal.Of(st.name)
		if cal != nil && !ok {
			return fmt.Errorf("fleet: plan: station %s has no line in %s, and there is no line for *", st.name, p.Config.Calibration)
		}
		for i := range st.channels {
			s.Channels = append(s.Channels, Channel{st.name, i, c})
		}
	}
	if cal != nil {
		s.Calibrated, s.Unit = true, cal.Unit
	}
	layout, _, err := job.Prepare(&s)
	if err == nil {
		layout, err = layout.completed(&s)
	}
	if err != nil {
		// One series that a job cannot work on does not stop the others.
		for _, st := range stations {
			for _, f := range st.files {
				p.Problems = append(p.Problems, archive.Problem{Path: p.Files[f].Path, Kind: archive.Unusable, Reason: err.Error()})
			}
		}
		return nil
	}
	d := Dataset{Series: s, Layout: layout}
	units := p.cut(len(p.Datasets), stations, &d)
	if len(units) == 0 {
		return nil
	}
	d.FirstDay, d.LastDay = units[0].Day, units[len(units)-1].Day
	if !p.Config.From.IsZero() {
		d.FirstDay = dayOf(p.Config.From)
	}
	p.Datasets = append(p.Datasets, d)
	p.Units = append(p.Units, units...)
	return nil
}

// clean is a name that a file can have.
func clean(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`/\:*?"<>|`, r) || r < ' ' {
			return '_'
		}
		return r
	}, name)
}

// cut gives the units of a dataset, in order.
func (p *Plan) cut(index int, stations []station, d *Dataset) []Unit {
	unit := p.Config.Unit
	byBlock := map[int64][][]int{}
	for s, st := range stations {
		for _, f := range st.files {
			r := &p.Files[f]
			for b := blockOf(r.Start, unit); b <= blockOf(r.End().Add(-1), unit); b++ {
				if byBlock[b] == nil {
					byBlock[b] = make([][]int, len(stations))
				}
				byBlock[b][s] = append(byBlock[b][s], f)
			}
		}
	}
	blocks := make([]int64, 0, len(byBlock))
	for b := range byBlock {
		blocks = append(blocks, b)
	}
	slices.Sort(blocks)
	var units []Unit
	period := p.Config.Period
	for _, b := range blocks {
		start := time.Unix(0, b*int64(unit)).UTC()
		u := Unit{Dataset: index, Day: dayOf(start), Rows: int(unit / period), Files: byBlock[b]}
		u.Row = int(start.Sub(dayStart(u.Day)) / period)
		for u.Rows > 0 && !p.Config.From.IsZero() && u.Start(period).Before(p.Config.From.Truncate(period)) {
			u.Row++
			u.Rows--
		}
		for u.Rows > 0 && !p.Config.To.IsZero() && !u.Start(period).Add(time.Duration(u.Rows-1)*period).Before(p.Config.To) {
			u.Rows--
		}
		if u.Rows > 0 {
			u.ID = p.id(&u, d)
			units = append(units, u)
		}
	}
	return units
}

// blockOf is which one of the lengths of a unit since 1970 a time is in.
func blockOf(t time.Time, unit time.Duration) int64 {
	ns := t.UnixNano()
	b := ns / int64(unit)
	if ns%int64(unit) < 0 {
		b--
	}
	return b
}

// formatVersion changes when the same configuration gives other numbers.
const formatVersion = 1

// id is a hash of all that the rows of a unit depend on.
func (p *Plan) id(u *Unit, d *Dataset) string {
	h := sha256.New()
	e := json.NewEncoder(h)
	for _, part := range []any{formatVersion, p.Config.Job, p.Config.Options, d.Series, u.Day, u.Row, u.Rows} {
		if err := e.Encode(part); err != nil {
			panic("fleet: a plan is not JSON: " + err.Error()) // it was made of JSON
		}
	}
	for _, files := range u.Files {
		for _, f := range files {
			if err := e.Encode(p.Files[f]); err != nil {
				panic("fleet: a plan is not JSON: " + err.Error())
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// Seconds is the time that a unit covers.
func (p *Plan) Seconds(u *Unit) float64 {
	return time.Duration(u.Rows * int(p.Config.Period)).Seconds()
}

// Bytes is how much of the files is samples of a unit, about.
func (p *Plan) Bytes(u *Unit) int64 {
	var total int64
	start := u.Start(p.Config.Period)
	end := start.Add(time.Duration(u.Rows) * p.Config.Period)
	for _, files := range u.Files {
		for _, f := range files {
			r := &p.Files[f]
			total += int64(float64(r.Bytes) * float64(r.FrameAt(end)-r.FrameAt(start)) / float64(r.Frames))
		}
	}
	return total
}
