package foreign

// Nearest returns the one of names that is closest to an unknown name, or "" if no name is close.
func Nearest(name string, names []string) string {
	best, dist := "", (len(name)+1)/3
	for _, n := range names {
		if d := distance(name, n, dist); d <= dist && (best == "" || d < dist) {
			best, dist = n, d
		}
	}
	return best
}

// distance is the number of letters to insert, delete, replace or swap to turn
// a into b, or more than most if it is more than that.
func distance(a, b string, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row := rows[(i+2)%3], rows[i%3], rows[(i+1)%3]
		if i == 1 {
			last = rows[1]
		}
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return rows[(len(a)+1)%3][len(b)]
}
