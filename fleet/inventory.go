package fleet

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/twiddle-go/twiddle/fleet/archive"
)

// inventory is the recordings that an earlier run found, so that the headers
// of a million files are read once and not by every shard. Files with problems
// are not in it: they are looked at again.
type inventory map[string]archive.Recording

const inventoryName = hidden + "/inventory.jsonl"

// readInventory is that of the output folder, if names mean the same there.
func readInventory(c Config) inventory {
	known := inventory{}
	old, err := ReadConfig(c.Out)
	if err != nil || old.Pattern != c.Pattern || old.Station != c.Station || old.Rate != c.Rate {
		return known
	}
	b, err := os.ReadFile(filepath.Join(c.Out, inventoryName))
	if err != nil {
		return known
	}
	lines := bufio.NewScanner(bytes.NewReader(b))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r archive.Recording
		if json.Unmarshal(lines.Bytes(), &r) == nil {
			known[r.Path] = r
		}
	}
	return known
}

// find is what archive.Options asks for.
func (k inventory) find(path string, size int64, changed time.Time) (archive.Recording, bool) {
	r, ok := k[path]
	return r, ok && r.Bytes == size && r.Changed.Equal(changed)
}

// keepInventory writes the recordings of a plan. They are a help and no more,
// so that they cannot be written is no error.
func keepInventory(p *Plan) {
	bad := map[string]bool{}
	for _, one := range p.Problems {
		bad[one.Path] = true
	}
	known := readInventory(p.Config)
	var b bytes.Buffer
	fresh := false
	for _, r := range p.Files {
		if bad[r.Path] {
			continue
		}
		if old, ok := known[r.Path]; !ok || old != r {
			fresh = true
		}
		line, err := json.Marshal(r)
		if err != nil {
			return
		}
		b.Write(append(line, '\n'))
	}
	if fresh {
		_ = writeFile(p.Config.Out, inventoryName, b.Bytes())
	}
}
