package picture_test

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/picture"
)

func TestThereAndBack(t *testing.T) {
	for _, shape := range [][]int{{5, 7}, {5, 7, 3}, {5, 7, 4}} {
		n := 1
		for _, d := range shape {
			n *= d
		}
		v := make([]uint8, n)
		for i := range v {
			v[i] = uint8(i * 3)
		}
		name := filepath.Join(t.TempDir(), "a.png")
		if err := picture.Save(t.Context(), name, nd.From(v, shape...)); err != nil {
			t.Fatal(err)
		}
		x, err := picture.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := nd.Slice[float32](t.Context(), x)
		if err != nil || fmt.Sprint(x.Shape()) != fmt.Sprint(shape) {
			t.Fatalf("shape %v, want %v, %v", x.Shape(), shape, err)
		}
		for i, p := range got {
			if math.Abs(float64(p)*255-float64(v[i])) > 1e-3 {
				t.Fatalf("%v: element %d is %v, want %v/255", shape, i, p, v[i])
			}
		}
	}
}

func TestJPEG(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.jpg")
	if err := picture.Save(t.Context(), name, nd.Full(0.5, nd.Float64, 32, 32, 3)); err != nil {
		t.Fatal(err)
	}
	x, err := picture.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	if mean, err := nd.Item[float32](t.Context(), x.Mean()); err != nil || math.Abs(float64(mean)-0.5) > 0.01 {
		t.Errorf("%v, %v", mean, err)
	}
}

// What is outside 0 to 1 is clipped, and NaN is black.
func TestClipping(t *testing.T) {
	img, err := picture.ToImage(t.Context(), nd.From([]float32{-1, 0.5, 2, float32(math.NaN())}, 2, 2))
	if err != nil {
		t.Fatal(err)
	}
	if g := img.(*image.Gray).Pix; fmt.Sprint(g) != "[0 128 255 0]" {
		t.Error(g)
	}
}

func TestErrors(t *testing.T) {
	ctx, dir := t.Context(), t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "bad.png"), []byte("no picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bad.png", "none.png"} {
		if _, err := picture.Load(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for name, x := range map[string]*nd.Array{"nil": nil, "line": nd.Ones(nd.Float32, 4), "channels": nd.Ones(nd.Float32, 4, 4, 2), "complex": nd.Ones(nd.Complex64, 4, 4), "empty": nd.Ones(nd.Float32, 0, 4), "error": nd.Ones(nd.Float32, 4).Reshape(3)} {
		if err := picture.Save(ctx, filepath.Join(dir, "x.png"), x); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := picture.Save(ctx, filepath.Join(dir, "x.bmp"), nd.Ones(nd.Float32, 2, 2)); err == nil {
		t.Error("bmp: no error")
	}
}

func ExampleFromImage() {
	img := image.NewRGBA(image.Rect(0, 0, 2, 1))
	img.Set(0, 0, color.RGBA{255, 0, 0, 255})
	img.Set(1, 0, color.RGBA{0, 0, 255, 255})
	x := picture.FromImage(img)
	grey, err := nd.Slice[float32](context.Background(), x.Mean(-1))
	if err != nil {
		panic(err)
	}
	fmt.Printf("%v %.2f\n", x.Shape(), grey)
	// Output: [1 2 3] [0.33 0.33]
}
