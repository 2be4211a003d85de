package library

import "slices"

// punycoded is a label of a domain in the letters of ASCII (RFC 3492).
func punycoded(label string) string {
	const base, least, most, skew, damp = 36, 1, 26, 38, 700
	var out []byte
	runes := []rune(label)
	for _, c := range runes {
		if c < 0x80 {
			out = append(out, byte(c))
		}
	}
	if len(out) == len(runes) {
		return label
	}
	basic := len(out)
	if basic > 0 {
		out = append(out, '-')
	}
	digit := func(d int) byte { return "abcdefghijklmnopqrstuvwxyz0123456789"[d] }
	next, delta, bias := rune(0x80), 0, 72
	for done := basic; done < len(runes); {
		lowest := slices.MinFunc(runes, func(a, b rune) int { return int(beyond(a, next)) - int(beyond(b, next)) })
		delta += int(lowest-next) * (done + 1)
		next = lowest
		for _, c := range runes {
			if c < next {
				delta++
			}
			if c != next {
				continue
			}
			q := delta
			for k := base; ; k += base {
				t := min(max(k-bias, least), most)
				if q < t {
					break
				}
				out = append(out, digit(t+(q-t)%(base-t)))
				q = (q - t) / (base - t)
			}
			out = append(out, digit(q))
			step := delta / 2
			if done == basic {
				step = delta / damp
			}
			step += step / (done + 1)
			k := 0
			for ; step > (base-least)*most/2; k += base {
				step /= base - least
			}
			bias, delta = k+(base-least+1)*step/(step+skew), 0
			done++
		}
		delta++
		next++
	}
	return "xn--" + string(out)
}

// beyond is a character that is not below another one, else the last of all.
func beyond(c, next rune) rune {
	if c < next {
		return 0x7fffffff
	}
	return c
}
