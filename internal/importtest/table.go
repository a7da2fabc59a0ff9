// Package importtest keeps the rooms of the tree apart: its test fails when a
// package imports what the table below does not allow, or when anything but
// the loop executes a tool. See docs/adr/0008-rooms-and-imports.md.
package importtest

// A Room is a package, or with "/..." at its end a package and all below it.
type Room struct {
	Path   string   // relative to the module; "." is the root package
	Ours   []string // rooms of ours it may import, in the same notation
	Others []string // third-party packages, with all below them
}

// The third-party packages that stand in more than one room.
const (
	toml = "github.com/BurntSushi/toml"
	udif = "github.com/aymanbagabas/go-udiff"
	yaml = "go.yaml.in/yaml/v3"
)

// all is everything of ours but commands, examples and the helpers of tests.
var all = []string{
	".", "catalogue", "policy", "model/...", "tool/...", "store/...", "engine", "content", "editorial", "queue",
	"inbox", "browse", "account", "api", "mcpgate", "admin", "notify", "client", "demo/...",
	"internal/canon", "internal/lang", "internal/dial", "internal/seal", "internal/web", "internal/telemetry", "internal/loop",
}

// Table is who may import whom. A room that does not exist yet may stand in
// it; a package that stands in no room is refused. Tests are free: only what
// is built into a program counts.
func Table() []Room {
	return []Room{
		{Path: ".", Ours: []string{"internal/canon"}},
		{Path: "internal/canon"},
		{Path: "internal/lang"},
		{Path: "internal/dial"},
		{Path: "internal/seal", Others: []string{"github.com/tink-crypto/tink-go/v2"}},
		{Path: "internal/telemetry", Others: []string{
			"go.opentelemetry.io/otel", "github.com/prometheus/client_golang",
		}},
		{Path: "internal/web", Ours: []string{".", "catalogue", "internal/lang", "internal/telemetry"}},

		{Path: "catalogue", Ours: []string{".", "internal/lang", "internal/telemetry"}, Others: []string{
			"github.com/nicksnyder/go-i18n/v2", "golang.org/x/text", toml,
		}},
		{Path: "policy", Ours: []string{".", "internal/telemetry"}},
		{Path: "model", Ours: []string{".", "internal/telemetry"}},
		{Path: "model/scripted", Ours: []string{"internal/canon", ".", "model", "internal/telemetry"}, Others: []string{yaml}},
		{Path: "model/openai", Ours: []string{"internal/canon", ".", "model", "internal/telemetry"}, Others: []string{"github.com/sashabaranov/go-openai"}},
		{Path: "model/anthropic", Ours: []string{"internal/canon", ".", "model", "internal/telemetry"}, Others: []string{"github.com/anthropics/anthropic-sdk-go/v2"}},
		{Path: "tool", Ours: []string{"internal/canon", ".", "internal/telemetry"}, Others: []string{"github.com/santhosh-tekuri/jsonschema/v6"}},
		{Path: "tool/fetch", Ours: []string{".", "tool", "catalogue", "internal/dial", "internal/telemetry"}, Others: []string{
			"golang.org/x/net/html", "golang.org/x/net/idna",
		}},
		{Path: "tool/mcptool", Ours: []string{"internal/canon", ".", "tool", "catalogue", "internal/dial", "internal/telemetry"}, Others: []string{
			"github.com/modelcontextprotocol/go-sdk", udif,
		}},

		{Path: "internal/loop", Ours: []string{"internal/canon", ".", "model", "catalogue", "internal/telemetry"}},
		{Path: "store/...", Ours: []string{"internal/canon", ".", "store/...", "internal/lang", "internal/seal", "internal/dial", "internal/telemetry"}, Others: []string{
			"modernc.org/sqlite", "github.com/jackc/pgx/v5", "github.com/pressly/goose/v3", "golang.org/x/mod/sumdb/note", "golang.org/x/text/unicode/norm",
		}},
		{Path: "engine", Ours: []string{"internal/canon", ".", "policy", "model", "catalogue", "internal/loop", "store/...", "internal/telemetry"}},
		{Path: "queue", Ours: []string{"engine", "store/...", "internal/telemetry"}, Others: []string{"github.com/riverqueue/river", "github.com/jackc/pgx/v5"}},
		{Path: "content", Ours: []string{".", "internal/lang", "internal/telemetry"}, Others: []string{toml}},
		{Path: "editorial", Ours: []string{".", "tool", "catalogue", "content", "internal/telemetry"}},

		{Path: "inbox", Ours: []string{".", "catalogue", "internal/web", "internal/telemetry"}, Others: []string{udif}},
		{Path: "api", Ours: []string{".", "catalogue", "internal/web", "internal/telemetry"}, Others: []string{"github.com/danielgtaylor/huma/v2"}},
		{Path: "mcpgate", Ours: []string{".", "catalogue", "internal/web", "internal/telemetry"}, Others: []string{"github.com/modelcontextprotocol/go-sdk"}},
		{Path: "notify", Ours: []string{".", "store/...", "internal/dial", "internal/telemetry"}},
		{Path: "admin", Ours: []string{".", "catalogue", "policy", "store/...", "internal/web", "internal/telemetry"}},
		{Path: "browse", Ours: []string{".", "catalogue", "content", "internal/web", "internal/telemetry"}},
		{Path: "account", Ours: []string{".", "catalogue", "store/...", "internal/web", "internal/telemetry"}, Others: []string{
			"github.com/coreos/go-oidc/v3", "golang.org/x/oauth2", "github.com/alexedwards/scs/v2", "golang.org/x/crypto/argon2", "golang.org/x/text/unicode/norm",
		}},
		{Path: "client", Ours: []string{".", "internal/telemetry"}},
		{Path: "demo/...", Ours: []string{".", "demo/...", "content", "engine", "store/...", "internal/telemetry"}},

		{Path: "imprimaturtest", Ours: append([]string{"internal/faultsql", "internal/pgtest", "internal/realdata"}, all...), Others: []string{
			"github.com/google/go-cmp",
		}},
		{Path: "cmd/...", Ours: append([]string{"cmd/..."}, all...), Others: []string{
			"github.com/alecthomas/kong", "github.com/knadh/koanf", yaml, "golang.org/x/term", "golang.org/x/sys",
			"go.opentelemetry.io", "github.com/prometheus/client_golang",
		}},
		{Path: "examples/...", Ours: append([]string{"imprimaturtest"}, all...)},

		// What checks the tree is in no program: only tests and commands of
		// its own use it.
		{Path: "content/contenttest", Ours: []string{".", "content", "store/..."}, Others: []string{"modernc.org/sqlite", "github.com/pressly/goose/v3"}},
		{Path: "internal/faultsql", Ours: []string{"store/..."}, Others: []string{"modernc.org/sqlite", "github.com/jackc/pgx/v5"}},
		{Path: "internal/pgtest", Others: []string{"github.com/jackc/pgx/v5"}},
		{Path: "internal/realdata"},
		{Path: "internal/importtest", Others: []string{"golang.org/x/tools/go/packages"}},
		{Path: "internal/check"},
		{Path: "internal/states", Ours: []string{"."}},
		{Path: "internal/scenarios", Others: []string{toml, "golang.org/x/tools/txtar"}},
		{Path: "internal/guards", Others: []string{toml}},
	}
}
