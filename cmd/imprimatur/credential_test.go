package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
)

// desk gives commands to the database of a demonstration.
type desk struct {
	t      *testing.T
	config string
}

func newDesk(t *testing.T, dir string) desk {
	t.Helper()
	d := desk{t, filepath.Join(dir, "desk.yaml")}
	text := "database: sqlite:demo.db\nseal: none\ncontent: {storages: {media: ./media}}\n"
	if err := os.WriteFile(d.config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return d
}

// do gives a command and returns what it prints, as JSON.
func (d desk) do(args ...string) map[string]any {
	d.t.Helper()
	var out, talk bytes.Buffer
	a := &app{in: os.Stdin, out: &out, err: &talk, env: func(string) (string, bool) { return "", false }}
	if code := a.run(context.Background(), append(args, "--config", d.config)); code != 0 {
		d.t.Fatalf("%v: %d\n%s", args, code, &talk)
	}
	printed := map[string]any{}
	_ = json.Unmarshal(out.Bytes(), &printed) // some print none
	return printed
}

func (d desk) token(args ...string) string {
	d.t.Helper()
	token, _ := d.do(append([]string{"token", "create", "--json"}, args...)...)["token"].(string)
	return token
}

// caller is one credential of the matrix.
type caller struct {
	name   string
	bearer string
	client *http.Client
}

// ask sends a request and returns status and body.
func (c caller) ask(t *testing.T, method, address, body string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if !strings.Contains(address, "/api/") {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if c.bearer != "" {
		r.Header.Set("Authorization", "Bearer "+c.bearer)
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	if c.client != nil {
		client.Jar = c.client.Jar
	}
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	b, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(b)
}

// credentials are one of every kind; the first ones are no longer anybody's.
func credentials(t *testing.T, s *shown, d desk) []caller {
	t.Helper()
	owner := s.Users[0]
	revoked := d.do("token", "create", "--json", "--user", owner.Name)
	d.do("token", "revoke", revoked["id"].(string))
	d.do("user", "add", "Gone", "--admin")
	gone := d.token("--user", "Gone")
	link, _ := d.do("user", "link", "Gone", "--json")["url"].(string)
	left := browser(t)
	if status, _ := fetched(t, left, http.MethodPost, s.URL+link[strings.Index(link, "/login/"):], nil, nil); status != http.StatusOK {
		t.Fatalf("signing in: %d", status)
	}
	goneAgent := d.token("--user", "Gone", "--agent", "--tool", "get_page_content")
	d.do("user", "disable", "Gone")
	return []caller{
		{name: "nobody"},
		{name: "a made up token", bearer: "imp_p_" + strings.Repeat("x", 43)},
		{name: "a revoked token", bearer: revoked["token"].(string)},
		{name: "a token of somebody disabled", bearer: gone},
		{name: "an agent token of somebody disabled", bearer: goneAgent},
		{name: "a session of somebody disabled", client: left},
		{name: "a wrong token beside a session", bearer: "imp_p_", client: s.signIn(t, 2)},
		{name: "the owner", bearer: owner.Token},
		{name: "a session of the owner", client: s.signIn(t, 0)},
		{name: "an approver", bearer: s.Users[1].Token},
		{name: "an administrator", bearer: s.Users[2].Token},
		{name: "an agent", bearer: d.token("--user", owner.Name, "--agent", "--tool", "get_page_content")},
		{name: "an agent of an administrator", bearer: d.token("--user", s.Users[2].Name, "--agent", "--tool", "get_page_content")},
		{name: "a service that reads", bearer: d.token("--service", "reader", "--scope", "agent:read")},
		{name: "a service that approves", bearer: d.token("--service", "approver", "--scope", "agent:approve")},
		{name: "a service that cancels", bearer: d.token("--service", "canceller", "--scope", "agent:cancel")},
	}
}

func TestEveryCredentialOnEveryRoute(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := show(t, "--data", dir)
	callers := credentials(t, s, newDesk(t, dir))
	agent := callers[11]
	status, body := agent.ask(t, http.MethodPost, s.URL+"/api/v1/runs", `{"agent":"museum","prompt":"hello"}`)
	var own imprimatur.Run
	if err := json.Unmarshal([]byte(body), &own); status != http.StatusOK || err != nil {
		t.Fatalf("the agent's own run: %d, %v, %s", status, err, body)
	}
	run, missing := runOf(t, dir, "small_edit"), strings.Repeat("a", 26)
	approve := `{"verdict":"approve","turn_digest":"0","picture_digest":"0"}`
	deny := `{"verdict":"deny","turn_digest":"0"}`
	// One answer for whoever is nobody; then owner, their session, approver,
	// administrator; agent, agent of an administrator; services that read,
	// approve, cancel.
	routes := []struct {
		method, path, body string
		nobody             int
		want               [9]int
	}{
		{"GET", "/", "", 303, [9]int{200, 200, 200, 200, 403, 403, 403, 403, 403}},
		{"GET", "/runs/RUN", "", 303, [9]int{200, 200, 200, 200, 403, 403, 403, 403, 403}},
		{"GET", "/runs/OWN", "", 303, [9]int{200, 200, 404, 200, 403, 403, 403, 403, 403}},
		{"GET", "/runs/RUN/arguments/0", "", 303, [9]int{200, 200, 200, 200, 403, 403, 403, 403, 403}},
		{"GET", "/runs/RUN/decide", "", 303, [9]int{303, 303, 303, 303, 403, 403, 403, 403, 403}},
		{"POST", "/runs/RUN/decide", "", 401, [9]int{400, 400, 400, 400, 403, 403, 403, 403, 403}},
		{"POST", "/runs/NONE/cancel", "", 401, [9]int{404, 404, 404, 404, 403, 403, 403, 403, 403}},
		{"POST", "/demo/change", "run=NONE", 401, [9]int{404, 404, 404, 404, 403, 403, 403, 403, 403}},
		{"GET", "/api/v1/runs", "", 401, [9]int{200, 200, 200, 200, 200, 200, 200, 200, 200}},
		{"GET", "/api/v1/tools", "", 401, [9]int{200, 200, 200, 200, 200, 200, 200, 200, 200}},
		{"HEAD", "/api/v1/events", "", 401, [9]int{200, 200, 200, 200, 200, 200, 200, 200, 200}},
		{"GET", "/api/v1/runs/RUN", "", 401, [9]int{200, 200, 404, 200, 404, 404, 200, 404, 404}},
		{"GET", "/api/v1/runs/RUN/card", "", 401, [9]int{200, 200, 200, 200, 404, 404, 200, 200, 404}},
		{"GET", "/api/v1/runs/RUN/events", "", 401, [9]int{200, 200, 404, 200, 404, 404, 200, 404, 404}},
		{"POST", "/api/v1/runs/RUN/decision", approve, 401, [9]int{409, 409, 409, 409, 404, 404, 403, 409, 404}},
		{"POST", "/api/v1/runs/RUN/decision", deny, 401, [9]int{409, 409, 409, 409, 404, 404, 403, 409, 404}},
		{"GET", "/api/v1/runs/OWN", "", 401, [9]int{200, 200, 404, 200, 200, 404, 200, 404, 404}},
		{"GET", "/api/v1/runs/OWN/events", "", 401, [9]int{200, 200, 404, 200, 200, 404, 200, 404, 404}},
		{"POST", "/api/v1/runs/OWN/decision", approve, 401, [9]int{409, 409, 409, 409, 403, 404, 409, 409, 404}},
		{"POST", "/api/v1/runs/OWN/decision", deny, 401, [9]int{409, 409, 409, 409, 403, 404, 409, 409, 404}},
		{"POST", "/api/v1/runs/OWN/cancel", "", 401, [9]int{409, 409, 404, 409, 409, 404, 403, 404, 409}},
		{"POST", "/api/v1/runs/NONE/cancel", "", 401, [9]int{404, 404, 404, 404, 404, 404, 404, 404, 404}},
		{"POST", "/api/v1/runs", `{"agent":"none","prompt":"x"}`, 401, [9]int{400, 400, 400, 400, 400, 400, 403, 403, 403}},
	}
	const nobodies = 7
	names := strings.NewReplacer("RUN", run, "OWN", own.ID, "NONE", missing)
	for _, route := range routes {
		for i, c := range callers {
			want := route.nobody
			if i >= nobodies {
				want = route.want[i-nobodies]
			}
			got, body := c.ask(t, route.method, s.URL+names.Replace(route.path), names.Replace(route.body))
			if got != want {
				t.Errorf("%s %s by %s: %d, want %d", route.method, route.path, c.name, got, want)
			}
			if strings.HasPrefix(route.path, "/api/v1/runs/OWN/decision") && c.name == agent.name && !strings.Contains(body, `/own_credential"`) {
				t.Errorf("%s %s by %s: %s", route.method, route.path, c.name, body)
			}
			if got != http.StatusNotFound || !strings.Contains(route.path, "/api/v1/runs/RUN") {
				continue
			}
			// What somebody may not see is not there, to the byte.
			_, none := c.ask(t, route.method, s.URL+strings.Replace(route.path, "RUN", missing, 1), route.body)
			if none != strings.ReplaceAll(body, run, missing) {
				t.Errorf("%s %s by %s tells that there is such a run:\n%s\n%s", route.method, route.path, c.name, body, none)
			}
		}
	}
}
