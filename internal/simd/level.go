package simd

import (
	"fmt"
	"os"
	"strings"
)

// Level is an instruction-set level. Higher levels include the lower ones of
// the same architecture.
type Level int

const (
	Portable Level = iota // plain Go, on every architecture
	NEON                  // arm64: Advanced SIMD, which all of them have
	AVX2                  // amd64 with AVX2, FMA, BMI2 and F16C
	AVX512                // amd64 with AVX-512 F, DQ, BW and VL
)

// EnvVar overrides the level picked at start, for tests and for bisecting a
// wrong result: TWIDDLE_SIMD=portable|neon|avx2|avx512.
const EnvVar = "TWIDDLE_SIMD"

var names = [...]string{Portable: "portable", NEON: "neon", AVX2: "avx2", AVX512: "avx512"}

func (l Level) String() string {
	if l < 0 || int(l) >= len(names) {
		return fmt.Sprintf("Level(%d)", int(l))
	}
	return names[l]
}

// active is chosen once, at start.
var active, overrideErr = choose(os.Getenv(EnvVar))

// Active reports the level the process uses by default.
func Active() Level { return active }

// OverrideError reports a value of EnvVar that named no level this machine
// can run. The override is then ignored.
func OverrideError() error { return overrideErr }

// Available lists the levels this machine can run, lowest first.
func Available() []Level {
	levels := []Level{Portable}
	for l := Portable + 1; l <= AVX512; l++ {
		if supported(l) {
			levels = append(levels, l)
		}
	}
	return levels
}

func choose(override string) (Level, error) {
	levels := Available()
	best := levels[len(levels)-1]
	if override == "" {
		return best, nil
	}
	for _, l := range levels {
		if strings.EqualFold(override, l.String()) {
			return l, nil
		}
	}
	return best, fmt.Errorf("simd: %s=%q: want one of %v on this machine", EnvVar, override, levels)
}
