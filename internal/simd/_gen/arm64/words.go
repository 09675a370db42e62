package arm64

import (
	"fmt"
	"strings"
)

// word is an instruction on vectors. Registers d, n and m go to bits 0, 5 and
// 16, the fourth operand where place says. Where Go's assembler has a name for
// the instruction, goText is its line, else the word itself is written, with
// text beside it.
type word struct {
	bits   uint32
	text   string
	goText string
	place  func(x int) uint32
}

// same makes a word of three, or two, registers with the same arrangement.
func same(bits uint32, name, arrangement string, registers int) word {
	text := name
	for r := range registers {
		if r > 0 {
			text += ","
		}
		text += fmt.Sprintf(" v%%[%d]d.%s", r+1, arrangement)
	}
	return word{bits: bits, text: text}
}

// goArrangements are Go's names.
var goArrangements = map[string]string{"4s": "S4", "2d": "D2", "16b": "B16", "8h": "H8", "4h": "H4", "8b": "B8", "2s": "S2"}

// named is same for an instruction that Go's assembler knows.
func named(name, arrangement string, registers int) word {
	text := name
	for r := registers; r > 0; r-- {
		if r < registers {
			text += ","
		}
		text += fmt.Sprintf(" V%%[%d]d.%s", r, goArrangements[arrangement])
	}
	return word{goText: text}
}

// byElement is an instruction whose third operand is one element.
func byElement(bits uint32, name, arrangement string) word {
	unit := arrangement[1:]
	place := func(i int) uint32 { return uint32(i) << 11 }
	if unit == "s" {
		place = func(i int) uint32 { return uint32(i>>1)<<11 | uint32(i&1)<<21 }
	}
	return word{bits: bits, place: place,
		text: fmt.Sprintf("%s v%%[1]d.%s, v%%[2]d.%s, v%%[3]d.%s[%%[4]d]", name, arrangement, arrangement, unit)}
}

// shifted is a shift to the right by a number.
func shifted(bits uint32, name, arrangement string, width int) word {
	return word{bits: bits, place: func(n int) uint32 { return uint32(2*width-n) << 16 },
		text: fmt.Sprintf("%s v%%[1]d.%s, v%%[2]d.%s, #%%[4]d", name, arrangement, arrangement)}
}

// words are the vector instructions, by name and arrangement.
var words = map[string]word{
	"fsqrt.s": {goText: "FSQRTS F%[2]d, F%[1]d"}, "fsqrt.d": {goText: "FSQRTD F%[2]d, F%[1]d"},
	"fneg.s": {goText: "FNEGS F%[2]d, F%[1]d"}, "fneg.d": {goText: "FNEGD F%[2]d, F%[1]d"},

	"fcvtl.2d":  {bits: 0x0e617800, text: "fcvtl v%[1]d.2d, v%[2]d.2s"},
	"fcvtl.4s":  {bits: 0x0e217800, text: "fcvtl v%[1]d.4s, v%[2]d.4h"},
	"fcvtn.2s":  {bits: 0x0e616800, text: "fcvtn v%[1]d.2s, v%[2]d.2d"},
	"fcvtn.4h":  {bits: 0x0e216800, text: "fcvtn v%[1]d.4h, v%[2]d.4s"},
	"sqxtn.2s":  {bits: 0x0ea14800, text: "sqxtn v%[1]d.2s, v%[2]d.2d"},
	"xtn.2s":    {bits: 0x0ea12800, text: "xtn v%[1]d.2s, v%[2]d.2d"},
	"xtn.4h":    {bits: 0x0e612800, text: "xtn v%[1]d.4h, v%[2]d.4s"},
	"xtn.8b":    {bits: 0x0e212800, text: "xtn v%[1]d.8b, v%[2]d.8h"},
	"umull.2d":  {bits: 0x2ea0c000, text: "umull v%[1]d.2d, v%[2]d.2s, v%[3]d.2s"},
	"sqxtn.4h":  {bits: 0x0e614800, text: "sqxtn v%[1]d.4h, v%[2]d.4s"},
	"sqxtn.8b":  {bits: 0x0e214800, text: "sqxtn v%[1]d.8b, v%[2]d.8h"},
	"sqxtun.8b": {bits: 0x2e212800, text: "sqxtun v%[1]d.8b, v%[2]d.8h"},
	"uqxtn.2s":  {bits: 0x2ea14800, text: "uqxtn v%[1]d.2s, v%[2]d.2d"},
	"fcvtzu.4s": {bits: 0x6ea1b800, text: "fcvtzu v%[1]d.4s, v%[2]d.4s"},
	"fcvtzu.2d": {bits: 0x6ee1b800, text: "fcvtzu v%[1]d.2d, v%[2]d.2d"},
	"ucvtf.4s":  {bits: 0x6e21d800, text: "ucvtf v%[1]d.4s, v%[2]d.4s"},
	"sxtl.8h":   {bits: 0x0f08a400, text: "sxtl v%[1]d.8h, v%[2]d.8b"},
	"sxtl.4s":   {bits: 0x0f10a400, text: "sxtl v%[1]d.4s, v%[2]d.4h"},
	"sxtl.2d":   {bits: 0x0f20a400, text: "sxtl v%[1]d.2d, v%[2]d.2s"},
	"uxtl.2d":   {goText: "VUXTL V%[2]d.S2, V%[1]d.D2"},
	"uxtl.4s":   {goText: "VUXTL V%[2]d.H4, V%[1]d.S4"},
	"uxtl.8h":   {goText: "VUXTL V%[2]d.B8, V%[1]d.H8"},
	"mvn.16b":   {bits: 0x6e205800, text: "mvn v%[1]d.16b, v%[2]d.16b"},
	"mov.16b":   {goText: "VMOV V%[2]d.B16, V%[1]d.B16"},
	"zero":      {goText: "VEOR V%[1]d.B16, V%[1]d.B16, V%[1]d.B16"},
	"ones":      {goText: "VMOVI $255, V%[1]d.B16"},
	"bytes1":    {goText: "VMOVI $1, V%[1]d.B16"},
	"shl.4s":    {goText: "VSHL $%[4]d, V%[2]d.S4, V%[1]d.S4"},
	"shl.2d":    {goText: "VSHL $%[4]d, V%[2]d.D2, V%[1]d.D2"},
	"ushr.4s":   {goText: "VUSHR $%[4]d, V%[2]d.S4, V%[1]d.S4"},
	"ushr.2d":   {goText: "VUSHR $%[4]d, V%[2]d.D2, V%[1]d.D2"},
	"ext.16b":   {goText: "VEXT $%[4]d, V%[3]d.B16, V%[2]d.B16, V%[1]d.B16"},
	"rev64.4s":  {goText: "VREV64 V%[2]d.S4, V%[1]d.S4"},
	"dup.4s":    {goText: "VDUP V%[2]d.S[%[4]d], V%[1]d.S4"},
	"dup.2d":    {goText: "VDUP V%[2]d.D[%[4]d], V%[1]d.D2"},
	"dupx.4s":   {goText: "VDUP R%[2]d, V%[1]d.S4"},
	"dupx.2d":   {goText: "VDUP R%[2]d, V%[1]d.D2"},
	"ld1r.4s":   {goText: "VLD1R (R%[2]d), [V%[1]d.S4]"},
	"ld1r.2d":   {goText: "VLD1R (R%[2]d), [V%[1]d.D2]"},
	"ldr.q":     {bits: 0x3ce06800, text: "ldr q%[1]d, [x%[2]d,x%[3]d]"},
	"str.q":     {bits: 0x3ca06800, text: "str q%[1]d, [x%[2]d,x%[3]d]"},
	"ldr.d":     {goText: "FMOVD (R%[2]d)(R%[3]d), F%[1]d"},
	"str.d":     {goText: "FMOVD F%[1]d, (R%[2]d)(R%[3]d)"},
	"ldr.s":     {goText: "FMOVS (R%[2]d)(R%[3]d), F%[1]d"},
	"str.s":     {goText: "FMOVS F%[1]d, (R%[2]d)(R%[3]d)"},
	"fcvt.s":    {goText: "FCVTDS F%[2]d, F%[1]d"},
	"fcvt.d":    {goText: "FCVTSD F%[2]d, F%[1]d"},
	"umaxv.4s":  {bits: 0x6eb0a800, text: "umaxv s%[1]d, v%[2]d.4s"},
	"fmul.4s[]": byElement(0x4f809000, "fmul", "4s"), "fmul.2d[]": byElement(0x4fc09000, "fmul", "2d"),
	"fmla.4s[]": byElement(0x4f801000, "fmla", "4s"), "fmla.2d[]": byElement(0x4fc01000, "fmla", "2d"),
	"fmls.4s[]": byElement(0x4f805000, "fmls", "4s"), "fmls.2d[]": byElement(0x4fc05000, "fmls", "2d"),
	"sshr.4s": shifted(0x4f000400, "sshr", "4s", 32), "sshr.2d": shifted(0x4f000400, "sshr", "2d", 64),
	"bic.16b": same(0x4e601c00, "bic", "16b", 3),
}

func init() {
	for _, w := range []struct {
		name           string
		single, double uint32
		registers      int
	}{
		{"fadd", 0x4e20d400, 0x4e60d400, 3}, {"fsub", 0x4ea0d400, 0x4ee0d400, 3},
		{"fmul", 0x6e20dc00, 0x6e60dc00, 3}, {"fdiv", 0x6e20fc00, 0x6e60fc00, 3},
		{"fmax", 0x4e20f400, 0x4e60f400, 3}, {"fmin", 0x4ea0f400, 0x4ee0f400, 3},
		{"fcmeq", 0x4e20e400, 0x4e60e400, 3}, {"fcmgt", 0x6ea0e400, 0x6ee0e400, 3}, {"fcmge", 0x6e20e400, 0x6e60e400, 3},
		{"fsqrt", 0x6ea1f800, 0x6ee1f800, 2}, {"fneg", 0x6ea0f800, 0x6ee0f800, 2}, {"fabs", 0x4ea0f800, 0x4ee0f800, 2},
		{"frintn", 0x4e218800, 0x4e618800, 2}, {"frintm", 0x4e219800, 0x4e619800, 2}, {"frintp", 0x4ea18800, 0x4ee18800, 2},
		{"scvtf", 0x4e21d800, 0x4e61d800, 2}, {"fcvtzs", 0x4ea1b800, 0x4ee1b800, 2},
	} {
		words[w.name+".4s"] = same(w.single, w.name, "4s", w.registers)
		words[w.name+".2d"] = same(w.double, w.name, "2d", w.registers)
	}
	for _, w := range []struct {
		name      string
		bits      uint32 // of bytes; the width of lanes is at bit 22
		registers int
		widths    int
	}{
		{"cmgt", 0x4e203400, 3, 4}, {"cmhi", 0x6e203400, 3, 4}, {"mul", 0x4e209c00, 3, 3}, {"abs", 0x4e20b800, 2, 4},
		{"smax", 0x4e206400, 3, 3}, {"smin", 0x4e206c00, 3, 3}, {"umax", 0x6e206400, 3, 3}, {"umin", 0x6e206c00, 3, 3},
	} {
		for size, arrangement := range []string{"16b", "8h", "4s", "2d"}[:w.widths] {
			words[w.name+"."+arrangement] = same(w.bits|uint32(size)<<22, w.name, arrangement, w.registers)
		}
	}
	for _, w := range []struct{ name, goName, arrangements string }{
		{"fmla", "VFMLA", "4s 2d"}, {"fmls", "VFMLS", "4s 2d"}, {"add", "VADD", "16b 8h 4s 2d"}, {"sub", "VSUB", "16b 8h 4s 2d"},
		{"cmeq", "VCMEQ", "16b 8h 4s 2d"},
		{"cmtst", "VCMTST", "4s 2d"},
		{"zip1", "VZIP1", "16b 8h 4s 2d"}, {"zip2", "VZIP2", "16b 8h 4s 2d"}, {"uzp1", "VUZP1", "4s 2d"}, {"uzp2", "VUZP2", "4s 2d"},
		{"trn1", "VTRN1", "4s 2d"}, {"trn2", "VTRN2", "4s 2d"},
		{"and", "VAND", "16b"}, {"orr", "VORR", "16b"}, {"eor", "VEOR", "16b"},
		{"bit", "VBIT", "16b"}, {"bif", "VBIF", "16b"}, {"bsl", "VBSL", "16b"},
	} {
		for _, a := range strings.Fields(w.arrangements) {
			words[w.name+"."+a] = named(w.goName, a, 3)
		}
	}
	for _, w := range []struct {
		name   string
		single string
	}{{"fadd", "FADD"}, {"fsub", "FSUB"}, {"fmul", "FMUL"}, {"fdiv", "FDIV"}, {"fmax", "FMAX"}, {"fmin", "FMIN"}} {
		words[w.name+".s"] = word{goText: w.single + "S F%[3]d, F%[2]d, F%[1]d"}
		words[w.name+".d"] = word{goText: w.single + "D F%[3]d, F%[2]d, F%[1]d"}
	}
	for name, goName := range map[string]string{"fmadd": "FMADD", "fmsub": "FMSUB", "fnmadd": "FNMADD", "fnmsub": "FNMSUB"} {
		words[name+".s"] = word{goText: goName + "S F%[3]d, F%[4]d, F%[2]d, F%[1]d"}
		words[name+".d"] = word{goText: goName + "D F%[3]d, F%[4]d, F%[2]d, F%[1]d"}
	}
}

// line is the instruction as a line of assembly.
func (w word) line(d, n, m, x int) string {
	format := w.text
	if w.goText != "" {
		format = w.goText
	}
	text := fmt.Sprintf(format, d, n, m, x)
	if w.goText != "" {
		return text
	}
	bits := w.bits | uint32(d) | uint32(n)<<5 | uint32(m)<<16
	if w.place != nil {
		bits |= w.place(x)
	}
	return fmt.Sprintf("WORD $0x%08x // %s", bits, text)
}
