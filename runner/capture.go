package runner

import (
	"fmt"
	"io"
)

// The output kept of one run: enough for the banner of a suite and for the
// failures at its end; what lies between is counted only.
const (
	maxHeadBytes = 64 << 10
	maxTailBytes = 256 << 10
)

// capture keeps the head and the tail of what is written to it.
type capture struct {
	tee     io.Writer // or nil
	head    []byte
	tail    []byte
	dropped int // bytes between head and tail
}

func newCapture(tee io.Writer) *capture { return &capture{tee: tee} }

// Write never fails: a closed terminal must not break the test command's pipe.
func (c *capture) Write(p []byte) (int, error) {
	if c.tee != nil {
		if _, err := c.tee.Write(p); err != nil {
			c.tee = nil
		}
	}
	n := len(p)
	if room := maxHeadBytes - len(c.head); room > 0 {
		room = min(room, len(p))
		c.head = append(c.head, p[:room]...)
		p = p[room:]
	}
	c.tail = append(c.tail, p...)
	// Cutting at twice the size copies each byte once on average.
	if len(c.tail) > 2*maxTailBytes {
		c.cut()
	}
	return n, nil
}

func (c *capture) cut() {
	if extra := len(c.tail) - maxTailBytes; extra > 0 {
		c.dropped += extra
		c.tail = append([]byte(nil), c.tail[extra:]...)
	}
}

func (c *capture) String() string {
	c.cut()
	if c.dropped == 0 {
		return string(c.head) + string(c.tail)
	}
	return fmt.Sprintf("%s\n… %d bytes of output left out …\n%s", c.head, c.dropped, c.tail)
}
