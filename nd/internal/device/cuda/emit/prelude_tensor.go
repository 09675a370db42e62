package emit

import "fmt"

// tensorParts are what matrix products on tensor cores are made of, for sm_80
// and later.
var tensorParts = []part{
	{"mma_f16", "", mmaText("f16")},
	{"mma_bf16", "", mmaText("bf16")},
	// 16 bytes from memory to shared memory without a register between, or
	// zeros. Copies are waited for in groups.
	{"copy_async", "", `TW void copy_async(void* to, const void* from, bool there) { asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"((u32)__cvta_generic_to_shared(to)), "l"(from), "r"(there ? 16 : 0) : "memory"); }
TW void copy_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> TW void copy_wait() { asm volatile("cp.async.wait_group %0;" :: "n"(N) : "memory"); }
`},
	// Four 8 x 8 matrices of halves; the rows of matrix i are where lanes 8i
	// and on point to. A lane gets two neighbours of a row, or of a column.
	{"load_matrices", "", `TW void load_matrices(u32 (&r)[4], const void* p) { asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"((u32)__cvta_generic_to_shared(p)) : "memory"); }
TW void load_turned(u32 (&r)[4], const void* p) { asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"((u32)__cvta_generic_to_shared(p)) : "memory"); }
`},
}

// mmaText defines c += a * b for 16 x 16 by 16 x 8, in the fragments that the
// PTX manual defines for mma.m16n8k16.
func mmaText(t string) string {
	return fmt.Sprintf(`TW void mma_%s(float (&c)[4], const u32 (&a)[4], const u32 (&b)[2]) { asm("mma.sync.aligned.m16n8k16.row.col.f32.%s.%s.f32 {%%0,%%1,%%2,%%3}, {%%4,%%5,%%6,%%7}, {%%8,%%9}, {%%0,%%1,%%2,%%3};" : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])); }
`, t, t, t)
}
