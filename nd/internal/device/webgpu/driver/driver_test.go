package driver

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"
)

const double = `
@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) at: vec3<u32>) { y[at.x] = 2u * x[at.x]; }
`

// The whole way: adapter, device, shader, launch and back.
func TestDouble(t *testing.T) {
	l, err := Open()
	if err != nil {
		t.Skip(err)
	}
	for _, a := range l.Adapters() {
		t.Run(a.Name, func(t *testing.T) {
			d, err := a.Open()
			if err != nil {
				t.Fatal(err)
			}
			defer d.Release()
			defer d.Destroy()
			const n = 1024
			var in []byte
			for i := range n {
				in = binary.LittleEndian.AppendUint32(in, uint32(i))
			}
			x, err := d.NewBuffer(4*n, Storage|CopyDst)
			if err != nil {
				t.Fatal(err)
			}
			y, _ := d.NewBuffer(4*n, Storage|CopySrc)
			out, _ := d.NewBuffer(4*n, MapRead|CopyDst)
			p, err := d.Compile(double, "main", []bool{false, true})
			if err != nil {
				t.Fatal(err)
			}
			d.Write(x, 0, in)
			c := d.Commands()
			c.Dispatch(p, []Binding{{x, 0, 4 * n}, {y, 0, 4 * n}}, [3]int{n / 64, 1, 1})
			c.Copy(out, 0, y, 0, 4*n)
			done := false
			c.Submit(func() { done = true })
			var got []byte
			d.Map(out, 4*n, func(b []byte) { got = bytes.Clone(b) })
			for start := time.Now(); (!done || got == nil) && time.Since(start) < time.Minute; {
				d.Poll()
			}
			if d.Failure() != nil || len(got) != 4*n || binary.LittleEndian.Uint32(got[4*700:]) != 1400 {
				t.Errorf("done %v, %d bytes, %v", done, len(got), d.Failure())
			}
		})
	}
}

// What a library refuses is an error, not the end of the process.
func TestRefused(t *testing.T) {
	l, err := Open()
	if err != nil {
		t.Skip(err)
	}
	for _, a := range l.Adapters() {
		d, err := a.Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.Compile("fn main( {", "main", nil); err == nil {
			t.Error("a shader that is none was compiled")
		}
		if _, err := d.Compile(double, "nothing", []bool{false, true}); err == nil {
			t.Error("an entry that is not there was found")
		}
		exp2 := func(n int) int { return 1 << n } // constants would be too large for ints of 32 bits
		if _, err := d.NewBuffer(exp2(45), Storage); err == nil {
			t.Error("a buffer of 32 TiB was given")
		}
		d.Destroy()
		d.Poll()
		if d.Lost() == "" {
			t.Error("a device that was destroyed is not lost")
		}
		d.Release()
	}
}
