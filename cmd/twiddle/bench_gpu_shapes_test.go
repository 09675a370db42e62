package main

import (
	"reflect"
	"testing"
)

func TestParseShapes(t *testing.T) {
	got, err := parseShapes("512x512,16x20x3")
	if want := [][]int{{512, 512}, {16, 20, 3}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"", "512", "5y", "0x4", "-1x2", "2x2x2x2", "65536x65536", "512x512,"} {
		if got, err := parseShapes(bad); err == nil {
			t.Errorf("%q is %v", bad, got)
		}
	}
}
