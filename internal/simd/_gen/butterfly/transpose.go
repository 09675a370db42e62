package main

// transpose exchanges the rows and lanes of a square of vectors.
func (b *block) transpose(rows []value) []value {
	n := len(rows)
	// Within 128-bit lanes: group g, column k holds column (lane, k) of its rows.
	var groups [][]value
	per := 128 / b.bits
	for g := 0; g < n; g += per {
		r := rows[g:]
		if b.bits == 64 {
			groups = append(groups, []value{b.shuffle("VUNPCKLPD", -1, r[0], r[1]), b.shuffle("VUNPCKHPD", -1, r[0], r[1])})
			continue
		}
		lo0, hi0 := b.shuffle("VUNPCKLPS", -1, r[0], r[1]), b.shuffle("VUNPCKHPS", -1, r[0], r[1])
		lo1, hi1 := b.shuffle("VUNPCKLPS", -1, r[2], r[3]), b.shuffle("VUNPCKHPS", -1, r[2], r[3])
		groups = append(groups, []value{
			b.shuffle("VUNPCKLPD", -1, lo0, lo1), b.shuffle("VUNPCKHPD", -1, lo0, lo1),
			b.shuffle("VUNPCKLPD", -1, hi0, hi1), b.shuffle("VUNPCKHPD", -1, hi0, hi1),
		})
	}
	// Across lanes.
	out := make([]value, n)
	for k := range per {
		if len(groups) == 2 {
			out[k] = b.shuffle("VPERM2F128", 0x20, groups[0][k], groups[1][k])
			out[per+k] = b.shuffle("VPERM2F128", 0x31, groups[0][k], groups[1][k])
			continue
		}
		op := "VSHUFF32X4"
		if b.bits == 64 {
			op = "VSHUFF64X2"
		}
		even01, odd01 := b.shuffle(op, 0x88, groups[0][k], groups[1][k]), b.shuffle(op, 0xdd, groups[0][k], groups[1][k])
		even23, odd23 := b.shuffle(op, 0x88, groups[2][k], groups[3][k]), b.shuffle(op, 0xdd, groups[2][k], groups[3][k])
		out[k] = b.shuffle(op, 0x88, even01, even23)
		out[per+k] = b.shuffle(op, 0x88, odd01, odd23)
		out[2*per+k] = b.shuffle(op, 0xdd, even01, even23)
		out[3*per+k] = b.shuffle(op, 0xdd, odd01, odd23)
	}
	return out
}
