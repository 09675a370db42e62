//go:build amd64 || arm64

package vec

import "unsafe"

// useCasts replaces the conversions by those for vectors of so many bytes. Fewer elements than
// half as many are left to the portable ones.
func (t *Table) useCasts(bytes int, kernel func(op int, dst, x *byte, n int)) {
	for _, c := range casts {
		t.Casts[[2]string{c.to, c.from}] = func(dst, x unsafe.Pointer, n int) {
			if n < bytes/2 {
				c.portable(dst, x, n)
				return
			}
			kernel(c.number, (*byte)(dst), (*byte)(x), n)
		}
	}
}
