//go:build !linux

package cuda

func wantHugePages([]byte) {}
func populate([]byte)      {}
