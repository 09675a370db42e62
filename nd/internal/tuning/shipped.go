package tuning

import (
	_ "embed"
	"sync"
)

// shippedFile is figures that twiddle tune measured, by chip, in the format of a tuning
// file. CPUs are by model and number of workers, as their figures are.
//
//go:embed shipped.json
var shippedFile []byte

// shipped are the figures that come with the library. What it says of chips that nobody
// measured is in their device's Info.
var shipped = sync.OnceValue(func() *File {
	f, warnings, err := parse("shipped.json", shippedFile)
	if err != nil || len(warnings) > 0 {
		panic("tuning: shipped.json does not parse; TestShipped has the reason")
	}
	return f
})
