package cuda

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
)

// CacheVar names the folder that compiled kernels are kept in; "off" keeps
// none.
const CacheVar = "TWIDDLE_CACHE"

// key identifies compiled code: everything that decides what it is.
type key [sha256.Size]byte

func keyOf(text string, arch, compiler int) key {
	h := sha256.New()
	fmt.Fprintf(h, "1 %d %q\n", compiler, driver.Options(arch))
	h.Write([]byte(text))
	return key(h.Sum(nil))
}

// cache keeps compiled kernels in a folder, a file each: the sum of the code,
// then the code. Files appear whole, by renaming, so processes can share it.
type cache struct {
	folder string // "" keeps nothing

	mu   sync.Mutex
	note string

	prune sync.Once
}

// A cache that has grown past mostCached bytes loses its oldest files until
// half of that is left: some ten thousand kernels.
const mostCached = 512 << 20

// cacheFolder is where the user wants kernels.
func cacheFolder() string {
	switch v := os.Getenv(CacheVar); v {
	case "off":
		return ""
	case "":
		root, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		return filepath.Join(root, "twiddle", "cuda")
	default:
		return filepath.Join(v, "cuda")
	}
}

func openCache(folder string) *cache { return &cache{folder: folder} }

// notes says why nothing is kept, if so.
func (c *cache) notes() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.note == "" {
		return nil
	}
	return []string{c.note}
}

func (c *cache) path(k key) string {
	name := hex.EncodeToString(k[:])
	return filepath.Join(c.folder, name[:2], name[2:]+".cubin")
}

// get finds code; a file that is damaged is removed.
func (c *cache) get(k key) ([]byte, bool) {
	if c.folder == "" {
		return nil, false
	}
	data, err := os.ReadFile(c.path(k))
	if err != nil {
		return nil, false
	}
	if len(data) > sha256.Size {
		code := data[sha256.Size:]
		if sha256.Sum256(code) == [sha256.Size]byte(data[:sha256.Size]) {
			return code, true
		}
	}
	_ = os.Remove(c.path(k))
	return nil, false
}

// put keeps code. A folder that cannot be written to costs time, not results:
// it is noted.
func (c *cache) put(k key, code []byte) {
	if c.folder == "" {
		return
	}
	c.prune.Do(func() { c.shrink(mostCached) })
	if err := write(c.path(k), code); err != nil {
		c.mu.Lock()
		c.note = fmt.Sprintf("compiled kernels are not kept: %s (%s names another folder)", strings.TrimSpace(err.Error()), CacheVar)
		c.mu.Unlock()
	}
}

func write(path string, code []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	sum := sha256.Sum256(code)
	_, err = f.Write(append(sum[:], code...))
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	return err
}

// shrink removes the oldest files if all take more than most bytes. What is
// gone is compiled again, so nothing here can fail.
func (c *cache) shrink(most int64) {
	type file struct {
		path string
		info fs.FileInfo
	}
	var files []file
	total := int64(0)
	_ = filepath.WalkDir(c.folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil
		}
		if info, err := e.Info(); err == nil {
			files = append(files, file{path, info})
			total += info.Size()
		}
		return nil
	})
	if total <= most {
		return
	}
	slices.SortFunc(files, func(a, b file) int { return a.info.ModTime().Compare(b.info.ModTime()) })
	for _, f := range files {
		if total <= most/2 {
			return
		}
		if os.Remove(f.path) == nil {
			total -= f.info.Size()
		}
	}
}
