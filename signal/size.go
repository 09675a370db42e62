package signal

// maxSize bounds what is made on the host, number by number: windows, filters,
// weights and the tables of transforms. 2^30 float64 are 8 GiB; larger sizes are
// mistakes, and asking Go for their memory would end the process.
const maxSize = 1 << 30

// checkSize is the one check of a size that a caller gave, before memory is
// asked for: of one length, or of a table with so many rows and columns.
func checkSize(what string, n int, times ...int) error {
	for _, m := range times {
		if n > 0 && m > maxSize/n {
			return fact("%s %d times %d: want at most %d", what, n, m, maxSize)
		}
		n *= m
	}
	if n > maxSize {
		return fact("%s %d: want at most %d", what, n, maxSize)
	}
	return nil
}
