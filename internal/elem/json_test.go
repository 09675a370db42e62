package elem

import (
	"encoding/json"
	"testing"
)

// A list of types is a list of names in JSON.
func TestTypesInJSON(t *testing.T) {
	got, err := json.Marshal([]Type{Float32, Complex64, Bool})
	if want := `["float32","complex64","bool"]`; err != nil || string(got) != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}
