package csv

import (
	"fmt"
	"io"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf16"
)

// rows makes n lines of times that are k/rate, and values k and -k.
func rows(n int, rate float64, format string) string {
	var b strings.Builder
	for k := range n {
		fmt.Fprintf(&b, format, float64(k)/rate, k, -k)
	}
	return b.String()
}

// pair is the values that rows writes.
func pair(n int) (v []float64) {
	for k := range n {
		v = append(v, float64(k), -float64(k))
	}
	return v
}

func TestTables(t *testing.T) {
	nan := math.NaN()
	german := strings.NewReplacer(".", ",")
	for name, c := range map[string]struct {
		text  string
		opt   Options
		names []string
		rate  float64
		want  []float64
	}{
		"a header and times":   {text: "time,ax,az\n" + rows(20, 1000, "%.3f,%d,%d\n"), names: []string{"ax", "az"}, rate: 1000, want: pair(20)},
		"Windows":              {text: "\ufefftime,ax,az\r\n" + rows(20, 1000, "%.3f,%d,%d\r\n"), names: []string{"ax", "az"}, rate: 1000, want: pair(20)},
		"no header":            {text: rows(20, 51200, "%.7f %d %d\n"), rate: 51200, want: pair(20)},
		"tabs":                 {text: "t [ms]\tA\tB\n" + rows(20, 0.5, "%g\t%d\t%d\n"), names: []string{"A", "B"}, rate: 500, want: pair(20)},
		"a decimal comma":      {text: "Zeit;A;B\n" + german.Replace(rows(20, 1000, "%.3f;%d.0;%d.0\n")), names: []string{"A", "B"}, rate: 1000, want: pair(20)},
		"quoted decimal comma": {text: `"t","a"` + "\n" + `"0,0","1,5"` + "\n" + `"0,1","2,5"` + "\n" + `"0,2","-3,5"`, names: []string{"a"}, rate: 10, want: []float64{1.5, 2.5, -3.5}},
		"units below":          {text: "Time,Channel A,B\n(ms),(mV),(V)\n\n" + rows(20, 4, "%.6f,%d,%d\n"), names: []string{"Channel A", "B"}, rate: 4000, want: pair(20)},
		"lines before":         {text: "Model,X\nSample rate,51200\nUnits,3\n\nTime,A,B\n" + rows(9, 10, "%.1f,%d,%d\n"), names: []string{"A", "B"}, rate: 10, want: pair(9)},
		"numpy.savetxt":        {text: "# t a b\n" + rows(20, 1024, "%.18e %d %d\n"), names: []string{"a", "b"}, rate: 1024, want: pair(20)},
		"six digits":           {text: "t,a,b\n" + strings.ReplaceAll(rows(9000, 2048, "%.6g,%d,%d\n"), "e-0", "E-0"), names: []string{"a", "b"}, rate: 2048, want: pair(9000)},
		"coarse times":         {text: "t,a,b\n" + rows(40960, 51200, "%.3f,%d,%d\n"), names: []string{"a", "b"}, rate: 51200, want: pair(40960)},
		"thirds":               {text: "t,a,b\n" + rows(20, 1/0.003, "%.3f,%d,%d\n"), names: []string{"a", "b"}, rate: 1 / 0.003, want: pair(20)},
		"pandas":               {text: ",x\n0,1.5\n1,2.5\n2,3.5\n3,4.5\n", names: []string{"x"}, want: []float64{1.5, 2.5, 3.5, 4.5}},
		"pandas without names": {text: ",0,1\n0,1.5,2\n1,2.5,3\n2,3.5,4\n3,4.5,5\n", names: []string{"0", "1"}, want: []float64{1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5}},
		"one column":           {text: "1\n2\n3\n4\n", want: []float64{1, 2, 3, 4}},
		"one number":           {text: "7", want: []float64{7}},
		"a named column":       {text: "acc\n1\n2e3\n-3d-1\n", names: []string{"acc"}, want: []float64{1, 2000, -0.3}},
		"chosen":               {text: "time,ax,ay,az\n0,1,2,3\n0.5,4,5,6\n1,7,8,9\n", opt: Options{Columns: "AZ, 2"}, names: []string{"az", "ax"}, rate: 2, want: []float64{3, 1, 6, 4, 9, 7}},
		"times elsewhere":      {text: "a,clk\n5,0\n6,0.25\n7,0.5\n", opt: Options{Time: "clk"}, names: []string{"a"}, rate: 4, want: []float64{5, 6, 7}},
		"no times":             {text: "t,a\n0,1\n1,2\n5,3\n", opt: Options{Time: "none"}, names: []string{"t", "a"}, want: []float64{0, 1, 1, 2, 5, 3}},
		"any times":            {text: "t,a\n0,1\n1,2\n5,3\n", opt: Options{AnyTime: true}, names: []string{"a"}, want: []float64{1, 2, 3}},
		"words":                {text: "t,a,state\n0,1,ok\n1,2,ok\n2,3,not ok\n", names: []string{"a"}, rate: 1, want: []float64{1, 2, 3}},
		"missing":              {text: "a,b\n1,\n,2\nNaN,-inf\n", names: []string{"a", "b"}, want: []float64{1, nan, nan, 2, nan, math.Inf(-1)}},
		"a last delimiter":     {text: "a;b;\n1;2;\n3;4;\n", names: []string{"a", "b"}, want: []float64{1, 2, 3, 4}},
		"comments between":     {text: "1,2\n# pause\n\n3,4\n", want: []float64{1, 2, 3, 4}},
		"dates":                {text: "when,a\n2026-01-31 23:59:59.998,1\n2026-01-31 23:59:59.999,2\n2026-02-01 00:00:00.000,3\n2026-02-01T00:00:00.001Z,4\n", opt: Options{Time: "1"}, names: []string{"a"}, rate: 1000, want: []float64{1, 2, 3, 4}},
		"times of a day":       {text: "time;a\n23:59:59,50;1\n23:59:59,75;2\n00:00:00,00;3\n00:00:00,25;4\n", opt: Options{Time: "time"}, names: []string{"a"}, rate: 4, want: []float64{1, 2, 3, 4}},
		"since 1970 in ms":     {text: "timestamp,a\n1700000000000,1\n1700000000004,2\n1700000000008,3\n", names: []string{"a"}, rate: 250, want: []float64{1, 2, 3}},
		"thousands":            {text: "time;a\n0,000;-1.477,60\n0,001;0,00\n0,002;12.345.678,5\n", names: []string{"a"}, rate: 1000, want: []float64{-1477.6, 0, 12345678.5}},
		"thousands, quoted":    {text: "time,a\n0.000,\"-1,477.60\"\n0.001,0.00\n0.002,\"12,345,678\"\n", names: []string{"a"}, rate: 1000, want: []float64{-1477.6, 0, 12345678}},
		"no thousands":         {text: "a,b,c\n1,234,567\n2,345,678\n", names: []string{"a", "b", "c"}, want: []float64{1, 234, 567, 2, 345, 678}},
		"an old Mac":           {text: "time,ax,az\r" + rows(20, 1000, "%.3f,%d,%d\r"), names: []string{"ax", "az"}, rate: 1000, want: pair(20)},
		"two returns":          {text: "time,ax,az\r\r\n" + rows(20, 1000, "%.3f,%d,%d\r\r\n"), names: []string{"ax", "az"}, rate: 1000, want: pair(20)},
		"commas of one column": {text: "1,5\n2,5\n-0,25\n", want: []float64{1.5, 2.5, -0.25}},
		"and leading zeros":    {text: "1,5\n2,5\n3,05\n", want: []float64{1.5, 2.5, 3.05}},
		"and one name":         {text: "acc\n1,5\n2,25E-1\n4,7\n", names: []string{"acc"}, want: []float64{1.5, 0.225, 4.7}},
		"two whole numbers":    {text: "a,b\n1,5\n2,0\n4,7\n", names: []string{"a", "b"}, want: []float64{1, 5, 2, 0, 4, 7}},
		"uneven whole numbers": {text: "1,5\n2,5\n4,7\n", want: []float64{1, 5, 2, 5, 4, 7}},
		"some last delimiters": {text: "a,b\n1,2,\n3,4\n5,6\n7,8,,\n", names: []string{"a", "b"}, want: []float64{1, 2, 3, 4, 5, 6, 7, 8}},
		"without units":        {text: "t [s],ax [g],Az (m/s^2)\n0,1,2\n0.5,4,5\n", opt: Options{Columns: "az,ax"}, names: []string{"Az (m/s^2)", "ax [g]"}, rate: 2, want: []float64{2, 1, 5, 4}},
		"commas in names":      {text: "\"a, m/s\",\"b, x\",c\n1,2,3\n4,5,6\n", opt: Options{Columns: "c,b, x,a, m/s"}, names: []string{"c", "b, x", "a, m/s"}, want: []float64{3, 2, 1, 6, 5, 4}},
		"no numbers":           {text: "a,b\n1,+INF\n2,1.#QNAN\n4,-1.#IND00\n5,#DIV/0!\n5,-1.#INF\n", names: []string{"a", "b"}, want: []float64{1, math.Inf(1), 2, nan, 4, nan, 5, nan, 5, math.Inf(-1)}},
		"LabVIEW":              {text: "LabVIEW Measurement\t\nSeparator\tTab\n***End_of_Header***\t\nChannels\t1\t\nX_Value\tAcc\tComment\n0.000\t1.5\t\n0.001\t2.5\t\n0.002\t3.5\t\n", names: []string{"Acc"}, rate: 1000, want: []float64{1.5, 2.5, 3.5}},
		"American dates":       {text: "time,a\n1/31/2026 11:59:59.5 PM,1\n2/1/2026 12:00:00.0 AM,2\n2/1/2026 12:00:00.5 AM,3\n", names: []string{"a"}, rate: 2, want: []float64{1, 2, 3}},
		"British dates":        {text: "when,a\n01/02/2026 23:59:59,1\n02/02/2026 00:00:00,2\n13/02/2026 00:00:01,3\n", opt: Options{Time: "when", AnyTime: true}, names: []string{"a"}, want: []float64{1, 2, 3}},
		"day first":            {text: "\"31/01/2026, 23:59:59.8\",1\n\"31/01/2026, 23:59:59.9\",2\n\"01/02/2026, 00:00:00.0\",3\n\"01/02/2026, 00:00:00.1\",4\n", rate: 10, want: []float64{1, 2, 3, 4}},
		"German dates":         {text: "Zeit;a\n31.1.2026 23:59:59,98;1,5\n31.1.2026 23:59:59,99;2,5\n1.2.2026 00:00:00,00;3,5\n", names: []string{"a"}, rate: 100, want: []float64{1.5, 2.5, 3.5}},
		"minus signs":          {text: "t,a\n0,−1.5\n0.5,2e−3\n1,−inf\n", names: []string{"a"}, rate: 2, want: []float64{-1.5, 0.002, math.Inf(-1)}},
		"minus signs, commas":  {text: "a\n−1,5\n−0,5\n2,5\n", names: []string{"a"}, want: []float64{-1.5, -0.5, 2.5}},
		"hours of a digit":     {text: "time,a\n9:59:59.5,1\n10:00:00.0,2\n10:00:00.5,3\n", names: []string{"a"}, rate: 2, want: []float64{1, 2, 3}},
		"minutes and seconds":  {text: "time,a\n00:59.5,1\n01:00.0,2\n01:00.5,3\n", names: []string{"a"}, rate: 2, want: []float64{1, 2, 3}},
		"Latin 1":              {text: "t (\xb5s),a\n0,1\n20,2\n40,3\n", names: []string{"a"}, rate: 50000, want: []float64{1, 2, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			for kind, in := range map[string]io.Reader{"file": strings.NewReader(c.text), "pipe": iotest.OneByteReader(iotest.DataErrReader(strings.NewReader(c.text)))} {
				r, err := NewReader(in, c.opt)
				if err != nil {
					t.Fatal(kind, err)
				}
				got, err := all(r)
				if err != nil {
					t.Fatal(kind, err)
				}
				if !same(got, c.want) {
					t.Errorf("%s: values %v, want %v", kind, got[:min(20, len(got))], c.want[:min(20, len(c.want))])
				}
				if !reflect.DeepEqual(r.Names(), c.names) {
					t.Errorf("%s: names %q, want %q", kind, r.Names(), c.names)
				}
				if r.Rate() != c.rate && !(kind == "pipe" && name == "coarse times") { // whose first lines cannot tell
					t.Errorf("%s: rate %v, want %v", kind, r.Rate(), c.rate)
				}
				if frames := int64(len(c.want) / r.Channels()); kind == "file" && r.Frames() != frames || kind == "pipe" && r.Frames() != -1 {
					t.Errorf("%s: %d frames, want %d", kind, r.Frames(), frames)
				}
			}
		})
	}
}

// Spreadsheets write rows of delimiters behind a table: a file ends before them.
func TestEmptyRowsBehind(t *testing.T) {
	for _, n := range []int{20, 9000} {
		for _, behind := range []string{";;\r\n", ";;\r\n\r\n; ;\r\n;;"} {
			r, err := NewReader(strings.NewReader("time;ax;az\r\n"+rows(n, 1000, "%.3f;%d;%d\r\n")+behind), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := all(r); err != nil || !same(got, pair(n)) || r.Frames() != int64(n) || r.Rate() != 1000 || r.Warning() != nil {
				t.Errorf("%d values of %d frames, rate %g, %v, %v", len(got), r.Frames(), r.Rate(), err, r.Warning())
			}
			r, err = NewReader(iotest.HalfReader(strings.NewReader("time;ax;az\r\n"+rows(n, 1000, "%.3f;%d;%d\r\n")+behind)), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got, err := all(r); err != nil || !same(got, pair(n)) || r.Warning() != nil {
				t.Errorf("pipe: %d values, %v, %v", len(got), err, r.Warning())
			}
		}
	}
	const inside = "a;b\n1;2\n;\n\n;\n3;4\n;\n5;6\n;\n"
	for kind, in := range map[string]io.Reader{"file": strings.NewReader(inside), "pipe": iotest.OneByteReader(strings.NewReader(inside))} {
		r, err := NewReader(in, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := all(r)
		nan := math.NaN()
		if err != nil || !same(got, []float64{1, 2, nan, nan, nan, nan, 3, 4, nan, nan, 5, 6}) {
			t.Errorf("%s: %v, %v: want NaN where a row inside is empty", kind, got, err)
		}
		if w := r.Warning(); w == nil || w.Error() != "csv: 6 empty fields are NaN, the first in line 3" {
			t.Errorf("%s: warning %v", kind, w)
		}
	}
	r, err := NewReader(iotest.OneByteReader(strings.NewReader("time;ax;az\n"+rows(9000, 1000, "%.3f;%d;%d\n")+";;\n9.1;1;2\n")), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := all(r); err == nil || !strings.HasPrefix(err.Error(), "csv: line 9002: ") {
		t.Errorf("an empty time inside: %v", err)
	}
}

func all(r *Reader) (v []float64, err error) {
	room := make([]float64, 7*r.Channels())
	for {
		n, err := r.Read64(room)
		v = append(v, room[:n*r.Channels()]...)
		if err == io.EOF {
			return v, nil
		}
		if err != nil {
			return v, err
		}
	}
}

func same(a, b []float64) bool {
	for i := range a {
		if i < len(b) && a[i] != b[i] && !(a[i] != a[i] && b[i] != b[i]) {
			return false
		}
	}
	return len(a) == len(b)
}

func TestFaults(t *testing.T) {
	unnamed := rows(1000, 100, "%.2f,%d,%d\n")
	even := "time,a,b\n" + unnamed
	for name, c := range map[string]struct {
		text string
		opt  Options
		want string
	}{
		"nothing":         {"", Options{}, "no table of numbers"},
		"prose":           {"hello, world\nthis is text\n", Options{}, "no table of numbers"},
		"16 bits":         {"\xff\xfe1\x00\n\x00x", Options{Columns: "2"}, "no column"},
		"no 16 bits":      {"\xff\xfe\x01", Options{}, "no table of numbers"},
		"bytes":           {"1,2\n\x00\x01", Options{}, "no table of numbers"},
		"a typo":          {"t,ax\n0,1\n1,2\n", Options{Columns: "ay"}, `there is no column "ay": 2 columns: t, ax`},
		"a number beyond": {"1,2\n3,4\n", Options{Columns: "3"}, `there is no column "3": 2 columns without names, numbered from 1`},
		"twice":           {"a,b\n1,2\n3,4\n", Options{Columns: "a,1"}, "column 1 (a) is chosen twice"},
		"a word":          {"a,b\n" + strings.Repeat("1,2\n", 3000) + "1,off\n", Options{}, `line 3002: column 2 (b): "off" is not a number`},
		"a short line":    {"a,b\n1,2\n3,4\n5\n6,7\n", Options{}, "line 4: 1 column, want 2"},
		"a long line":     {"a,b\n1,2\n3,4\n5,6,7\n", Options{}, "line 4: more than 2 columns"},
		"a gap":           {even + "10.05,1,2\n", Options{}, "line 1002: time goes from 9.99 to 10.05 s, steps are 0.01 s"},
		"of no name":      {unnamed + "10.02,1,2\n" + "10.03,1,2\n", Options{}, `line 1001: time goes from 9.99 to 10.02 s, steps are 0.01 s: the table is not evenly sampled; give a rate to ignore its times; Time "none" reads column 1 as samples`},
		"of 1000 rows":    {rows(1000, 0.5, "%.0f,%d,%d\n") + "2004,1,2\n", Options{}, "line 1001: time goes from 1998 to 2004 s"},
		"missing rows":    {",a,b\n" + rows(1000, 1, "%.0f,%d,%d\n") + "1004,1,2\n", Options{}, "line 1002: time goes from 999 to 1004 s"},
		"back":            {even + "9.5,1,2\n" + rows(1000, 100, "%.2f,%d,%d\n"), Options{}, "line 1002: time goes from 9.99 to 9.5 s"},
		"no time":         {even + "?,1,2\n", Options{Time: "time"}, `line 1002: column 1 (time): "?" is not a time`},
		"one name, units": {"a [V],a [A]\n1,2\n3,4\n", Options{Columns: "a"}, `columns 1 and 2 are both named "a"`},
		"one name of two": {"a,a\n1,2\n3,4\n", Options{Columns: "a"}, `columns 1 and 2 are both named "a"`},
		"an empty time":   {"time,a\n0,1\n,2\n2,3\n3,4\n", Options{}, `line 3: column 1 (time): "" is not a time`},
		"no such day":     {"time,a\n2026-02-31 00:00:00,1\n2026-02-31 00:00:01,2\n", Options{Time: "time"}, "is not a time"},
		"no such minute":  {"time,a\n25:61:00,1\n25:61:01,2\n", Options{Time: "time"}, "is not a time"},
		"times that fall": {"t,a\n3,1\n2,2\n1,3\n", Options{Time: "t"}, "times in column 1 (t) do not rise"},
		"times alone":     {"t,state\n0,on\n1,on\n2,off\n", Options{}, "no table of numbers beside times: 2 columns: t, state"},
		"an endless line": {"1\n2\n3\n" + strings.Repeat("1 ", 4<<20), Options{}, "longer than"},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := NewReader(strings.NewReader(c.text), c.opt)
			if err == nil {
				_, err = all(r)
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "csv: ") {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func TestWarnings(t *testing.T) {
	for text, want := range map[string]string{
		"a,b\n1,2\n3,4\n5":                        "line 4: the last line is cut short",
		"a,b\n1,\n3,\n5,6\n":                      "2 empty fields are NaN",
		"a,b\n\"1,23.5\",2\n\"2,34.5\",3\n":       `column 1 (a) is left out: line 2: "1,23.5" is not a number`,
		"a,b\n1,2\n3,4\nmean,3\n":                 `column 1 (a) is left out: line 4: "mean" is not a number`,
		"a,b\non,2\noff,3\n":                      "<nil>",
		"t,a\n0.00,1\n0.10,2\n0.21,3\n0.30,4\n":   "<nil>", // two digits cannot tell
		"t,a\n0.000,1\n0.100,2\n0.230,3\n0.3,4\n": "steps of time differ by up to 29%",
	} {
		r, err := NewReader(strings.NewReader(text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		v, err := all(r)
		if err != nil || int64(len(v)) != r.Frames()*int64(r.Channels()) {
			t.Errorf("%q: %d values of %d frames, %v", text, len(v), r.Frames(), err)
		}
		if !strings.Contains(fmt.Sprint(r.Warning()), want) {
			t.Errorf("%q: %v, want %q", text, r.Warning(), want)
		}
	}
}

func TestOpenAndSeek(t *testing.T) {
	const n = 3*markRows + 100
	name := filepath.Join(t.TempDir(), "a.csv")
	if err := os.WriteFile(name, []byte("# by hand\ntime,a,b\n"+rows(n, 8000, "%.6f,%d,%d\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if r.Frames() != n || r.Rate() != 8000 {
		t.Fatalf("%d frames at %v", r.Frames(), r.Rate())
	}
	v := make([]float32, 4)
	for _, at := range []int64{n - 2, 0, markRows, markRows - 1, 2*markRows + 5, n} {
		if err := r.SeekFrame(at); err != nil {
			t.Fatal(err)
		}
		got, err := r.Read(v)
		if at == n {
			if err != io.EOF {
				t.Errorf("at the end: %d, %v", got, err)
			}
			continue
		}
		if err != nil || got != 2 || v[0] != float32(at) || v[3] != -float32(at+1) {
			t.Errorf("row %d: %v, %v", at, v, err)
		}
	}
	if err := r.SeekFrame(n + 1); err == nil {
		t.Error("a row beyond the end")
	}
	if _, err := Open(name + "x"); err == nil {
		t.Error("no such file")
	}
}

// TestWideText reads what spreadsheets call Unicode text.
func TestWideText(t *testing.T) {
	const n = markRows + 100
	for high := range 2 {
		var b []byte
		for _, c := range utf16.Encode([]rune("\ufeffZeit [μs]\tA\t力\r\n" + strings.ReplaceAll(rows(n, 0.05, "%.1f\t%d.0\t%d.0\r\n"), ".", ","))) {
			b = append(b, byte(c>>(8*(1-high))), byte(c>>(8*high)))
		}
		for kind, in := range map[string]io.Reader{"file": strings.NewReader(string(b)), "pipe": iotest.OneByteReader(strings.NewReader(string(b)))} {
			r, err := NewReader(in, Options{})
			if err != nil {
				t.Fatal(kind, err)
			}
			if got, err := all(r); err != nil || !same(got, pair(n)) || r.Rate() != 50000 || !slices.Equal(r.Names(), []string{"A", "?"}) {
				t.Errorf("%s: %d values at %v, names %q, %v", kind, len(got), r.Rate(), r.Names(), err)
			}
			if kind == "pipe" {
				continue
			}
			v := make([]float64, 2)
			if err := r.SeekFrame(markRows + 7); err != nil {
				t.Fatal(err)
			}
			if _, err := r.Read64(v); err != nil || v[0] != markRows+7 {
				t.Errorf("%v, %v", v, err)
			}
		}
	}
}

func TestRecorded(t *testing.T) {
	r, err := NewReader(strings.NewReader("time,a\n2026-01-31T12:00:00.5+01:00,1\n2026-01-31T12:00:01.0+01:00,2\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := time.Date(2026, 1, 31, 11, 0, 0, 5e8, time.UTC); !r.Recorded().Equal(want) || r.Rate() != 2 {
		t.Errorf("%v at %v", r.Recorded(), r.Rate())
	}
	if _, seconds, ok := (&clock{}).parse([]byte("2026-01-31 12:00:00.5+01")); !ok || seconds != 11*3600+0.5 {
		t.Errorf("a zone of hours: %v, %v", seconds, ok)
	}
}

// TestNumbers compares numbers with strconv's.
func TestNumbers(t *testing.T) {
	g := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		v := math.Float64frombits(g.Uint64())
		if v-v != 0 {
			continue
		}
		text := strconv.FormatFloat(v, "efgE"[g.IntN(4)], g.IntN(22)-1, 64)
		if g.IntN(2) == 0 {
			text = strconv.FormatFloat(g.NormFloat64()*100, 'f', g.IntN(20), 64)
		}
		want, _ := strconv.ParseFloat(text, 64)
		if got, ok := parseNumber([]byte(text), '.'); !ok || got != want {
			t.Fatalf("%s: %v, want %v", text, got, want)
		}
		if got, ok := parseNumber([]byte(strings.Replace(text, ".", ",", 1)), ','); !ok || got != want {
			t.Fatalf("%s: %v, want %v", text, got, want)
		}
	}
	for _, text := range []string{"", "-", "+", ".", "1.2.3", "1e", "e5", "0x10", "1_000", "1 2", "--1", "1,5", "1e5.5", "½"} {
		if v, ok := parseNumber([]byte(text), '.'); ok && v == v {
			t.Errorf("%q is %v", text, v)
		}
	}
}

func FuzzReader(f *testing.F) {
	for _, s := range []string{"t,a\n0,1\n1,2\n", "\"a\";\"b\"\n1,5;2\n", "12:00:00 1\n12:00:01 2\n", ",\n,\n1", "2026-01-31 12:00,1\n"} {
		f.Add([]byte(s), "a")
	}
	f.Fuzz(func(t *testing.T, b []byte, columns string) {
		r, err := NewReader(strings.NewReader(string(b)), Options{Columns: columns})
		if err != nil {
			return
		}
		if v, err := all(r); err == nil && int64(len(v)) != r.Frames()*int64(r.Channels()) {
			t.Errorf("%d values of %d frames", len(v), r.Frames())
		}
	})
}

func BenchmarkRead(b *testing.B) {
	text := "time,ax,az\n" + rows(200000, 51200, "%.7f,%d.25,%d.125\n")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r, err := NewReader(strings.NewReader(text), Options{})
		if err != nil {
			b.Fatal(err)
		}
		v := make([]float64, 1<<16)
		for err == nil {
			_, err = r.Read64(v)
		}
	}
}

// Numbers of up to 19 digits are the nearest float64, as strconv has them, whether they take
// the quick way or not; nearly all of 16 to 19 do, and those that numpy.savetxt writes.
func TestNumbersOfManyDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	slow := 0
	check := func(text string) {
		t.Helper()
		want, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		if v, n := quick([]byte(text), '.'); n == 0 {
			slow++
		} else if n != len(text) || v != want {
			t.Fatalf("%s is %v of %d bytes, want %v", text, v, n, want)
		}
		if v, ok := parseNumber([]byte(text), '.'); !ok || v != want {
			t.Fatalf("%s is %v, want %v", text, v, want)
		}
	}
	for range 200000 {
		v := r.NormFloat64() * math.Pow(10, float64(r.IntN(6)-3))
		check(strconv.FormatFloat(v, 'e', 18, 64))
		check(strconv.FormatFloat(v, 'f', 1+r.IntN(18), 64))
		check(strconv.FormatFloat(v, 'g', 17, 64))
		check(fmt.Sprintf("%d.%0*d", r.IntN(10), 1+r.IntN(18), r.Uint64()%1e17))
	}
	if slow > 10000 { // of more than 19 digits
		t.Errorf("%d of 800000 numbers take the slow way", slow)
	}
	for range 200000 {
		// In the middle between two neighbours, or as near as digits get to it.
		near := new(big.Float).SetPrec(200).Add(big.NewFloat(1+r.Float64()), big.NewFloat(0x1p-53))
		check(near.Text('f', 18))
		check(fmt.Sprint(1<<53 + 1 + 2*r.Uint64N(1<<40)))
		check(fmt.Sprintf("%de%d", 1<<60+r.Uint64N(1<<60), r.IntN(45)-22))
	}
	for _, text := range []string{"9007199254740993", "9007199254740992.5", "0.00000000000000000001234567890123456789", "18446744073709551615", "9999999999999999999", "9999999999999999999e22", "1.8446744073709551616", "4503599627370496.5", "9223372036854775807e-22"} {
		check(text)
	}
}
