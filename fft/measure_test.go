package fft

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/internal/simd"
)

// forget empties what the process remembers, before and after a test.
func forget(t *testing.T) {
	remembered.recipes = nil
	t.Cleanup(func() { remembered.recipes = nil })
}

func TestMeasureIsRemembered(t *testing.T) {
	forget(t)
	file := filepath.Join(t.TempDir(), "wisdom")
	o := MeasureOptions{Wisdom: file, Candidates: 3, Time: time.Millisecond}
	m, err := Measure[complex64](360, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Tried) == 0 || len(m.Tried) > 3 {
		t.Fatalf("tried %v", m.Tried)
	}
	best := m.Tried[0]
	for _, c := range m.Tried {
		if !(c.Nanoseconds > 0) {
			t.Errorf("%s took %v ns", c.Recipe, c.Nanoseconds)
		}
		if c.Nanoseconds < best.Nanoseconds {
			best = c
		}
	}
	if m.Recipe != best.Recipe {
		t.Errorf("picked %s, the fastest was %s", m.Recipe, best.Recipe)
	}
	again, err := Measure[complex64](360, o)
	if err != nil || again.Recipe != m.Recipe || len(again.Tried) != 0 {
		t.Errorf("from the file: %+v, %v; want %s", again, err, m.Recipe)
	}
	if _, err := Measure[complex128](12, o); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(file)
	if err != nil || strings.Count(string(content), "\n") != 3 {
		t.Errorf("wisdom of two measurements, %v:\n%s", err, content)
	}
	// Plans use what was measured, here and in a process that loads it.
	for _, prepare := range []func() error{
		func() error { return nil },
		func() error { remembered.recipes = nil; return LoadWisdom(file) },
	} {
		if err := prepare(); err != nil {
			t.Fatal(err)
		}
		p, err := NewPlan[complex64](360)
		if err != nil || p.Recipe() != m.Recipe {
			t.Errorf("plan uses %s, %v; measured %s", p.Recipe(), err, m.Recipe)
		}
	}
}

// What is remembered changes plans: a recipe that the model would not pick.
func TestWisdomOverridesTheModel(t *testing.T) {
	forget(t)
	usual, err := ChooseRecipe[complex64](12)
	if err != nil {
		t.Fatal(err)
	}
	odd := "mixed 2.2.3"
	if usual == odd {
		t.Fatalf("the model picks %s itself", odd)
	}
	file := filepath.Join(t.TempDir(), "wisdom")
	r, err := recipe.Parse(odd)
	if err != nil {
		t.Fatal(err)
	}
	if err := saveWisdom(file, wisdomKeyOf[complex64](12, simd.Active()), r); err != nil {
		t.Fatal(err)
	}
	if err := LoadWisdom(file); err != nil {
		t.Fatal(err)
	}
	if got, err := ChooseRecipe[complex64](12); err != nil || got != odd {
		t.Errorf("complex64 uses %s, %v; want %s", got, err, odd)
	}
	if got, err := ChooseRecipe[complex128](12); err != nil || got == odd {
		t.Errorf("complex128 uses %s, %v: measured for complex64 only", got, err)
	}
	p, err := NewPlan[complex128](12, Options{Recipe: odd})
	if err != nil || p.Recipe() != odd {
		t.Errorf("asked for %s, got %s, %v", odd, p.Recipe(), err)
	}
}

func TestBadWisdom(t *testing.T) {
	forget(t)
	file := filepath.Join(t.TempDir(), "wisdom")
	for name, content := range map[string]string{
		"empty":       "",
		"other title": "fftw wisdom\n",
		"few fields":  wisdomTitle + "\navx2 32 8\n",
		"level":       wisdomTitle + "\nmmx 32 12 mixed 4.3\n",
		"bits":        wisdomTitle + "\navx2 16 12 mixed 4.3\n",
		"length":      wisdomTitle + "\navx2 32 x mixed 4.3\n",
		"recipe":      wisdomTitle + "\navx2 32 12 nonsense\n",
		"other n":     wisdomTitle + "\navx2 32 13 mixed 4.3\n",
	} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		wantError(t, name, LoadWisdom(file), "wisdom")
		_, err := Measure[complex64](12, MeasureOptions{Wisdom: file})
		wantError(t, name, err, "wisdom")
		if kept, _ := os.ReadFile(file); string(kept) != content {
			t.Errorf("%s: a file that is not ours was changed", name)
		}
		if len(remembered.recipes) != 0 {
			t.Errorf("%s: something was remembered", name)
		}
	}
	wantError(t, "missing", LoadWisdom(file+".missing"), "wisdom")
	_, err := RecipeTree("nonsense")
	wantError(t, "tree", err, "recipe tree")
	_, err = ChooseRecipe[complex64](0)
	wantError(t, "choose", err, "want at least 1")
}

func FuzzWisdom(f *testing.F) {
	f.Add(wisdomTitle + "\navx2 32 12 mixed 4.3\nportable 64 1009 rader 1009 (mixed 16.9.7)\n")
	f.Add(wisdomTitle + "\navx2 32 99999999999999999999 mixed 4.3\n")
	f.Fuzz(func(t *testing.T, content string) {
		recipes, err := readWisdom(strings.NewReader(content))
		if err != nil {
			return
		}
		for key, r := range recipes {
			if err := r.Validate(); err != nil || r.N != key.n {
				t.Errorf("accepted %v for %+v: %v", r, key, err)
			}
		}
	})
}
