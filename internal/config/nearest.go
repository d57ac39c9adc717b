package config

// nearest gives the name that a typo most likely meant, or "": at most two
// edits away, and fewer than half of the letters.
func nearest(typo string, names []string) string {
	best, bestDistance := "", 3
	for _, name := range names {
		if d := editDistance(typo, name); d < bestDistance && 2*d < max(len(typo), len(name)) {
			best, bestDistance = name, d
		}
	}
	return best
}

// editDistance counts insertions, deletions, replacements and swaps of
// neighbours (optimal string alignment) that turn a into b.
func editDistance(a, b string) int {
	before := make([]int, len(b)+1)
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			replace := last[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			row[j] = min(replace, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
