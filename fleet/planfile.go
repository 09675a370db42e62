package fleet

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Write keeps the plan in the output folder, for workers, and gives its name
// there.
func (p *Plan) Write() (string, error) {
	h := sha256.New()
	for _, d := range p.Days() {
		fmt.Fprintln(h, d.Dataset, d.Day, p.hash(d))
	}
	name := filepath.Join(hidden, "plans", hex.EncodeToString(h.Sum(nil)[:12])+".json.gz")
	return name, createFile(p.Config.Out, name, func(f *os.File) error {
		z := gzip.NewWriter(f)
		if err := json.NewEncoder(z).Encode(p); err != nil {
			return err
		}
		return z.Close()
	})
}

// ReadPlan reads a plan that Write kept.
func ReadPlan(out, name string) (*Plan, error) {
	f, err := os.Open(filepath.Join(out, name))
	if err != nil {
		return nil, fmt.Errorf("fleet: plan: workers have to see the output folder: %w", err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("fleet: plan %s: %w", name, err)
	}
	p := &Plan{}
	if err := json.NewDecoder(z).Decode(p); err != nil && err != io.EOF {
		return nil, fmt.Errorf("fleet: plan %s: %w", name, err)
	}
	p.Config.Out = out
	return p, nil
}
