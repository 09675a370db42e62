package elem

import (
	"encoding/json"
	"slices"
	"testing"
)

// A list of types is a list of names in JSON, there and back.
func TestTypesInJSON(t *testing.T) {
	got, err := json.Marshal([]Type{Float32, Complex64, Bool})
	if want := `["float32","complex64","bool"]`; err != nil || string(got) != want {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
	var back []Type
	if err := json.Unmarshal(got, &back); err != nil || !slices.Equal(back, []Type{Float32, Complex64, Bool}) {
		t.Errorf("%v, %v", back, err)
	}
	if err := json.Unmarshal([]byte(`["float33"]`), &back); err == nil {
		t.Error("float33 is a type")
	}
}
