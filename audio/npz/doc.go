// Package npz reads and writes NumPy's .npz files: several named arrays in a
// zip archive, packed or not.
//
//	a, err := npz.Open("filters.npz")
//	x, err := a.Read("taps")
//	taps, err := npy.Values[float32](x)
//
// Reading does not trust the file. Sizes in its directory are checked against
// the file and against [Archive.Limit] before memory is taken, and arrays can
// be read as streams, which takes none.
package npz
