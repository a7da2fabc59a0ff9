package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
)

// What a program is told about the tools that show a card is held over the
// server as it is put together, not over the tools alone.
func TestTheServerNamesEveryToolThatShowsACard(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := newDesk(t, dir)
	if err := os.WriteFile(filepath.Join(dir, "desk.yaml"), []byte("listen: 127.0.0.1:0\ndatabase: sqlite:desk.db\nseal: none\ncontent: {storages: {media: ./media}}\ntools: {editorial: {enabled: true}, fetch: {ask: true}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d.do("user", "add", "Jana Roth")
	ctx, stop := context.WithCancel(t.Context())
	reader, writer := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		a := &app{in: os.Stdin, out: writer, err: io.Discard, env: func(string) (string, bool) { return "", false }}
		ended <- a.run(ctx, []string{"serve", "--json", "--config", d.config})
		_ = writer.Close()
	}()
	t.Cleanup(func() {
		stop()
		if code := <-ended; code != exitOK {
			t.Errorf("serving exits with %d", code)
		}
	})
	first, err := bufio.NewReader(reader).ReadBytes('\n')
	var at struct{ URL string }
	if err != nil || json.Unmarshal(first, &at) != nil {
		t.Fatalf("first line %q: %v", first, err)
	}
	jana := caller{bearer: d.token("--user", "Jana Roth")}
	status, body := jana.ask(t, http.MethodGet, at.URL+"/api/v1/tools", "")
	var tools []imprimatur.OfferedTool
	if err := json.Unmarshal([]byte(body), &tools); status != http.StatusOK || err != nil {
		t.Fatalf("%d %s: %v", status, body, err)
	}
	type told struct {
		Effect             imprimatur.Effect
		Previews, Approval bool
	}
	once, again := told{imprimatur.NonIdempotentWrite, true, true}, told{imprimatur.IdempotentWrite, true, true}
	want := map[string]told{
		"create_page_draft": once, "set_page_social_image": once, "create_content_element_draft": once, "create_translation_draft": once,
		"attach_file_to_content_element": once, "attach_file_to_record": once, "create_record_draft": once, "copy_record": once, "replace_file_reference": once,
		"move_page": again, "update_page_metadata": again, "update_content_element": again, "move_content_element": again, "publish_record": again,
		"delete_record": again, "set_file_alternative_text": again, "update_file_metadata": again,
		"fetch_external_url": {imprimatur.ReadOnly, true, true},
	}
	got := map[string]told{}
	for _, tool := range tools {
		if tool.Previews || tool.RequiresApproval || tool.Effect != imprimatur.ReadOnly {
			got[tool.Name] = told{tool.Effect, tool.Previews, tool.RequiresApproval}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tools that show a card (-want +got):\n%s", diff)
	}
}
