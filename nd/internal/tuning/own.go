package tuning

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
)

// ownName is what a choice of a program may be called: each has a variable of the
// environment.
var ownName = regexp.MustCompile(`^[a-z][a-z0-9_]{0,63}$`)

// checkOwn is the fault of a name for a choice of a program's own; nil if there is
// none.
func checkOwn(key string) error {
	switch {
	case !ownName.MatchString(key):
		return fmt.Errorf("%q: want small letters, digits and _, a letter first", key)
	case indexOf(key) >= 0 || choice(key) != nil:
		return fmt.Errorf("%q is the engine's own", key)
	}
	return nil
}

// Own is what the environment, or else the file at path, says of a program's
// choice, and which of the two; an empty source is neither.
func Own(chip Chip, key, path string) (v float64, source string, err error) {
	if err := checkOwn(key); err != nil {
		return 0, "", err
	}
	if text := os.Getenv(EnvVar(key)); text != "" {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return 0, "", fmt.Errorf("tuning: %s=%q: want a number", EnvVar(key), text)
		}
		return v, "environment " + EnvVar(key), nil
	}
	file, _, err := Read(path)
	if file == nil || err != nil {
		return 0, "", err
	}
	for _, id := range chip.ids() {
		if v, ok := file.Own[id][key]; ok {
			return v, fmt.Sprintf("file %s, %s", path, id), nil
		}
	}
	return 0, "", nil
}

// OwnOf lists the choices of programs that a file has for a chip.
func OwnOf(chip Chip, path string) []Value {
	file, _, err := Read(path)
	if file == nil || err != nil {
		return nil
	}
	var out []Value
	for _, id := range chip.ids() {
		for key, v := range file.Own[id] {
			if !slices.ContainsFunc(out, func(o Value) bool { return o.Key == key }) {
				out = append(out, Value{Key: key, Value: v, Source: fmt.Sprintf("file %s, %s", path, id)})
			}
		}
	}
	return out
}

// WriteOwn keeps a program's choice for a chip in the file at path.
func WriteOwn(path string, chip Chip, key string, v float64) error {
	return change(path, func(f *File) {
		id := chip.ids()[0]
		if f.Own[id] == nil {
			f.Own[id] = map[string]float64{}
		}
		f.Own[id][key] = v
	})
}
