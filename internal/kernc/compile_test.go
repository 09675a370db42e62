package kernc

import (
	"strings"
	"sync"
	"testing"

	"github.com/twiddle-go/twiddle/internal/elem"
)

func spec(body string) Spec {
	return Spec{Name: "k", Inputs: []Operand{{"a", elem.Float32}}, Outputs: []Operand{{"y", elem.Float32}}, Source: body}
}

func forget() {
	cache.Lock()
	defer cache.Unlock()
	cache.units = nil
}

// The same kernel is compiled once; anything that differs makes it another.
func TestCacheIsByContent(t *testing.T) {
	forget()
	base := spec("y[thread_position_in_grid.x] = a[0];")
	first, err := Compile(base)
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := Compile(base); again != first {
		t.Error("compiled twice")
	}
	changes := map[string]func(*Spec){
		"source":   func(s *Spec) { s.Source = "y[thread_position_in_grid.x] = a[1];" },
		"header":   func(s *Spec) { s.Header = "constant int N = 1;" },
		"dtype":    func(s *Spec) { s.Inputs = []Operand{{"a", elem.Float16}} },
		"output":   func(s *Spec) { s.Outputs = []Operand{{"y", elem.Float64}} },
		"template": func(s *Spec) { s.Template = []Constant{{Name: "N", Int: 4}} },
		"value":    func(s *Spec) { s.Template = []Constant{{Name: "N", Int: 5}} },
		"type":     func(s *Spec) { s.Template = []Constant{{Name: "N", Type: elem.Float16}} },
		"bool":     func(s *Spec) { s.Template = []Constant{{Name: "N", Int: 4, IsBool: true}} },
		"name":     func(s *Spec) { s.Name = "other" },
		"cuda":     func(s *Spec) { s.CUDA = "x" },
		"file":     func(s *Spec) { s.SourceFile = "f" },
		"input":    func(s *Spec) { s.Inputs = append(s.Inputs, Operand{"b", elem.Float32}) },
	}
	units := map[*Unit]string{first: "base"}
	for name, change := range changes {
		s := base
		change(&s)
		u, err := Compile(s)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if other, seen := units[u]; seen {
			t.Errorf("%s gave the unit of %s", name, other)
		}
		units[u] = name
	}
}

func TestCompileFromManyGoroutines(t *testing.T) {
	forget()
	var wg sync.WaitGroup
	var mu sync.Mutex
	units := map[*Unit]bool{}
	for range 16 {
		wg.Go(func() {
			u, err := Compile(spec("y[0] = a[0] + 1;"))
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			units[u] = true
			mu.Unlock()
		})
	}
	wg.Wait()
	if len(units) != 1 {
		t.Errorf("%d units", len(units))
	}
}

func TestForms(t *testing.T) {
	u, err := Compile(spec("y[thread_position_in_grid.x] = a[0];"))
	if err != nil {
		t.Fatal(err)
	}
	for form, want := range map[string]string{"metal": "kernel void k(", "cuda": "extern \"C\" __global__ void __launch_bounds__(8) k(", "wgsl": "@compute @workgroup_size(8, 1, 1)"} {
		if text, err := u.Text(form, [3]int{8, 1, 1}); err != nil || !strings.Contains(text, want) {
			t.Errorf("%s: %v\n%s", form, err, text)
		}
	}
	if _, err := u.Text("hlsl", [3]int{}); err == nil {
		t.Error("hlsl was printed")
	}
	raw, err := Compile(Spec{Name: "raw", Outputs: []Operand{{"y", elem.Float32}}, CUDA: "__global__ void raw() {}"})
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := raw.Text("cuda", [3]int{}); text != "__global__ void raw() {}" {
		t.Errorf("raw text became %q", text)
	}
	if _, err := raw.Flat(); err == nil {
		t.Error("a CUDA source ran on the CPU")
	}
}
