package peer

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/clib"
)

// BLAS is OpenBLAS.
type BLAS struct{ sgemm, setThreads uintptr }

// OpenBLAS opens OpenBLAS.
func OpenBLAS() (*BLAS, error) { return openBLAS() }

var openBLASLibrary = sync.OnceValues(func() (*library, error) {
	return open("openblas", "TWIDDLE_OPENBLAS", "libopenblas.so.0", "libopenblas.so", "libopenblas.0.dylib", "libopenblas.dylib")
})

var openBLAS = sync.OnceValues(func() (*BLAS, error) {
	lib, err := openBLASLibrary()
	if err != nil {
		return nil, err
	}
	var b BLAS
	if err := lib.symbols(map[string]*uintptr{
		"sgemm_":                   &b.sgemm,
		"openblas_set_num_threads": &b.setThreads,
	}); err != nil {
		return nil, err
	}
	return &b, nil
})

// SetThreads says how many threads the library may use from now on.
func (b *BLAS) SetThreads(n int) { clib.Call(b.setThreads, uintptr(n)) }

// Sgemm computes c = a*b for row-major matrices: a is m x k, b is k x n and c
// is m x n, each without gaps between rows.
func (b *BLAS) Sgemm(m, n, k int, dst, x, y []float32) error {
	if m < 1 || n < 1 || k < 1 || len(x) < m*k || len(y) < k*n || len(dst) < m*n {
		return fmt.Errorf("peer: sgemm: %dx%d by %dx%d: slices of %d and %d into %d", m, k, k, n, len(x), len(y), len(dst))
	}
	// BLAS is column-major: there, the row-major product is c' = b'*a'.
	args := &struct {
		none        byte
		m, n, k     int32
		alpha, beta float32
	}{'N', int32(m), int32(n), int32(k), 1, 0}
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(args)
	none := uintptr(unsafe.Pointer(&args.none))
	pm, pn, pk := uintptr(unsafe.Pointer(&args.m)), uintptr(unsafe.Pointer(&args.n)), uintptr(unsafe.Pointer(&args.k))
	clib.Call(b.sgemm, none, none, pn, pm, pk,
		uintptr(unsafe.Pointer(&args.alpha)), pinned(&pin, y), pn, pinned(&pin, x), pk,
		uintptr(unsafe.Pointer(&args.beta)), pinned(&pin, dst), pn)
	return nil
}

// pinned is the address of a slice that stays where it is until pin lets go.
func pinned(pin *runtime.Pinner, s []float32) uintptr {
	pin.Pin(&s[0])
	return uintptr(unsafe.Pointer(&s[0]))
}
