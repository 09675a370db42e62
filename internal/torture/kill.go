//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/audio/npz"
	"github.com/twiddle-go/twiddle/audio/safetensors"
	"github.com/twiddle-go/twiddle/audio/wav"
)

// kill ends every verb that writes, in the middle: by Ctrl-C and by kill -9, at
// random times, over files that are there already. What is there afterwards is the
// old file or a whole new one.
func (t *torture) kill() (string, []string) {
	verbs, err := t.verbs()
	if err != nil {
		return "", []string{err.Error()}
	}
	trials := 20
	if t.quick {
		trials = 4
	}
	rng := rand.New(rand.NewPCG(t.seed, 12))
	var failures []string
	written, ended, early := 0, 0, 0
	slowest := time.Duration(0)
	for _, verb := range append(verbs, record) {
		outs := places(verb, true)
		if verb == record && strings.Contains(record, t.only) {
			outs = []string{"out.wav"}
		}
		if len(outs) == 0 {
			continue
		}
		written++
		whole, err := t.whole(verb)
		if err != nil {
			failures = append(failures, err.Error())
			continue
		}
		for i := range trials {
			signal := syscall.SIGINT
			if i%2 == 1 {
				signal = syscall.SIGKILL
			}
			// Files are written at the end: half of the ends are near it.
			at := time.Duration(rng.Float64() * float64(whole))
			if i%4 < 2 {
				at = time.Duration((0.7 + 0.4*rng.Float64()) * float64(whole))
			}
			p, wrong := t.endAt(verb, outs, at, signal)
			failures = append(failures, wrong...)
			if p != nil && p.interrupted {
				ended++
				if signal == syscall.SIGINT {
					slowest = max(slowest, p.after)
				}
			} else {
				early++
			}
			if len(failures) > mostFailures {
				return "stopped early", failures
			}
		}
	}
	return fmt.Sprintf("%d verbs that write, %d ends in the middle, %d runs that were done before, gone within %d ms of Ctrl-C", written, ended, early, slowest.Milliseconds()), failures
}

// record is the verb that writes as long as something arrives.
const record = "view -"

// whole is how long a verb takes that nobody ends.
func (t *torture) whole(verb string) (time.Duration, error) {
	if verb == record {
		return 2 * time.Second, nil // which never ends
	}
	folder, err := os.MkdirTemp(t.work, "run-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(folder)
	args, err := t.command(verb, folder, nil)
	if err != nil {
		return 0, err
	}
	p, err := t.start(folder, 30*time.Second, syscall.SIGINT, args...)
	if err == nil && p.status != 0 && !p.interrupted {
		err = fmt.Errorf("twiddle %s: status %d: %s", shown(args), p.status, tail(p.err, 300))
	}
	return min(p.took, 10*time.Second), err
}

// endAt runs a verb over old files, ends it, and looks at what is there.
func (t *torture) endAt(verb string, outs []string, at time.Duration, signal syscall.Signal) (*process, []string) {
	folder, err := os.MkdirTemp(t.work, "run-")
	if err != nil {
		return nil, []string{err.Error()}
	}
	defer os.RemoveAll(folder)
	for _, out := range outs {
		if filepath.Ext(out) == "" {
			continue // a folder
		}
		if err := os.WriteFile(filepath.Join(folder, out), []byte(old), 0o600); err != nil {
			return nil, []string{err.Error()}
		}
	}
	var args []string
	var p *process
	if verb == record {
		args = []string{"view", "-", "--no-open", "--raw", "int16", "--fs", "48000", "--record", filepath.Join(folder, "out.wav")}
		p, err = t.startWith(arriving{}, folder, at, signal, args...)
	} else {
		if args, err = t.command(verb, folder, nil); err == nil {
			p, err = t.start(folder, at, signal, args...)
		}
	}
	if err != nil {
		return p, []string{err.Error()}
	}
	var wrong []string
	if signal == syscall.SIGINT {
		wrong = p.wrong()
	}
	left := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
			return err
		case strings.HasPrefix(d.Name(), ".new-") && signal == syscall.SIGKILL:
		case strings.HasPrefix(d.Name(), ".new-"):
			wrong = append(wrong, fmt.Sprintf("twiddle %s: after Ctrl-C, %s is left", shown(args), d.Name()))
		default:
			if fault := half(path); fault != nil {
				wrong = append(wrong, fmt.Sprintf("twiddle %s: after %v at %s, %s is no whole file: %v", shown(args), signal, at.Round(time.Millisecond), d.Name(), fault))
			}
		}
		return nil
	})
	if left != nil {
		wrong = append(wrong, left.Error())
	}
	return p, wrong
}

// half says what is missing of a file; it may also be one that was there before.
func half(path string) error {
	data, err := os.ReadFile(path)
	if err != nil || string(data) == old {
		return err
	}
	switch filepath.Ext(path) {
	case ".npy":
		_, err = npy.ReadFile(path)
	case ".npz":
		z, opened := npz.Open(path)
		if opened != nil {
			return opened
		}
		for _, name := range z.Names() {
			if _, err = z.Read(name); err != nil {
				break
			}
		}
		_ = z.Close()
	case ".wav":
		f, opened := wav.Open(path)
		if opened != nil {
			return opened
		}
		_ = f.Close()
	case ".safetensors", ".checkpoint":
		_, err = safetensors.ReadFile(path)
	case ".json":
		if !json.Valid(data) {
			return fmt.Errorf("%d bytes that are no JSON", len(data))
		}
	case ".png":
		if !bytes.HasPrefix(data, []byte("\x89PNG")) || !bytes.HasSuffix(data, []byte("IEND\xaeB`\x82")) {
			return fmt.Errorf("%d bytes that are no PNG", len(data))
		}
	case ".html":
		if !bytes.HasSuffix(bytes.TrimSpace(data), []byte("</html>")) {
			return fmt.Errorf("%d bytes without an end", len(data))
		}
	default:
		return fmt.Errorf("torture does not know files that end in %q", filepath.Ext(path))
	}
	return err
}

// arriving is samples that come at the pace of a microphone, roughly, and never end.
type arriving struct{}

func (arriving) Read(p []byte) (int, error) {
	time.Sleep(time.Millisecond)
	return copy(p, make([]byte, 100)), nil
}
