//go:build linux

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
)

// destination is where a verb is told to write, and what has to be true after it.
type destination struct {
	about string
	// make prepares the place for a name like the verb's own in a folder, and
	// gives the name to use instead.
	make func(folder, name string) (string, error)
	// refused says that the verb cannot succeed.
	refused bool
}

// old is what a file has before it is replaced.
const old = "this was here before\n"

func destinations(small string) []destination {
	list := []destination{
		{"/dev/full", func(_, _ string) (string, error) { return "/dev/full", nil }, true},
		{"a link to /dev/full", func(folder, name string) (string, error) {
			link := filepath.Join(folder, name)
			return link, os.Symlink("/dev/full", link)
		}, true},
		{"a folder that nobody can write", func(_, name string) (string, error) { return filepath.Join("/proc/self", name), nil }, true},
		{"a folder that is not there", func(folder, name string) (string, error) { return filepath.Join(folder, "a/b", name), nil }, false},
		{"a folder", func(folder, name string) (string, error) {
			at := filepath.Join(folder, "is-"+name)
			return at, os.Mkdir(at, 0o700)
		}, false},
		{"below a file", func(folder, name string) (string, error) {
			return filepath.Join(folder, "file", name), os.WriteFile(filepath.Join(folder, "file"), []byte(old), 0o600)
		}, true},
		{"a pipe that nobody reads", func(folder, name string) (string, error) {
			at := filepath.Join(folder, "pipe-"+name)
			return at, syscall.Mkfifo(at, 0o600)
		}, false},
		{"an empty name", func(_, _ string) (string, error) { return "", nil }, false},
		{"a name that is too long", func(folder, name string) (string, error) {
			return filepath.Join(folder, strings.Repeat("x", 300)+filepath.Ext(name)), nil
		}, true},
		{"a name with escapes", func(folder, name string) (string, error) {
			return filepath.Join(folder, "\x1b]0;owned\x07\x1b[31m\r"+name), nil
		}, false},
	}
	if small != "" {
		list = append(list, destination{"a disk that fills up", func(_, name string) (string, error) {
			at := filepath.Join(small, name)
			return at, os.WriteFile(at, []byte(old), 0o600)
		}, false})
	}
	return list
}

// outputs lets every verb that writes do so where it cannot, and over its input.
func (t *torture) outputs() (string, []string) {
	verbs, err := t.verbs()
	if err != nil {
		return "", []string{err.Error()}
	}
	small, unmount := t.smallDisk()
	defer unmount()
	var crew crew
	written := 0
	for _, verb := range verbs {
		for _, place := range places(verb, true) {
			written++
			for _, d := range destinations(small) {
				do := func(folder string) (*process, []string) { return t.writesTo(verb, place, d, folder) }
				if d.about == "a disk that fills up" { // one at a time
					folder, err := os.MkdirTemp(t.work, "run-")
					if err != nil {
						return "", []string{err.Error()}
					}
					crew.runs++
					_, wrong := do(folder)
					crew.fail(wrong...)
					_ = os.RemoveAll(folder)
					continue
				}
				crew.run(t, do)
			}
			for _, input := range places(verb, false) {
				crew.run(t, func(folder string) (*process, []string) { return t.overInput(verb, place, input, folder) })
			}
		}
	}
	crew.wait()
	did := fmt.Sprintf("%d outputs of verbs, %d kinds of places, %s", written, len(destinations(small))+1, crew.said())
	if small == "" {
		did += "; no disk that fills up (mounting one needs root)"
	}
	return did, crew.failures
}

// writesTo runs a verb with an output in a bad place: it succeeds, or fails
// and changes nothing.
func (t *torture) writesTo(verb, place string, d destination, folder string) (*process, []string) {
	// Other outputs of the verb go to a folder of their own.
	elsewhere := filepath.Join(folder, "others")
	if err := os.Mkdir(elsewhere, 0o700); err != nil {
		return nil, []string{err.Error()}
	}
	at, err := d.make(folder, place)
	if err != nil {
		return nil, []string{err.Error()}
	}
	args, err := t.command(verb, elsewhere, map[string]string{place: at})
	if err != nil {
		return nil, []string{err.Error()}
	}
	p, wrong := t.verb(folder, 2*patience, args...)
	add := func(format string, a ...any) {
		wrong = append(wrong, fmt.Sprintf("twiddle %s: %s: %s", shown(args), d.about, fmt.Sprintf(format, a...)))
	}
	if d.refused && p.status == 0 && !p.interrupted {
		add("no error")
	}
	entries, _ := os.ReadDir(filepath.Dir(at))
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".new-") {
			add("%s is left", e.Name())
		}
	}
	if d.about == "a disk that fills up" {
		if exists(at) && isRegular(at) { // or a folder, whose files are looked at by kill
			if fault := half(at); fault != nil {
				add("status %d, and the file is neither the old one nor whole: %v", p.status, fault)
			}
		}
		_ = os.RemoveAll(at)
	}
	return p, wrong
}

// overInput runs a verb whose output is its input: the result is there as a
// whole, or the input still is.
func (t *torture) overInput(verb, place, input, folder string) (*process, []string) {
	name := filepath.Join(folder, "both"+filepath.Ext(place))
	data := bytesOf(t.inputs.files[input])
	if err := os.WriteFile(name, data, 0o600); err != nil {
		return nil, []string{err.Error()}
	}
	plain, err := t.command(verb, folder, nil)
	if err != nil {
		return nil, []string{err.Error()}
	}
	p, wrong := t.verb(folder, 5*patience, plain...)
	want := bytesOf(filepath.Join(folder, place))
	args, err := t.command(verb, folder, map[string]string{place: name, input: name})
	if err != nil {
		return nil, []string{err.Error()}
	}
	q, more := t.verb(folder, 5*patience, args...)
	wrong = append(wrong, more...)
	switch {
	case q.status != 0 && !same(name, data):
		wrong = append(wrong, fmt.Sprintf("twiddle %s: failed, and its input is damaged", shown(args)))
	case q.status == 0 && p.status == 0 && filepath.Ext(place) == ".npy" && !same(name, want):
		wrong = append(wrong, fmt.Sprintf("twiddle %s: the result is another than beside its input", shown(args)))
	}
	return q, wrong
}

// smallDisk is a disk with room for very little, where that can be mounted.
func (t *torture) smallDisk() (folder string, unmount func()) {
	folder = filepath.Join(t.work, "small")
	if os.Mkdir(folder, 0o700) != nil || exec.Command("mount", "-t", "tmpfs", "-o", "size=12k", "none", folder).Run() != nil {
		return "", func() {}
	}
	return folder, func() { _ = exec.Command("umount", folder).Run() }
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

func isRegular(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}
