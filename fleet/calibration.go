package fleet

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Calibration takes samples, parts of full scale, to a unit: volts by the
// voltage of full scale, the input of an amplifier by its gain, and the sound
// by the sensitivity of the hydrophone. The zero value leaves samples alone.
type Calibration struct {
	FullScale   float64 `json:"full_scale,omitempty"`  // volts of a sample of 1; 0 is 1
	Gain        float64 `json:"gain,omitempty"`        // dB
	Sensitivity float64 `json:"sensitivity,omitempty"` // dB re 1 V per unit
	// Frequencies and Curve give the sensitivity where it depends on
	// frequency, in dB re 1 V per unit; Sensitivity is then for what has no
	// frequency, such as peaks of samples.
	Frequencies []float64 `json:"frequencies,omitempty"`
	Curve       []float64 `json:"curve,omitempty"`
}

// IsZero reports whether samples are left alone.
func (c *Calibration) IsZero() bool {
	return c.FullScale == 0 && c.Gain == 0 && c.Sensitivity == 0 && len(c.Curve) == 0
}

// flat is the factor for samples, at a sensitivity in dB.
func (c *Calibration) flat(sensitivity float64) float64 {
	volts := c.FullScale
	if volts == 0 {
		volts = 1
	}
	return volts * math.Pow(10, -(c.Gain+sensitivity)/20)
}

// Factor is what a sample is multiplied by, whatever its frequency.
func (c *Calibration) Factor() float64 { return c.flat(c.Sensitivity) }

// PowerAt is what power at a frequency is multiplied by. Between the points of
// a curve decibels are interpolated linearly; beyond its ends they stay.
func (c *Calibration) PowerAt(frequency float64) float64 {
	s := c.Sensitivity
	if n := len(c.Curve); n > 0 {
		i, _ := slices.BinarySearch(c.Frequencies, frequency)
		switch {
		case i == 0:
			s = c.Curve[0]
		case i == n:
			s = c.Curve[n-1]
		default:
			low, high := c.Frequencies[i-1], c.Frequencies[i]
			s = c.Curve[i-1] + (c.Curve[i]-c.Curve[i-1])*(frequency-low)/(high-low)
		}
	}
	f := c.flat(s)
	return f * f
}

// Calibrations are those of stations, in one unit.
type Calibrations struct {
	Unit     string
	Stations map[string]Calibration
}

// ReadCalibration reads a CSV file with a line for each station and a header:
// station, and any of full_scale (volts of a sample of 1), gain (dB),
// sensitivity (dB re 1 V per unit), curve (the name of a CSV file of frequency
// and sensitivity, relative to this one) and unit, which is uPa if there is no
// such column. The station * is for those that have no line of their own.
func ReadCalibration(name string) (*Calibrations, error) {
	rows, err := readCSV(name)
	if err != nil {
		return nil, err
	}
	fail := func(line int, format string, args ...any) error {
		return fmt.Errorf("fleet: calibration: %s, line %d: %w", name, line, fmt.Errorf(format, args...))
	}
	all := &Calibrations{Unit: "", Stations: map[string]Calibration{}}
	header := rows[0]
	if !slices.Contains(header, "station") {
		return nil, fail(1, "no column is named station: %s", strings.Join(header, ", "))
	}
	for i, row := range rows[1:] {
		line := i + 2
		var c Calibration
		station, unit := "", "uPa"
		for j, text := range row {
			var err error
			switch header[j] {
			case "station":
				station = text
			case "unit":
				unit = text
			case "curve":
				if text != "" {
					c.Frequencies, c.Curve, err = readCurve(filepath.Join(filepath.Dir(name), text))
				}
			case "full_scale":
				c.FullScale, err = number(text)
				if err == nil && c.FullScale < 0 {
					err = fmt.Errorf("%s volts", text)
				}
			case "gain":
				c.Gain, err = number(text)
			case "sensitivity":
				c.Sensitivity, err = number(text)
			default:
				err = fmt.Errorf("unknown column %q: want station, full_scale, gain, sensitivity, curve, unit", header[j])
			}
			if err != nil {
				return nil, fail(line, "%w", err)
			}
		}
		if len(c.Curve) > 0 && c.Sensitivity == 0 {
			c.Sensitivity = c.Curve[nearest(c.Frequencies, pistonphone)]
		}
		if all.Unit != "" && all.Unit != unit {
			return nil, fail(line, "units %s and %s: want the same for all stations", all.Unit, unit)
		}
		if _, twice := all.Stations[station]; twice {
			return nil, fail(line, "station %s has a line already", station)
		}
		all.Unit = unit
		all.Stations[station] = c
	}
	return all, nil
}

// pistonphone is the frequency at which hydrophones are calibrated in the
// field, in Hz: where a curve gives the sensitivity for what has no frequency.
const pistonphone = 250

func nearest(values []float64, to float64) int {
	best := 0
	for i, v := range values {
		if math.Abs(v-to) < math.Abs(values[best]-to) {
			best = i
		}
	}
	return best
}

// Of is the calibration of a station.
func (c *Calibrations) Of(station string) (Calibration, bool) {
	if c == nil {
		return Calibration{}, false
	}
	one, ok := c.Stations[station]
	if !ok {
		one, ok = c.Stations["*"]
	}
	return one, ok
}

// readCurve reads frequencies and decibels; a first line of words is a header.
func readCurve(name string) (frequencies, decibels []float64, err error) {
	rows, err := readCSV(name)
	if err != nil {
		return nil, nil, err
	}
	for i, row := range rows {
		if len(row) < 2 {
			return nil, nil, fmt.Errorf("%s, line %d: want a frequency and decibels", name, i+1)
		}
		f, err := strconv.ParseFloat(row[0], 64)
		if err != nil && i == 0 {
			continue
		}
		d, err2 := strconv.ParseFloat(row[1], 64)
		if err != nil || err2 != nil {
			return nil, nil, fmt.Errorf("%s, line %d: %q and %q are no frequency and decibels", name, i+1, row[0], row[1])
		}
		if n := len(frequencies); n > 0 && f <= frequencies[n-1] {
			return nil, nil, fmt.Errorf("%s, line %d: %g Hz does not follow %g Hz", name, i+1, f, frequencies[n-1])
		}
		frequencies, decibels = append(frequencies, f), append(decibels, d)
	}
	if len(frequencies) == 0 {
		return nil, nil, fmt.Errorf("%s has no frequencies", name)
	}
	return frequencies, decibels, nil
}

func readCSV(name string) ([][]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("fleet: calibration: %w", err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.TrimLeadingSpace = true
	r.Comment = '#'
	var rows [][]string
	for {
		row, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("fleet: calibration: %s: %w", name, err)
		}
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("fleet: calibration: %s is empty", name)
	}
	return rows, nil
}

// number is that of a text; an empty one is 0.
func number(text string) (float64, error) {
	if text == "" {
		return 0, nil
	}
	return strconv.ParseFloat(text, 64)
}
