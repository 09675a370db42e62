// Package fleet computes spectra of archives of recordings: terabytes in files
// of any number and size, on one machine, in the array jobs of a cluster, or
// on Apache Beam.
//
//	run, err := fleet.Open(ctx, fleet.Config{In: []string{"archive/**/*.wav"}, Out: "out", Job: "psd"})
//	err = run.Shard(ctx, 0, 1)  // compute all units of work
//	err = run.Merge(ctx)        // and write the days
//
// # Words
//
// A series is the samples of a station, or of all stations for jobs that work
// across them. A period, a minute unless asked for otherwise, gives a row. A
// unit of work is some rows of a day of a series: a time range, whatever files
// it is in. A part is the rows of a unit on disk; a day is finished when the
// parts of all its units are there.
//
// # Jobs
//
// A [Job] says what a row holds and computes it from the samples of a period.
// Package jobs has the usual ones. [Register] makes one's own known by name,
// so that package command runs it like any other, on every runner.
//
// # What is written
//
// A folder has a Zarr store for each series and, if asked for, a Parquet file
// for each of its days, and problems.csv: the files that could not be used, or
// not all of them. Everything is written under a temporary name and renamed.
// Units are named after what they depend on, so a run that is started again
// does what is missing and nothing else.
package fleet
