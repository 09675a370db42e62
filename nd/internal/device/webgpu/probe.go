package webgpu

import (
	"context"
	"encoding/binary"
	"errors"
	"time"

	"github.com/twiddle-go/twiddle/internal/ktree/printer"
	"github.com/twiddle-go/twiddle/nd/internal/device/webgpu/driver"
)

// probeSubgroups finds how large subgroups are: neighbours of a group, in order, as many
// in each. It is 0 if they are otherwise, or cannot be used.
func (d *Device) probeSubgroups() int {
	data, err := d.probe(printer.SubgroupProbe(d.gpu.IsDawn()), 4*printer.ProbeThreads)
	if err != nil {
		return 0
	}
	return subgroupOf(data)
}

// probeHalves finds whether floats of 16 bits are stored as they should.
func (d *Device) probeHalves() bool {
	data, err := d.probe(printer.HalfProbe, 4)
	return err == nil && binary.LittleEndian.Uint32(data) == 0xC0003C00
}

// probeContraction finds whether the compiler joins products and sums. If that cannot be
// found out, it may.
func (d *Device) probeContraction() bool {
	data, err := d.probe(printer.ContractionProbe, 4)
	return err != nil || binary.LittleEndian.Uint32(data) != 0
}

// probe runs one group of a shader, main, and gives the bytes that it wrote.
func (d *Device) probe(text string, bytes int) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, err := d.gpu.Compile(text, "main", []bool{true})
	if err != nil {
		return nil, err
	}
	defer d.gpu.FreePipeline(p)
	y, err := d.take(bytes, driver.Storage|driver.CopySrc)
	if err != nil {
		return nil, err
	}
	defer d.gpu.FreeBuffer(y)
	d.batch().Dispatch(p, []driver.Binding{{Buffer: y, Bytes: bytes}}, [3]int{1, 1, 1})
	r, err := d.fetch(&buffer{dev: d, bytes: bytes, at: y}, 0, bytes)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	d.mu.Unlock()
	err = d.WaitFor(ctx, r.seq)
	d.mu.Lock()
	data, failed := d.arrived(r)
	return data, errors.Join(err, failed)
}

// subgroupOf reads what the probe wrote.
func subgroupOf(data []byte) int {
	size := int(binary.LittleEndian.Uint16(data))
	if size < 2 || size&(size-1) != 0 {
		return 0
	}
	for i := range len(data) / 4 {
		if int(binary.LittleEndian.Uint16(data[4*i:])) != size || int(binary.LittleEndian.Uint16(data[4*i+2:])) != i%size {
			return 0
		}
	}
	return size
}
