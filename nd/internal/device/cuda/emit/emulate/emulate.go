package emulate

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

//go:embed cuda.h
var header string

//go:embed main.h
var footer string

// Available says why there can be no emulation here, if so.
func Available() error {
	if runtime.GOOS != "linux" {
		return errors.New("emulate: fibers are only made for Linux here")
	}
	if _, err := exec.LookPath("g++"); err != nil {
		return errors.New("emulate: no g++ here")
	}
	return nil
}

// Run launches a module on host memory. It returns what the fault cell holds
// afterwards.
func Run(m *emit.Module, reads, writes [][]byte, args []scalar.Arg) (cell [4]uint64, err error) {
	if len(m.Steps) == 0 {
		return cell, nil
	}
	program, err := build(m)
	if err != nil {
		return cell, err
	}
	var in bytes.Buffer
	word := func(v uint64) { in.Write(binary.LittleEndian.AppendUint64(nil, v)) }

	// Buffers: reads, writes, scratch, tables, the fault cell. One that is bound
	// several times is there once.
	memory := append(append([][]byte(nil), reads...), writes...)
	place := make([]int, len(memory))
	for i, b := range memory {
		place[i] = i
		for j, other := range memory[:i] {
			if len(b) > 0 && len(other) > 0 && &b[0] == &other[0] {
				place[i] = j
				break
			}
		}
	}
	scratch := len(memory)
	for _, n := range m.Scratch {
		memory = append(memory, bytes.Repeat([]byte{0xd7}, n))
	}
	tables := len(memory)
	for _, t := range m.Tables {
		memory = append(memory, t.Data())
	}
	fault := len(memory)
	memory = append(memory, make([]byte, 32))

	word(uint64(len(memory)))
	for _, b := range memory {
		word(uint64(len(b)))
		in.Write(b)
	}
	word(uint64(len(m.Steps)))
	for _, s := range m.Steps {
		word(uint64(len(s.Entry)))
		in.WriteString(s.Entry)
		for _, n := range append(s.Grid[:], s.Block[:]...) {
			word(uint64(n))
		}
		word(uint64(len(s.Params)))
		for _, p := range s.Params {
			kind, v := uint64(1), [2]uint64{}
			switch p.Kind {
			case emit.ReadPointer:
				v[0] = uint64(place[p.Index])
			case emit.WritePointer:
				v[0] = uint64(place[len(reads)+p.Index])
			case emit.ScratchPointer:
				v[0] = uint64(scratch + p.Index)
			case emit.TablePointer:
				v[0] = uint64(tables + p.Index)
			case emit.FaultCell:
				v[0] = uint64(fault)
			case emit.Number:
				kind, v[0] = 0, uint64(p.Value)
			case emit.Argument:
				kind, v = 0, args[p.Index]
			}
			word(kind)
			word(v[0])
			word(v[1])
		}
	}
	cmd := exec.Command(program)
	cmd.Stdin = &in
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	if err := cmd.Run(); err != nil {
		return cell, fmt.Errorf("emulate: %w: %s", err, log.String())
	}
	for i, b := range memory {
		part := out.Next(len(b))
		if i < scratch && place[i] == i {
			copy(b, part)
		}
		if i == fault {
			for k := range cell {
				cell[k] = binary.LittleEndian.Uint64(part[8*k:])
			}
		}
	}
	return cell, nil
}

var (
	entryName = regexp.MustCompile(`extern "C" __global__ void (?:__launch_bounds__\([^)]*\) )?(\w+)\(`)
	inPTX     = regexp.MustCompile(`(?m)^(template <[^>]*> )?TW .*\basm\b.*\n`)
	dynamic   = regexp.MustCompile(`extern __shared__ __align__\(\d+\) (.+) (\w+)\[\];`)
	waits     = regexp.MustCompile(`__(sync|shfl|ballot)|shuffle_|warp_m`)

	building sync.Map // by program: a lock
)

// build compiles a module's text, once for all processes of this user.
func build(m *emit.Module) (string, error) {
	var b strings.Builder
	if !waits.MatchString(m.Text) {
		b.WriteString("#define EMU_ALONE\n")
	}
	b.WriteString(header)
	b.WriteString(dynamic.ReplaceAllString(inPTX.ReplaceAllString(m.Text, ""), "$1* const $2 = ($1*)emu::dynamic;"))
	b.WriteString("#define EMU_ENTRIES ")
	for _, e := range entryName.FindAllStringSubmatch(m.Text, -1) {
		fmt.Fprintf(&b, "if (!strcmp(name, \"%s\")) emu_entry = []{ emu_call(%s, emu_params); }; ", e[1], e[1])
	}
	b.WriteString("\n")
	b.WriteString(footer)
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("twiddle-emulate-%d", os.Getuid()))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	program := filepath.Join(dir, fmt.Sprintf("%x", sha256.Sum256([]byte(b.String()))))
	lock, _ := building.LoadOrStore(program, &sync.Mutex{})
	lock.(*sync.Mutex).Lock()
	defer lock.(*sync.Mutex).Unlock()
	if _, err := os.Stat(program); err == nil {
		return program, nil
	}
	source := fmt.Sprintf("%s.%d.cpp", program, os.Getpid())
	defer os.Remove(source)
	if err := os.WriteFile(source, []byte(b.String()), 0o644); err != nil {
		return "", err
	}
	made := fmt.Sprintf("%s.%d", program, os.Getpid())
	cmd := exec.Command("g++", "-O1", "-std=c++17", "-w", "-fwrapv", "-ffp-contract=off", "-fno-strict-aliasing", "-o", made, source)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("emulate: %w: %s", err, out)
	}
	return program, os.Rename(made, program)
}
