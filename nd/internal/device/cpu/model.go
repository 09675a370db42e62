package cpu

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"sync"
)

// model names the processor, its instruction set and how many cores are used, which its
// figures depend on as well; empty where the system does not tell.
func (d *Device) model() string {
	if name := processor(); name != "" {
		return fmt.Sprintf("%s, %s, %d workers", name, d.level, d.workers)
	}
	return ""
}

// processor is what Linux calls the processor.
var processor = sync.OnceValue(func() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if key, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return ""
})
