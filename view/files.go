package view

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/twiddle-go/twiddle/audio"
)

// files is a source of named files and of everything under named folders.
type files struct {
	opt   audio.Options
	roots []root
}

// root is a path that was named.
type root struct {
	path   string
	folder *os.Root // nil for a file
}

// Files is a source of the recordings that are named, and of those in folders
// that are named, below them too. Nothing else is ever opened: a link that leads
// out of a folder is refused.
func Files(opt audio.Options, paths ...string) (Source, error) {
	if len(paths) == 0 {
		return nil, errors.New("view: files: no file is named")
	}
	f := &files{opt: opt}
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			return nil, fmt.Errorf("view: files: %w", err)
		}
		r := root{path: p}
		if info.IsDir() {
			if r.folder, err = os.OpenRoot(p); err != nil {
				return nil, fmt.Errorf("view: files: %w", err)
			}
		}
		f.roots = append(f.roots, r)
	}
	return f, nil
}

// Limits of what is listed of a folder.
const (
	maxListed = 2000
	maxDepth  = 8
)

func (f *files) Items() ([]Item, error) {
	var items []Item
	for _, r := range f.roots {
		if r.folder == nil {
			items = append(items, Item{ID: r.path, Name: filepath.Base(r.path)})
			continue
		}
		var paths []string
		err := fs.WalkDir(r.folder.FS(), ".", func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil || len(items)+len(paths) >= maxListed:
				return fs.SkipAll // what can be listed is
			case d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || strings.Count(path, "/") >= maxDepth):
				return fs.SkipDir
			case !d.IsDir() && (slices.Contains(audio.Extensions(), strings.ToLower(filepath.Ext(path))) || f.opt.Raw.Encoding != 0):
				paths = append(paths, path)
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("view: files: %w", err)
		}
		if f.opt.Raw.Encoding == 0 {
			paths = audio.Recordings(paths)
		}
		for _, path := range paths {
			items = append(items, Item{ID: filepath.Join(r.path, path), Name: path})
		}
	}
	return items, nil
}

func (f *files) Open(id string) (Recording, error) {
	for _, r := range f.roots {
		if r.folder == nil {
			if r.path == id {
				return openFile(id, f.opt)
			}
			continue
		}
		inside, err := filepath.Rel(r.path, id)
		if err != nil || !filepath.IsLocal(inside) {
			continue
		}
		// The root refuses what leads out of it; the reader opens by name.
		if _, err := r.folder.Stat(inside); err != nil {
			return nil, fmt.Errorf("view: open: %w", err)
		}
		return openFile(id, f.opt)
	}
	return nil, fmt.Errorf("view: open %q: %w", id, ErrUnknown)
}

// file is a recording in a file, which may grow or vanish while it is open.
type file struct {
	path string
	opt  audio.Options

	mu     sync.Mutex
	f      *audio.File
	at     int64 // the frame that would be read next
	info   Info
	size   int64
	looked time.Time // when the size was asked for
}

// lookAgain is how often a file's size is asked for.
const lookAgain = 300 * time.Millisecond

func openFile(path string, opt audio.Options) (*file, error) {
	f := &file{path: path, opt: opt}
	if err := f.open(); err != nil {
		return nil, err
	}
	return f, nil
}

// open opens the file, anew if it was open. f.mu is held, or nobody else has f.
func (f *file) open() error {
	stat, err := os.Stat(f.path)
	if err != nil {
		return fmt.Errorf("view: open: %w", err)
	}
	if !stat.Mode().IsRegular() {
		return fmt.Errorf("view: open: %s is not a regular file", f.path)
	}
	a, err := audio.Open(f.path, f.opt)
	if err != nil {
		return err
	}
	frames := a.Info.Frames
	if frames < 0 {
		// Only some FLAC files do not say: their end is searched for.
		if frames, err = countFrames(a); err != nil {
			return errors.Join(err, a.Close())
		}
	}
	if f.f != nil {
		f.f.Close()
	}
	f.f, f.at, f.size, f.looked = a, 0, stat.Size(), time.Now()
	f.info = Info{Format: a.Info.Format, Encoding: a.Info.Encoding, Channels: a.Info.Channels, Rate: a.Info.Rate, Frames: frames, IQ: a.Info.IQ}
	if w := a.Warning(); w != nil {
		f.info.Warning = w.Error()
	}
	return nil
}

// countFrames reads to the end.
func countFrames(a *audio.File) (int64, error) {
	room := make([]float32, 1<<16/a.Info.Channels*a.Info.Channels+a.Info.Channels)
	var total int64
	for {
		n, err := a.Read(room)
		total += int64(n)
		if err == io.EOF {
			return total, a.SeekFrame(0)
		}
		if err != nil {
			return 0, err
		}
	}
}

// Info looks at the file again from time to time. A file that has grown is
// opened anew; of one that vanished the warning tells.
func (f *file) Info() Info {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.f == nil || time.Since(f.looked) < lookAgain {
		return f.info
	}
	f.looked = time.Now()
	stat, err := os.Stat(f.path)
	switch {
	case err != nil:
		f.info.Warning = "the file is gone: " + err.Error()
	case stat.Size() != f.size:
		was := f.info
		if err := f.open(); err != nil {
			f.info = was
			f.info.Warning = "the file has changed: " + err.Error()
		} else if f.info.Frames > was.Frames {
			f.info.Warning = "" // sizes that are not filled in yet are no fault
		}
	case strings.HasPrefix(f.info.Warning, "the file is gone"):
		f.info.Warning = ""
	}
	return f.info
}

func (f *file) ReadFrames(dst []float32, from int64) (int, error) { return readFile(f, dst, from) }

// ReadFrames64 implements Precise.
func (f *file) ReadFrames64(dst []float64, from int64) (int, error) { return readFile(f, dst, from) }

func readFile[T sample](f *file, dst []T, from int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.f == nil {
		return 0, fmt.Errorf("view: read: %w", os.ErrClosed)
	}
	if from != f.at {
		if err := f.f.SeekFrame(from); err != nil {
			return 0, err
		}
		f.at = from
	}
	n, err := audio.ReadFull(f.f, dst)
	f.at += int64(n)
	if err != nil {
		f.at = -1 // a reader that has ended is moved before it is asked again
	}
	return n, err
}

func (f *file) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.f == nil {
		return nil
	}
	err := f.f.Close()
	f.f = nil
	return err
}
