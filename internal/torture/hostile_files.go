//go:build linux

package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// escape is a name and a text with what terminals and browsers act upon.
const escape = "\x1b]0;owned\x07\x1b[31m<script>alert(1)</script>&\r"

// hostileFiles writes files that are not what they say, and gives their names.
func (t *torture) hostileFiles() ([]string, error) {
	folder := filepath.Join(t.work, "hostile")
	if err := os.Mkdir(folder, 0o700); err != nil {
		return nil, err
	}
	var list []string
	path := func(name string) string {
		name = filepath.Join(folder, name)
		list = append(list, name)
		return name
	}
	texts := hostileTexts(t)
	for name, data := range texts {
		if err := os.WriteFile(path(name), data, 0o600); err != nil {
			return nil, err
		}
	}
	// Names that are no files, or never end.
	for _, err := range []error{
		os.Mkdir(path("folder.wav"), 0o700),
		syscall.Mkfifo(path("pipe.wav"), 0o600),
		syscall.Mkfifo(path("pipe.npy"), 0o600),
		os.Symlink(filepath.Join(folder, "loop.wav"), path("loop.wav")),
		os.Symlink("/nonexistent/x.wav", path("dangling.wav")),
		t.sparse(path("sparse.wav"), wavHeader(1, 2, 48000, 16, 0xffffffff, 0xffffffff), 10<<30),
		t.sparse(path("sparse.npy"), npyHeader("<f4", "(2684354560,)"), 10<<30),
		t.sparse(path("sparse.npz"), []byte("PK\x03\x04"), 10<<30),
		t.sparse(path("sparse.flac"), []byte("fLaC"), 10<<30),
		t.sparse(path("sparse.safetensors"), binary.LittleEndian.AppendUint64(nil, 8<<30), 10<<30),
		t.sparse(path("sparse.metal"), []byte("y[0] = 1;"), 10<<30),
		t.bomb(path("bomb.npz")),
	} {
		if err != nil {
			return nil, err
		}
	}
	return append(list, "/dev/null", "/dev/zero", "/dev/full", "/nonexistent/x.wav", "", strings.Repeat("x", 5000)+".wav", folder+"/\x1b[31mred.wav"), nil
}

// hostileTexts are the contents of files, by their names.
func hostileTexts(t *torture) map[string][]byte {
	rng := rand.New(rand.NewPCG(t.seed, 11))
	noise := make([]byte, 4096)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	files := map[string][]byte{
		"empty.wav": nil, "empty.npy": nil, "noise.wav": noise, "noise.bin": noise, "zeros.npy": make([]byte, 4096),
		"newline.npy": []byte("\x93NUMPY\x01\x00\n"), escape[:20] + ".wav": wavHeader(1, 1, 8000, 16, 44, 8),

		// Recordings that lie about themselves.
		"size.wav":     wavHeader(1, 2, 44100, 16, 0x7fffffff, 0x7fffffff),
		"none.wav":     wavHeader(1, 0, 44100, 16, 44, 8),
		"crowd.wav":    wavHeader(1, 65535, 44100, 16, 44, 8),
		"still.wav":    wavHeader(1, 1, 0, 16, 44, 8),
		"fast.wav":     wavHeader(1, 1, 0xffffffff, 16, 44, 8),
		"bits.wav":     wavHeader(1, 1, 44100, 17, 44, 8),
		"nobits.wav":   wavHeader(1, 1, 44100, 0, 44, 8),
		"codec.wav":    wavHeader(0x55, 1, 44100, 16, 44, 8),
		"rf64.wav":     append([]byte("RF64\xff\xff\xff\xffWAVEds64\x1c\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x7f\x00\x00\x00\x00"), wavHeader(1, 1, 44100, 16, 44, 0xffffffff)[12:]...),
		"chunk.wav":    []byte("RIFF\x24\x00\x00\x00WAVELIST\xff\xff\xff\xff"),
		"nan.wav":      append(wavHeader(3, 1, 8000, 32, 100, 64), bytes.Repeat([]byte{0, 0, 0xc0, 0x7f}, 16)...),
		"size.flac":    append([]byte("fLaC\x80\x00\x00\x22"), bytes.Repeat([]byte{0xff}, 34)...),
		"zeros.flac":   append([]byte("fLaC\x80\x00\x00\x22"), make([]byte, 3000)...),
		"block.flac":   []byte("fLaC\x04\xff\xff\xff"),
		"endless.flac": append([]byte("fLaC"), bytes.Repeat([]byte{1, 0, 0, 0}, 5000)...),

		// Arrays that do.
		"object.npy":           append(npyHeader("|O", "(3,)"), "cos\nsystem\n(S'touch owned'\ntR."...),
		"record.npy":           npyHeader("[('a', '<f4')]", "(3,)"),
		"huge.npy":             npyHeader("<f4", "(9223372036854775807,)"),
		"product.npy":          npyHeader("<f8", "(4294967296, 4294967296)"),
		"more.npy":             npyHeader("<f4", "(1000000000,)"),
		"minus.npy":            npyHeader("<f4", "(-1,)"),
		"minus2.npy":           npyHeader("<f4", "(-4, -4)"),
		"axes.npy":             npyHeader("<f4", "("+strings.Repeat("1,", 3000)+")"),
		"deep.npy":             npyHeader("<f4", strings.Repeat("(", 30000)),
		"text.npy":             npyHeader("<U8", "(3,)"),
		"void.npy":             npyHeader("|V1000000000", "(1000000000,)"),
		"header.npy":           []byte("\x93NUMPY\x02\x00\xff\xff\xff\xff{'descr'"),
		"version.npy":          []byte("\x93NUMPY\x09\x00\x02\x00{}"),
		"none.npy":             npyHeader("<f4", "(0, 5)"),
		"scalar.npy":           append(npyHeader("<f4", "()"), 0, 0, 128, 63),
		"nan.npy":              append(npyHeader("<f4", "(16,)"), bytes.Repeat([]byte{0, 0, 0xc0, 0x7f}, 16)...),
		"inf.npy":              append(npyHeader("<f4", "(2, 8)"), bytes.Repeat([]byte{0, 0, 0x80, 0x7f}, 16)...),
		"bool.npy":             append(npyHeader("|b1", "(4,)"), 0, 1, 2, 255),
		"escape.npy":           npyHeader(escape, "(1,)"),
		"cut.npz":              []byte("PK\x03\x04"),
		"names.npz":            zipOf(map[string][]byte{"../../owned.npy": append(npyHeader("<f4", "(1,)"), 0, 0, 0, 0), escape + ".npy": append(npyHeader("<f4", "(1,)"), 0, 0, 0, 0)}),
		"object.npz":           zipOf(map[string][]byte{"x.npy": npyHeader("|O", "(3,)")}),
		"text.npz":             zipOf(map[string][]byte{"x.txt": []byte("hello")}),
		"nothing.npz":          zipOf(nil),
		"header.npz":           zipOf(map[string][]byte{"x.npy": npyHeader("<f4", "(1000000000,)")}),
		"length.safetensors":   binary.LittleEndian.AppendUint64(nil, 1<<63-1),
		"minus.safetensors":    binary.LittleEndian.AppendUint64(nil, 1<<64-1),
		"offsets.safetensors":  tensors(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,99999999999]}}`),
		"back.safetensors":     tensors(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}}`),
		"shape.safetensors":    tensors(`{"a":{"dtype":"F32","shape":[9223372036854775807,9223372036854775807],"data_offsets":[0,8]}}`),
		"deep.safetensors":     tensors(strings.Repeat(`{"a":`, 50000)),
		"metadata.safetensors": tensors(`{"__metadata__":{"n":"` + strings.Repeat("9", 100) + `","transform":"dft"},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`),
		"type.safetensors":     tensors(`{"a":{"dtype":"` + "\\u001b[31m" + `","shape":[2],"data_offsets":[0,8]}}`),

		// Kernels.
		"deep.metal":    []byte("y[0] = " + strings.Repeat("(", 100000) + "1;"),
		"loop.metal":    []byte("while (true) { y[0] = 1; }"),
		"outside.metal": []byte("y[4000000000] = x[-5];"),
		"escape.metal":  []byte(escape),
		"zero.metal":    []byte("int z = 0; y[0] = 1 / z;"),
		"open.metal":    []byte("for (int i = 0; i < 10; i++) { if (i) {"),
	}
	// Cut short everywhere that matters.
	for key, name := range t.inputs.files {
		data := bytesOf(name)
		for _, n := range []int{1, 7, 12, 30, 43, 60, 100, len(data) / 2, len(data) - 1} {
			if n < len(data) {
				files[fmt.Sprintf("cut-%s-%d%s", key, n, filepath.Ext(name))] = data[:n]
			}
		}
		// And damaged.
		for k := range 4 {
			spoilt := bytes.Clone(data)
			for range 5 {
				spoilt[rng.IntN(min(len(spoilt), 300))] ^= byte(1 + rng.IntN(255))
			}
			files[fmt.Sprintf("spoilt-%s-%d%s", key, k, filepath.Ext(name))] = spoilt
		}
	}
	return files
}

// wavHeader is that of a WAV file, with eight bytes of samples.
func wavHeader(codec, channels uint16, rate uint32, bits uint16, riff, data uint32) []byte {
	le := binary.LittleEndian
	b := le.AppendUint32([]byte("RIFF"), riff)
	b = le.AppendUint32(append(b, "WAVEfmt "...), 16)
	b = le.AppendUint16(le.AppendUint16(b, codec), channels)
	frame := channels * bits / 8
	b = le.AppendUint32(le.AppendUint32(b, rate), rate*uint32(frame))
	b = le.AppendUint16(le.AppendUint16(b, frame), bits)
	b = le.AppendUint32(append(b, "data"...), data)
	return append(b, 0, 1, 0, 2, 0, 3, 0, 4)
}

func npyHeader(descr, shape string) []byte {
	if !strings.HasPrefix(descr, "[") {
		descr = "'" + descr + "'"
	}
	text := fmt.Sprintf("{'descr': %s, 'fortran_order': False, 'shape': %s, }\n", descr, shape)
	return append(binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(text))), text...)
}

func tensors(header string) []byte {
	return append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header+"12345678"...)
}

func zipOf(files map[string][]byte) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, data := range files {
		if w, err := z.Create(name); err == nil {
			_, _ = w.Write(data)
		}
	}
	_ = z.Close()
	return b.Bytes()
}

// sparse writes a file that is larger than the disk would hold: nothing after its
// beginning takes room.
func (t *torture) sparse(name string, head []byte, size int64) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if _, err = f.Write(head); err == nil {
		err = f.Truncate(size)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// bomb writes an archive of a megabyte with an array of a few gigabytes, all of it
// really there.
func (t *torture) bomb(name string) error {
	size := int64(4 << 30)
	if t.quick {
		size = 2 << 30 // twice what the command is told it has
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	z := zip.NewWriter(f)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	w, err := z.Create("x.npy")
	if err == nil {
		_, err = w.Write(npyHeader("<f4", fmt.Sprintf("(%d,)", size/4)))
	}
	zeros := make([]byte, 1<<20)
	for n := int64(0); n < size && err == nil; n += int64(len(zeros)) {
		_, err = w.Write(zeros)
	}
	if err == nil {
		err = z.Close()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
