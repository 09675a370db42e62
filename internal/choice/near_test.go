package choice

import "testing"

func TestNear(t *testing.T) {
	names := []string{"hann", "hamming", "kaiser_bessel_derived", "linear", "n-mels", "ax"}
	for typed, want := range map[string]string{
		"han": "hann", "Hann": "hann", "hanning": "hann", "haming": "hamming", "kaiser-bessel": "kaiser_bessel_derived", "linaer": "linear", "mels": "n-mels",
		"": "", "x": "", "ay": "", "boxcar": "", "median": "",
	} {
		if got := Near(typed, names); got != want {
			t.Errorf("%q is near %q, want %q", typed, got, want)
		}
	}
}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"bench", "bench", 0}, {"bnech", "bench", 1}, {"bnche", "bench", 2}, {"ben", "bench", 2}, {"demo", "dme", 2}} {
		if got := edits(c.a, c.b); got != c.want {
			t.Errorf("edits(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
