// Package picture reads images as arrays and writes arrays as images.
//
//	x, err := picture.Load("photo.jpg")          // (height, width, 3), 0 to 1
//	err = picture.Save(ctx, "blurred.png", y)
//
// Charts with axes are in package chart.
package picture

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/gif" // decodes
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/twiddle-go/twiddle/internal/replace"
	"github.com/twiddle-go/twiddle/nd"
)

// Load reads a PNG, JPEG or GIF file, as FromImage gives it.
func Load(name string) (*nd.Array, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("picture: %w", err)
	}
	defer f.Close()
	// A header may promise anything: look before memory is taken.
	in := bufio.NewReader(f)
	config, _, err := image.DecodeConfig(in)
	if err != nil {
		return nil, fmt.Errorf("picture: load: %w (%s)", err, name)
	}
	if int64(config.Width)*int64(config.Height) > mostPixels {
		return nil, fmt.Errorf("picture: load: %d x %d pixels: want at most %d (%s)", config.Width, config.Height, mostPixels, name)
	}
	if _, err := f.Seek(0, 0); err != nil {
		return nil, fmt.Errorf("picture: load: %w", err)
	}
	in.Reset(f)
	img, _, err := image.Decode(in)
	if err != nil {
		return nil, fmt.Errorf("picture: load: %w (%s)", err, name)
	}
	x := FromImage(img)
	return x, x.Err()
}

const mostPixels = 1 << 28

// FromImage is the pixels as float32 from 0 to 1: of shape (height, width) if the image
// is grey, (height, width, 3) in colours, and (height, width, 4) if any pixel is not
// opaque. Colours are as they are stored, and not multiplied by their opacity.
func FromImage(img image.Image) *nd.Array {
	b := img.Bounds()
	h, w := b.Dy(), b.Dx()
	channels := 3
	switch img.(type) {
	case *image.Gray, *image.Gray16:
		channels = 1
	default:
		if o, ok := img.(interface{ Opaque() bool }); !ok || !o.Opaque() {
			channels = 4
		}
	}
	out := make([]float32, 0, h*w*channels)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := plain(img.At(x, y))
			for _, v := range []uint16{c.R, c.G, c.B, c.A}[:channels] {
				out = append(out, float32(v)/math.MaxUint16)
			}
		}
	}
	if channels == 1 {
		return nd.From(out, h, w)
	}
	return nd.From(out, h, w, channels)
}

// plain is a colour not multiplied by its opacity. What is stored so does not go through
// a product and a quotient, which would round it.
func plain(c color.Color) color.NRGBA64 {
	if n, ok := c.(color.NRGBA); ok {
		wide := func(v uint8) uint16 { return uint16(v) * 0x101 }
		return color.NRGBA64{R: wide(n.R), G: wide(n.G), B: wide(n.B), A: wide(n.A)}
	}
	return color.NRGBA64Model.Convert(c).(color.NRGBA64)
}

// Save computes an array and writes it as an image, with what is below 0 or above 1
// clipped. The name says the format: .png, .jpg or .jpeg.
func Save(ctx context.Context, name string, x *nd.Array) error {
	ext := strings.ToLower(filepath.Ext(name))
	if ext != ".png" && ext != ".jpg" && ext != ".jpeg" {
		return fmt.Errorf("picture: save: %q: want a name that ends in .png, .jpg or .jpeg", name)
	}
	img, err := ToImage(ctx, x)
	if err != nil {
		return err
	}
	err = replace.File(name, func(f *os.File) error {
		if ext == ".png" {
			return png.Encode(f, img)
		}
		return jpeg.Encode(f, img, &jpeg.Options{Quality: 95})
	})
	if err != nil {
		return fmt.Errorf("picture: save: %w", err)
	}
	return nil
}

// ToImage computes an array of a shape that FromImage gives, or (height, width, 1), with
// floats from 0 to 1, bytes or bools.
func ToImage(ctx context.Context, x *nd.Array) (image.Image, error) {
	if x == nil {
		return nil, errors.New("picture: nil Array")
	}
	if err := x.Err(); err != nil {
		return nil, err
	}
	channels := 1
	if x.NDim() == 3 {
		channels = x.Dim(2)
	}
	if x.NDim() < 2 || x.NDim() > 3 || channels != 1 && channels != 3 && channels != 4 || x.Len() == 0 {
		return nil, fmt.Errorf("picture: shape %v: want (height, width), or (height, width, 1, 3 or 4)", x.Shape())
	}
	switch t := x.DType(); {
	case t == nd.Uint8:
		x = x.Cast(nd.Float32).DivScalar(255)
	case t.IsFloat() || t == nd.Bool:
		x = x.Cast(nd.Float32)
	default:
		return nil, fmt.Errorf("picture: pixels are %s: want floats, uint8 or bool", t)
	}
	v, err := nd.Slice[float32](ctx, x)
	if err != nil {
		return nil, err
	}
	h, w := x.Dim(0), x.Dim(1)
	if channels == 1 {
		img := image.NewGray(image.Rect(0, 0, w, h))
		for i, p := range v {
			img.Pix[i] = level(p)
		}
		return img, nil
	}
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range h * w {
		pixel := img.Pix[4*i : 4*i+4]
		pixel[3] = 255
		for c, p := range v[i*channels : (i+1)*channels] {
			pixel[c] = level(p)
		}
	}
	return img, nil
}

// level is a byte; of NaN it is 0.
func level(v float32) uint8 {
	if !(v > 0) {
		return 0
	}
	return uint8(min(v, 1)*255 + 0.5)
}
