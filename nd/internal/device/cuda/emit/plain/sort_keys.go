package plain

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd/internal/device/cuda/emit"
	"github.com/twiddle-go/twiddle/nd/internal/elem"
)

// What is sorted is items: a key, an unsigned number in the order wanted, and
// the place in the line that it comes from. No two items of a line are equal,
// so any sort of them is stable. Keys of 32 bits and their places are one
// 64-bit number.

// itemBytes is the size of an item.
func itemBytes(t elem.Type) int {
	if t.Compute().Size() == 8 {
		return 16
	}
	return 8
}

// declareItems defines item, its order, and key, which turns a value of type t
// into a key: NaN last, zeros of both signs alike.
func declareItems(t elem.Type, descending bool) string {
	text := `typedef u64 item;
TW item make_item(u32 key, u32 place) { return (u64)key << 32 | place; }
TW item last_item() { return ~0ull; }
TW bool before(item a, item b) { return a < b; }
TW u32 place_of(item a) { return (u32)a; }
TW u32 key_of(item a) { return (u32)(a >> 32); }
`
	bits := "u32"
	if itemBytes(t) == 16 {
		bits = "u64"
		text = `struct alignas(16) item { u64 key; u64 place; };
TW item make_item(u64 key, u32 place) { return {key, place}; }
TW item last_item() { return {~0ull, ~0ull}; }
TW bool before(item a, item b) { return a.key < b.key || (a.key == b.key && a.place < b.place); }
TW u32 place_of(item a) { return (u32)a.place; }
`
	}
	turn := ""
	if descending {
		turn = "~"
	}
	body := fmt.Sprintf("return %s(%s)x;", turn, bits)
	switch t {
	case elem.Int32:
		body = fmt.Sprintf("return %s((u32)x ^ 0x80000000u);", turn)
	case elem.Int64:
		body = fmt.Sprintf("return %s((u64)x ^ 0x8000000000000000ull);", turn)
	case elem.Float64:
		body = fmt.Sprintf(`if (x != x) return ~0ull;
  const u64 b = x == 0 ? 0 : (u64)__double_as_longlong(x);
  return %s(b >> 63 ? ~b : b | 0x8000000000000000ull);`, turn)
	case elem.Float32, elem.Float16, elem.BFloat16:
		body = fmt.Sprintf(`if (x != x) return ~0u;
  const u32 b = x == 0 ? 0 : __float_as_uint(x);
  return %s(b >> 31 ? ~b : b | 0x80000000u);`, turn)
	}
	return text + fmt.Sprintf("TW %s key(%s x) { %s }\n", bits, emit.Value(t), body)
}
