//go:build linux

package main

import (
	"fmt"
	"strings"
)

// values make no sense for almost any flag.
var values = []string{
	"", "-1", "0", "1", "9223372036854775807", "-9223372036854775808", "18446744073709551615", "4503599627370496", "1e308", "-1e-300",
	"NaN", "Inf", "-Inf", "0x10", "abc", " ", ",", "1,2", ",,,", "1,2,3", "0,0,0", "-1,-1,-1", "4611686018427387904,2,2", "2^62", "2^-1", "2^99999",
	"5:3", "-1:", "0:9223372036854775807", "kaiser:NaN", "kaiser:1e308", "tukey:", "cuda:99", "webgpu:99", "x=", "=x", "x:float32:9999999999,9999999999", "T=float128",
	"/dev/full", "/nonexistent/a/b.npy", "%s%n%x", escape, "a\nb", strings.Repeat("9", 400), strings.Repeat("a,", 20000), "\xff\xfe", "\u202e\u0000"[:3], "true", "1h", "-5s", "999999h",
}

// few of them are what a quick run tries.
var few = []string{"", "-1", "0", "9223372036854775807", "NaN", "4611686018427387904,2,2", "2^62", escape, "/nonexistent/a/b.npy", strings.Repeat("a,", 20000)}

// flags gives every flag of every verb each value, beside what the verb needs.
func (t *torture) flags() (string, []string) {
	verbs, err := t.verbs()
	if err != nil {
		return "", []string{err.Error()}
	}
	list := values
	if t.quick {
		list = few
	}
	var crew crew
	count := 0
	for _, verb := range verbs {
		names, err := t.flagsOf(verb)
		if err != nil {
			crew.fail(err.Error())
			continue
		}
		if _, known := calls[verb]; !known {
			crew.fail(fmt.Sprintf("the verb %q has no row in verbs.go", verb))
			continue
		}
		for _, name := range names {
			count++
			for _, value := range list {
				crew.run(t, func(folder string) (*process, []string) {
					args, err := t.command(verb, folder, nil)
					if err != nil {
						return nil, []string{err.Error()}
					}
					// What is given twice counts as given last, and flags end at "--".
					n := len(strings.Fields(verb))
					for n < len(args) && args[n] != "--" {
						n++
					}
					args = append(append(append([]string{}, args[:n]...), name+"="+value), args[n:]...)
					return t.verb(folder, patience/2, args...)
				})
			}
		}
	}
	crew.wait()
	return fmt.Sprintf("%d flags of %d verbs, %d values, %s", count, len(verbs), len(list), crew.said()), crew.failures
}
