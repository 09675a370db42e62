// Package archive finds the recordings of an archive and says of each where
// and when it was made, from its name by a pattern or from its header. Files
// that cannot be used, or not all of them, are [Problem] values with a reason;
// they never stop a scan.
//
//	names, err := archive.Find("archive/**/*.flac")
//	p, err := archive.ParsePattern("{station}_%Y%m%d_%H%M%S")
//	found := archive.Scan(ctx, names, archive.Options{Pattern: p})
package archive
