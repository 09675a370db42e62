package main

import (
	"slices"
	"strconv"
	"strings"
)

// dtype is what a transform works on: complex or real elements of single or
// double precision.
type dtype struct {
	name, long string
	real       bool
	bits       int
}

var dtypes = []dtype{
	{"c64", "complex64", false, 32},
	{"c128", "complex128", false, 64},
	{"r32", "float32", true, 32},
	{"r64", "float64", true, 64},
}

func parseDType(name string) (dtype, error) {
	i := slices.IndexFunc(dtypes, func(d dtype) bool { return d.name == name || d.long == name })
	if i < 0 {
		return dtype{}, usagef("--dtype %q: want c64, c128, r32 or r64, or complex64 and so on", name)
	}
	return dtypes[i], nil
}

// parseDTypes takes names separated by commas, or "all".
func parseDTypes(list string) ([]dtype, error) {
	if list == "all" {
		return dtypes, nil
	}
	var out []dtype
	for name := range strings.SplitSeq(list, ",") {
		d, err := parseDType(name)
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}

// maxSize is the longest line that is measured.
const maxSize = 1 << 30

// parseSizes takes lengths separated by commas; 2^k is a power of two.
func parseSizes(list string) ([]int, error) {
	var out []int
	for text := range strings.SplitSeq(list, ",") {
		digits, power := strings.CutPrefix(text, "2^")
		n, err := strconv.Atoi(digits)
		if power && err == nil && n >= 0 && n <= 30 {
			n = 1 << n
		} else if power {
			n = 0
		}
		if err != nil || n < 1 || n > maxSize {
			return nil, usagef("--sizes %q: %q: want a length from 1 to 2^30", list, text)
		}
		out = append(out, n)
	}
	return out, nil
}
