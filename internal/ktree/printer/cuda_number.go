package printer

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/internal/ktree"
)

// num prints a number of a kind.
func (c *cuda) num(k ktree.Kind, n ktree.Num) string {
	switch {
	case k == ktree.Bool:
		return strconv.FormatBool(n.I != 0)
	case k == ktree.Double:
		return float64Text(n.F)
	case k == ktree.Float:
		return float32Text(n.F)
	case k == ktree.Half && c.engine:
		return fmt.Sprintf("%s{%d}", cudaKinds[k], elem.F16From(float32(n.F)))
	case k == ktree.Bfloat && c.engine:
		return fmt.Sprintf("%s{%d}", cudaKinds[k], elem.BF16From(float32(n.F)))
	case k.IsFloat():
		return fmt.Sprintf("%s(%s)", cudaKinds[k], float32Text(n.F))
	case k == ktree.Int && n.I == math.MinInt32:
		return "(-2147483647 - 1)"
	case k == ktree.Long && n.I == math.MinInt64:
		return "(-9223372036854775807ll - 1)"
	case k == ktree.Int:
		return strconv.FormatInt(n.I, 10)
	case k == ktree.Uint:
		return strconv.FormatInt(n.I, 10) + "u"
	case k == ktree.Long:
		return strconv.FormatInt(n.I, 10) + "ll"
	case k == ktree.Ulong:
		return strconv.FormatUint(uint64(n.I), 10) + "ull"
	}
	return fmt.Sprintf("(%s)%d", cudaKinds[k], n.I)
}

func float32Text(f float64) string {
	switch {
	case math.IsNaN(f):
		return "__uint_as_float(0x7fc00000u)"
	case math.IsInf(f, 1):
		return "__uint_as_float(0x7f800000u)"
	case math.IsInf(f, -1):
		return "__uint_as_float(0xff800000u)"
	}
	return withPoint(strconv.FormatFloat(f, 'g', -1, 32)) + "f"
}

func float64Text(f float64) string {
	switch {
	case math.IsNaN(f):
		return "__longlong_as_double(0x7ff8000000000000ll)"
	case math.IsInf(f, 1):
		return "__longlong_as_double(0x7ff0000000000000ll)"
	case math.IsInf(f, -1):
		return "__longlong_as_double((long long)0xfff0000000000000ull)"
	}
	return withPoint(strconv.FormatFloat(f, 'g', -1, 64))
}

func withPoint(s string) string {
	if !strings.ContainsAny(s, ".e") {
		return s + ".0"
	}
	return s
}
