package trace

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

const (
	witnessPrefix = "rs1"
	digits        = "0123456789abcdefghjkmnpqrstvwxyz" // Crockford's base32
	digitBits     = 5
	maxHolds      = 8
	sumDigits     = 4
)

// Witness gives the schedule as a witness seed: witnessPrefix and the digits of
// docs/schedules.md. The same schedule gives the same string; holds keep their
// order. Errors: no hold or more than 8, a field out of its range.
func (s Schedule) Witness() (string, error) {
	if n := len(s.Holds); n < 1 || n > maxHolds {
		return "", fmt.Errorf("a witness carries 1 to %d holds, not %d", maxHolds, n)
	}
	var b bitWriter
	b.put(uint64(len(s.Holds)-1), 3)
	for i, hold := range s.Holds {
		if err := hold.encode(&b); err != nil {
			return "", fmt.Errorf("hold %d: %w", i+1, err)
		}
	}
	payload := b.values
	text := []byte(witnessPrefix)
	for _, d := range slices.Concat(payload, checksum(payload)) {
		text = append(text, digits[d])
	}
	return string(text), nil
}

func (h Hold) encode(b *bitWriter) error {
	if h.Side > Completion {
		return fmt.Errorf("side is %d, not 0 (start) or 1 (completion)", h.Side)
	}
	code, form, err := h.Horizon.form()
	if err != nil {
		return err
	}
	b.put(uint64(h.Side), 1)
	b.put(uint64(code), 3)
	b.put(uint64(h.Point), 32)
	if form.point {
		b.put(uint64(h.Horizon.Point), 32)
	}
	if form.timers {
		b.put(uint64(h.Horizon.N-1), 3)
	}
	if form.delay {
		b.put(uint64(h.Horizon.DelayMs), 12)
	}
	return nil
}

// ParseWitness takes a witness seed back. Upper case and Crockford's O, I and L
// for 0 and 1 are accepted. A change of one or two characters is always noticed.
func ParseWitness(text string) (Schedule, error) {
	s, err := parseWitness(text)
	if err != nil {
		return Schedule{}, fmt.Errorf("witness %q: %w", text, err)
	}
	return s, nil
}

func parseWitness(text string) (Schedule, error) {
	values, err := witnessDigits(text)
	if err != nil {
		return Schedule{}, err
	}
	payload := values[:max(0, len(values)-sumDigits)]
	sound := bytes.Equal(checksum(payload), values[len(payload):])
	b := bitReader{digits: payload}
	s, err := decodeSchedule(&b)
	switch rest := b.rest(); {
	case rest < 0:
		return s, fmt.Errorf("it is too short: characters are missing, or one is mistyped")
	case err == nil && rest >= digitBits:
		return s, fmt.Errorf("it is too long by %d characters, or one is mistyped", rest/digitBits)
	case !sound:
		return s, fmt.Errorf("its checksum is wrong: it is mistyped")
	case err == nil && b.take(rest) != 0:
		return s, fmt.Errorf("there are bits behind its last hold")
	}
	return s, err
}

// decodeSchedule reads what Witness put; past the end it reads zeros.
func decodeSchedule(b *bitReader) (s Schedule, err error) {
	for n := b.take(3) + 1; n > 0; n-- {
		hold := Hold{Side: Side(b.take(1))}
		code := b.take(3)
		if code >= uint64(len(horizonForms)) {
			return s, fmt.Errorf("horizon code %d is unknown: a newer raceseed made it, update this one", code)
		}
		form := horizonForms[code]
		hold.Horizon.Kind = form.kind
		hold.Point = uint32(b.take(32))
		if form.point {
			hold.Horizon.Point = uint32(b.take(32))
		}
		if form.timers {
			hold.Horizon.N = int(b.take(3)) + 1
		}
		if form.delay {
			hold.Horizon.DelayMs = int(b.take(12))
		}
		s.Holds = append(s.Holds, hold)
	}
	return s, nil
}

// witnessDigits gives the values of the digits behind the prefix.
func witnessDigits(text string) ([]byte, error) {
	text = usual(text)
	body, found := strings.CutPrefix(text, witnessPrefix)
	if !found {
		if len(text) > 2 && text[:2] == "rs" && text[2] >= '2' && text[2] <= '9' {
			return nil, fmt.Errorf("a newer raceseed made it, update this one, which reads %s", witnessPrefix)
		}
		return nil, fmt.Errorf("it does not begin with %s", witnessPrefix)
	}
	var values []byte
	for _, c := range body {
		value := strings.IndexRune(digits, c)
		if value < 0 {
			return nil, fmt.Errorf("the character %q at position %d is not allowed", c, len(witnessPrefix)+len(values)+1)
		}
		values = append(values, byte(value))
	}
	return values, nil
}

// usual replaces what people may type for a digit. ASCII only: strings.ToLower
// would make a k of the Kelvin sign.
func usual(text string) string {
	return strings.Map(func(c rune) rune {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		switch c {
		case 'o':
			return '0'
		case 'i', 'l':
			return '1'
		}
		return c
	}, text)
}

// checksum gives the CRC of the digits' values, as four digits. Its polynomial
// 0x18359f, (x+1) times a primitive one, is 0xc1acf in Koopman's list of CRCs:
// any change within 20 adjacent bits, and of any two characters, changes the sum.
func checksum(payload []byte) []byte {
	const top = 1 << 20
	sum := uint32(top - 1)
	for _, value := range payload {
		sum ^= uint32(value) << (20 - digitBits)
		for range digitBits {
			if sum <<= 1; sum&top != 0 {
				sum ^= 0x18359f
			}
		}
	}
	return []byte{byte(sum >> 15), byte(sum >> 10 & 31), byte(sum >> 5 & 31), byte(sum & 31)}
}

// bitWriter collects numbers as digits of five bits, first bit highest.
type bitWriter struct {
	values []byte
	used   int // bits
}

func (b *bitWriter) put(v uint64, width int) {
	for i := width - 1; i >= 0; i-- {
		if b.used%digitBits == 0 {
			b.values = append(b.values, 0)
		}
		b.values[b.used/digitBits] |= byte(v>>i&1) << (digitBits - 1 - b.used%digitBits)
		b.used++
	}
}

// bitReader takes them back. Past the end it gives zeros.
type bitReader struct {
	digits []byte
	at     int // bit
}

func (b *bitReader) take(width int) (v uint64) {
	for range width {
		v <<= 1
		if i := b.at / digitBits; i < len(b.digits) {
			v |= uint64(b.digits[i] >> (digitBits - 1 - b.at%digitBits) & 1)
		}
		b.at++
	}
	return v
}

// rest is the number of bits that were not taken, negative past the end.
func (b *bitReader) rest() int { return digitBits*len(b.digits) - b.at }
