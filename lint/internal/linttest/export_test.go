package linttest

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"

	"github.com/twiddle-go/twiddle/lint/internal/arrays"
)

// exports maps packages to the files that the go command has their export data
// in.
var exports = sync.OnceValues(func() (map[string]string, error) {
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}
	for pkg := range stubFiles() {
		args = append(args, pkg)
	}
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		return nil, fmt.Errorf("go list -export: %w", err)
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		pkg, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[pkg] = file
	}
	return files, nil
})

// openExport opens the export data of a package.
func openExport(pkg string) (io.ReadCloser, error) {
	files, err := exports()
	if err != nil {
		return nil, err
	}
	if files[pkg] == "" {
		return nil, fmt.Errorf("%s has no export data below %s", pkg, arrays.Module)
	}
	return os.Open(files[pkg])
}
