// Package csv reads tables of numbers in text files as streams of frames, so that a file
// may be larger than memory: the exports of loggers, oscilloscopes and spreadsheets.
//
//	r, err := csv.Open("bearing.csv", csv.Options{Columns: "ax,az"})
//	fmt.Println(r.Names(), r.Rate(), r.Frames())
//	n, err := r.Read64(buffer) // frames of interleaved samples
//
// The delimiter (comma, semicolon, tab, bar or spaces), a decimal comma, lines before
// the table, a header, a row of units and comments (#, %, //) are detected in the first
// lines. Lines may end as on Windows or old Macs, and characters may have 16 bits, as in
// "Unicode text" of spreadsheets. A line of the table is a frame and a column is a
// channel. Values are the numbers in the file: they have no full scale. An empty field
// is NaN, and [Reader.Warning] says how many there were, and which columns are left out.
//
// A time column is not a channel. It gives the sampling rate, and a missing step or one
// twice as long as the others is an error with its line. Times are numbers, with a unit
// in the header such as "t [ms]" or "Time (us)", dates as in 2026-01-31 12:00:00.125,
// 1/31/2026 1:05 PM (or 31/1/2026, if a day above 12 shows it) or 31.1.2026 13:05, or
// times of a day. A first column without a name whose steps are the same but for a few
// longer ones is one of times with gaps. A column that only counts rows is left out.
package csv
