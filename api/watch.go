package api

import (
	"net/http"
	"strings"
	"time"
)

// watch is GET /events: server-sent events whose data is the id of a run that
// changed, and nothing else. Whoever was away asks for the runs anew.
func (s *surface) watch(c *call) error {
	changed, err := s.Engine.Watch(c.r.Context(), c.actor)
	if err != nil {
		return err
	}
	h := c.w.Header()
	h.Set("Content-Type", mediaEvents)
	h.Set("Cache-Control", "no-store, no-transform")
	h.Set("X-Accel-Buffering", "no")
	if c.r.Method == http.MethodHead {
		return nil
	}
	out := http.NewResponseController(c.w)
	if !send(c.w, out, "retry: 2000\n\n") {
		return nil
	}
	beat := time.NewTicker(s.Heartbeat)
	defer beat.Stop()
	for {
		message := ":\n\n"
		select {
		case <-c.r.Context().Done():
			return nil
		case <-beat.C:
		case run, ok := <-changed:
			if !ok {
				return nil
			}
			message = "data: " + strings.NewReplacer("\n", "", "\r", "").Replace(run) + "\n\n"
		}
		if !send(c.w, out, message) {
			return nil
		}
	}
}

// patience is how long a client may take to accept one message of a stream.
const patience = 5 * time.Second

// send writes one message of a stream and flushes it; false means that the
// client is gone, or too slow to be waited for.
func send(w http.ResponseWriter, out *http.ResponseController, message string) bool {
	// A writer without deadlines (a test's) is one that never blocks.
	_ = out.SetWriteDeadline(time.Now().Add(patience))
	if _, err := w.Write([]byte(message)); err != nil {
		return false
	}
	return out.Flush() == nil
}
