package peer

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/clib"
)

// LAPACK is the factorisations of OpenBLAS.
type LAPACK struct{ sgeqrf, sorgqr, sgesdd uintptr }

// LAPACK opens the factorisations, which the library may have been built
// without.
func (b *BLAS) LAPACK() (*LAPACK, error) { return openLAPACK() }

var openLAPACK = sync.OnceValues(func() (*LAPACK, error) {
	lib, err := openBLASLibrary()
	if err != nil {
		return nil, err
	}
	var l LAPACK
	if err := lib.symbols(map[string]*uintptr{"sgeqrf_": &l.sgeqrf, "sorgqr_": &l.sorgqr, "sgesdd_": &l.sgesdd}); err != nil {
		return nil, err
	}
	return &l, nil
})

// QR is room to factor m x n matrices, stored by columns, with m >= n.
type QR struct {
	*LAPACK
	m, n      int
	tau, work []float32
}

// QR makes room for m x n matrices.
func (l *LAPACK) QR(m, n int) (*QR, error) {
	if n < 1 || m < n {
		return nil, fmt.Errorf("peer: sgeqrf: %dx%d: want as many rows as columns, or more", m, n)
	}
	return &QR{l, m, n, make([]float32, n), make([]float32, 64*n)}, nil
}

// Factor replaces a by the orthonormal factor: sgeqrf, then sorgqr.
func (q *QR) Factor(a []float32) error {
	if len(a) < q.m*q.n {
		return fmt.Errorf("peer: sgeqrf: %dx%d: slice of %d", q.m, q.n, len(a))
	}
	args := &struct{ m, n, lwork, info int32 }{int32(q.m), int32(q.n), int32(len(q.work)), 0}
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(args)
	m, n := intAt(&args.m), intAt(&args.n)
	clib.Call(q.sgeqrf, m, n, pinned(&pin, a), m, pinned(&pin, q.tau), pinned(&pin, q.work), intAt(&args.lwork), intAt(&args.info))
	if args.info == 0 {
		clib.Call(q.sorgqr, m, n, n, pinned(&pin, a), m, pinned(&pin, q.tau), pinned(&pin, q.work), intAt(&args.lwork), intAt(&args.info))
	}
	if args.info != 0 {
		return fmt.Errorf("peer: sgeqrf: info %d", args.info)
	}
	return nil
}

// SVD is room to decompose m x n matrices, stored by columns, with m >= n.
type SVD struct {
	*LAPACK
	m, n           int
	S, u, vt, work []float32
	iwork          []int32
}

// SVD makes room for m x n matrices.
func (l *LAPACK) SVD(m, n int) (*SVD, error) {
	if n < 1 || m < n {
		return nil, fmt.Errorf("peer: sgesdd: %dx%d: want as many rows as columns, or more", m, n)
	}
	s := &SVD{l, m, n, make([]float32, n), make([]float32, m*n), make([]float32, n*n), make([]float32, 1), make([]int32, 8*n)}
	// A length of -1 asks how much work space is best.
	if err := s.call(s.u, -1); err != nil {
		return nil, err
	}
	s.work = make([]float32, int(s.work[0]))
	return s, nil
}

// Decompose computes S, greatest first, and thin factors; a is overwritten.
func (s *SVD) Decompose(a []float32) error {
	if len(a) < s.m*s.n {
		return fmt.Errorf("peer: sgesdd: %dx%d: slice of %d", s.m, s.n, len(a))
	}
	return s.call(a, len(s.work))
}

func (s *SVD) call(a []float32, lwork int) error {
	args := &struct {
		job               byte
		m, n, lwork, info int32
	}{'S', int32(s.m), int32(s.n), int32(lwork), 0}
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(args)
	pin.Pin(&s.iwork[0])
	m, n := intAt(&args.m), intAt(&args.n)
	clib.Call(s.sgesdd, uintptr(unsafe.Pointer(&args.job)), m, n, pinned(&pin, a), m, pinned(&pin, s.S), pinned(&pin, s.u), m,
		pinned(&pin, s.vt), n, pinned(&pin, s.work), intAt(&args.lwork), intAt(&s.iwork[0]), intAt(&args.info))
	if args.info != 0 {
		return fmt.Errorf("peer: sgesdd: info %d", args.info)
	}
	return nil
}

func intAt(p *int32) uintptr { return uintptr(unsafe.Pointer(p)) }
