package imprimatur

import "slices"

// Grant is a right of a person that no scope of a service account replaces.
type Grant string

// GrantApprove lets a person decide runs that others started. Administrators
// hold every grant.
const GrantApprove Grant = "agent_approve"

// Scope is what a service account may do. There are no wildcards.
type Scope string

// The scopes of a service account.
const (
	ScopeRead    Scope = "agent:read"
	ScopeApprove Scope = "agent:approve"
	ScopeCancel  Scope = "agent:cancel"
)

// Scopes lists every scope there is.
func Scopes() []Scope { return []Scope{ScopeRead, ScopeApprove, ScopeCancel} }

// Credential says how a caller proved who they are.
type Credential string

// The four kinds of credential (rulings §11).
const (
	CredentialSession Credential = "web_session"
	CredentialPerson  Credential = "person_token"
	CredentialAgent   Credential = "agent_token"
	CredentialService Credential = "service_account"
)

// All stands in a Set for "every member there is".
const All = "*"

// Set is a list of names; the member "*" means all. The zero value is none.
type Set []string

// Has reports whether the set holds name.
func (s Set) Has(name string) bool { return slices.Contains(s, All) || slices.Contains(s, name) }

// Rights are what the groups of a user allow, already merged. They are loaded
// under the user's rights version. The zero value allows nothing.
type Rights struct {
	Grants    []Grant `json:"grants,omitempty"`
	Select    Set     `json:"select,omitempty"`     // tables that may be read
	Modify    Set     `json:"modify,omitempty"`     // tables that may be written
	Languages Set     `json:"languages,omitempty"`  // language ids in decimal
	Fields    Set     `json:"fields,omitempty"`     // "table.column" of columns that need a grant
	Values    Set     `json:"values,omitempty"`     // "table.column.value" of values that need a grant
	PageTypes Set     `json:"page_types,omitempty"` // page types that may be created
	Pages     Set     `json:"pages,omitempty"`      // page mounts: uids in decimal
	Files     Set     `json:"files,omitempty"`      // file mounts: "storage:/folder/"
}

// User is a person a run may act for, or who may decide. The zero value is
// nobody and holds no right.
type User struct {
	ID      int64
	Name    string
	Email   string
	Lang    string // BCP 47; empty means English
	Admin   bool
	Enabled bool
	Version int64    // raised by every change of the user, their groups or grants
	Groups  []string // names, sorted
	Rights  Rights
}

// Exists reports whether the user is somebody.
func (u User) Exists() bool { return u.ID > 0 }

// Holds reports whether the user has the grant; administrators hold all.
func (u User) Holds(g Grant) bool {
	return u.Exists() && u.Enabled && (u.Admin || slices.Contains(u.Rights.Grants, g))
}

// Actor is who is asking: a person by session or token, an agent by token, or
// a service account. The zero value is nobody and may do nothing.
type Actor struct {
	Credential Credential
	User       User     // the person, or whom an agent token acts for; zero for a service account
	Token      string   // id of the token; empty for a session
	Service    string   // name of the service account
	Scopes     []Scope  // of a service account
	Tools      []string // that an agent token names
	Lang       string   // language of what this caller reads around a card
}

// Person reports whether a human being is asking.
func (a Actor) Person() bool {
	return (a.Credential == CredentialSession || a.Credential == CredentialPerson) && a.User.Exists() && a.User.Enabled
}

// By names whoever took a decision. A service account has id 0.
type By struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// By returns the actor as it stands in events and answers.
func (a Actor) By() By {
	if a.Credential == CredentialService {
		return By{Name: a.Service}
	}
	return By{ID: a.User.ID, Name: a.User.Name}
}

// scoped reports whether a service account declares exactly this scope. Scopes
// never count for people.
func (a Actor) scoped(s Scope) bool {
	return a.Credential == CredentialService && slices.Contains(a.Scopes, s)
}

// MaySee reports whether the actor may see the run itself: its text, events
// and record (rulings §11). Card and list entry are wider, see MaySeeCard.
func (a Actor) MaySee(r Ownership) bool {
	switch {
	case a.Credential == CredentialAgent:
		return a.Token != "" && a.Token == r.StartedBy
	case a.Person():
		return a.User.Admin || (r.Owner > 0 && a.User.ID == r.Owner)
	default:
		return a.scoped(ScopeRead)
	}
}

// MaySeeCard reports whether the actor may see list entry and card of the run.
func (a Actor) MaySeeCard(r Ownership) bool {
	return a.MaySee(r) || a.scoped(ScopeApprove) || a.Person() && a.User.Holds(GrantApprove)
}

// MayDecide reports whether the actor may decide the run at all; the gates
// come after.
func (a Actor) MayDecide(r Ownership) bool {
	if a.Person() {
		return a.User.Admin || a.User.Holds(GrantApprove) || (r.Owner > 0 && a.User.ID == r.Owner)
	}
	return a.scoped(ScopeApprove)
}

// MayCancel reports whether the actor may cancel the run.
func (a Actor) MayCancel(r Ownership) bool {
	if a.Credential == CredentialService {
		return a.scoped(ScopeCancel)
	}
	return a.MaySee(r)
}

// MayStart reports whether the actor may start runs.
func (a Actor) MayStart() bool {
	return a.Person() || a.Credential == CredentialAgent && a.User.Exists() && a.User.Enabled
}

// Ownership is what permission to act on a run depends on.
type Ownership struct {
	Owner     int64  // user the run acts for; 0 means none
	StartedBy string // id of the agent token that started it; empty for people
}
