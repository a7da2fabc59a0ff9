package openai

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/imprimatur-dev/imprimatur/model"
)

// maxErrorBody is how much of the body of a failure is read.
const maxErrorBody = 64 << 10

// post sends one request and returns the response of a good status. Its body
// fails with errTooLarge beyond the limit. Nothing is tried twice here.
func (m *Model) post(ctx context.Context, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, m.endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, misconfigured(fmt.Errorf("make request: %w", err))
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if m.stream {
		req.Header.Set("Accept", "text/event-stream")
	}
	if m.key != "" {
		req.Header.Set("Authorization", "Bearer "+m.key)
	}
	resp, err := m.client.Do(req)
	if err != nil {
		return nil, m.broken(0, "send request", err)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		defer resp.Body.Close() //nolint:errcheck // the status is the failure
		return nil, m.refused(resp)
	}
	resp.Body = &bounded{ReadCloser: resp.Body, left: m.maxBytes}
	return resp, nil
}

// refused names a failure by its status; the body only adds words. A body that
// cannot be read, or is no JSON, adds none: a proxy's page helps nobody.
func (m *Model) refused(resp *http.Response) *model.Error {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // what came is enough
	r, _ := reported(body)
	return fault(classOfStatus(resp.StatusCode), resp.StatusCode, "the server refused: %s", m.said(r.message))
}

// bounded is a body that fails with errTooLarge as soon as it has more than
// left bytes.
type bounded struct {
	io.ReadCloser
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, errTooLarge
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	b.left -= int64(n)
	if b.left < 0 {
		return n - 1, errTooLarge
	}
	return n, err
}
