package recipe

// fastest are recipes that were faster than what the cost model picks, by 3 to 30% in a
// search and in two or three runs of their own, on Emerald Rapids and Sapphire Rapids
// servers: by target and length. Most are long lines, of which the model knows too little.
var fastest = map[Target]map[int]string{
	{Bits: 32, Lanes: 8}: {
		1000:    "mixed 8|5.25",
		3125:    "mixed 25|5.25",
		1 << 12: "mixed 16|16.16",
		1 << 13: "mixed 16|8.8.8",
		10000:   "mixed 16|25.25",
		1 << 14: "mixed 8|8.16.16",
		1 << 15: "mixed 8|16.16.16",
		1 << 16: "mixed 8|8.8.8.16",
		1 << 17: "mixed 16|16.8.8.8",
		1 << 18: "mixed 16|8.4.8.8.8",
		1 << 19: "mixed 16|8.8.4.8.16",
		1 << 20: "mixed 16|8.8.4.16.16",
		44100:   "mixed 12.7|25.21",
	},
	{Bits: 64, Lanes: 4}: {
		1000:    "mixed 4|10.25",
		3125:    "mixed 5.25|25",
		1 << 12: "mixed 8|8.8.8",
		1 << 13: "mixed 8|8.16.8",
		10000:   "mixed 8|10.5.25",
		1 << 14: "mixed 8|8.16.16",
		1 << 15: "mixed 8|8.8.8.8",
		1 << 16: "mixed 16|8.8.4.16",
		1 << 17: "mixed 16|16.8.8.8",
		1 << 18: "mixed 16|16.8.16.8",
		1 << 19: "mixed 16|16.4.8.8.8",
		1 << 20: "mixed 16|16.4.8.8.16",
		22050:   "mixed 10.7|15.21",
	},
	{Bits: 32, Lanes: 16}: {
		1000:    "mixed 8|5.25",
		1512:    "mixed 8|9.21",
		3125:    "mixed 5.25|25",
		1 << 13: "mixed 16|16.32",
		1 << 17: "mixed 16|8.8.8.16",
		1 << 18: "mixed 16|8.8.16.16",
		1 << 19: "mixed 16|8.16.16.16",
		22050:   "mixed 15|7.10.21",
		44100:   "mixed 15|14.10.21",
	},
	{Bits: 64, Lanes: 8}: {
		980:     "mixed 4|5.7.7",
		1 << 10: "mixed 8|8.16",
		3125:    "mixed 25|5.25",
		1 << 12: "mixed 8|16.32",
		1 << 13: "mixed 8|8.8.16",
		10000:   "mixed 8|10.5.25",
		1 << 14: "mixed 8|8.16.16",
		1 << 16: "mixed 8|16.4.8.16",
		1 << 18: "mixed 8|16.8.16.16",
		44100:   "mixed 10.14|15.21",
	},
}

// fastestPlanes are the same for lines that are not interleaved, of lengths that have a kernel
// for the whole line if they are. 2048 float64 take 0.96 to 0.99 of the time, alone and in batches.
var fastestPlanes = map[Target]map[int]string{
	{Bits: 64, Lanes: 4}: {1 << 10: "mixed 8|8.16"},
}

// fastestOdd are the same for real lines of odd lengths, which have no radix of ten: a pass of 25 in place
// of two of five takes 0.95 to 0.97 of the time (float32 0.92 to 1.0). Shorter lines gain nothing.
var fastestOdd = map[Target]map[int]string{
	{Bits: 32, Lanes: 8}:  {3125: "mixed 5.5|5.25"},
	{Bits: 64, Lanes: 4}:  {3125: "mixed 5.5|5.25"},
	{Bits: 32, Lanes: 16}: {3125: "mixed 5.5|5.25", 9375: "mixed 15.5|5.25", 15625: "mixed 5.5.5|5.25"},
	{Bits: 64, Lanes: 8}:  {3125: "mixed 5.5|5.25", 9375: "mixed 15.5|5.25", 15625: "mixed 5.5.5|5.25"},
}

// fastestAlone are recipes for lines by themselves that are slower than those of fastest in
// batches, powers of two by 2 to 11%: with a last pass of radix 8 such lines run in their
// destination. Others begin with a lead of 15; with 64 of them in an outer cache that takes 1.35 to 1.6
// of the time.
var fastestAlone = map[Target]map[int]string{
	{Bits: 32, Lanes: 8}: {1 << 13: "mixed 8|16.8.8", 1 << 14: "mixed 8|16.16.8", 44100: "mixed 15|7.7.4.15"},
	{Bits: 64, Lanes: 4}: {1 << 14: "mixed 8|16.16.8", 1 << 16: "mixed 8|16.8.8.8", 22050: "mixed 15|10.7.21"},
}

// measured is the recipe that was found to be fastest, or nil.
func measured(n int, p *planner) *Recipe {
	text, ok := fastest[p.Target][n]
	if p.odd {
		text, ok = fastestOdd[p.Target][n]
	}
	if !ok && p.planes {
		text, ok = fastestPlanes[p.Target][n]
	}
	if !ok {
		return nil
	}
	return known(text)
}

// known is a recipe of the tables.
func known(text string) *Recipe {
	r, err := Parse(text)
	if err != nil {
		panic(err) // a test reads them all
	}
	return r
}
