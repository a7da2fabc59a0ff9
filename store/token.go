package store

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/imprimatur-dev/imprimatur"
)

var tokenSQL = load("token.sql")

// ErrNoToken says that there is no such token.
var ErrNoToken = errors.New("no such token")

// TokenKind says whose a token is.
type TokenKind string

// The three kinds of token.
const (
	TokenPerson  TokenKind = "person"
	TokenAgent   TokenKind = "agent"
	TokenService TokenKind = "service"
)

// tokenPrefixes tell the kind of a token at sight, to people and to scanners
// that look for leaked secrets.
var tokenPrefixes = map[TokenKind]string{TokenPerson: "imp_p_", TokenAgent: "imp_a_", TokenService: "imp_s_"}

// NewToken describes a token that is to be made.
type NewToken struct {
	Kind    TokenKind
	User    int64              // of a person or an agent; 0 for a service
	Tools   []string           // of an agent, at least one
	Service string             // name, of a service
	Scopes  []imprimatur.Scope // of a service, at least one
}

// Token is what is known of a token; the token itself is not.
type Token struct {
	ID       string             `json:"id"`
	Kind     TokenKind          `json:"kind"`
	User     imprimatur.By      `json:"user"` // zero for a service
	Service  string             `json:"service,omitempty"`
	Scopes   []imprimatur.Scope `json:"scopes,omitempty"`
	Tools    []string           `json:"tools,omitempty"`
	Created  imprimatur.Time    `json:"created_at"`
	LastUsed *imprimatur.Time   `json:"last_used_at,omitempty"` // to about a minute
	Revoked  *imprimatur.Time   `json:"revoked_at,omitempty"`
}

// CreateToken makes a token and returns its id and, this once, the token. It
// answers ErrNoUser, or a *Refusal that names what is wrong.
func (s *Store) CreateToken(ctx context.Context, n NewToken) (id, token string, err error) {
	n.Service = tidy(n.Service)
	if err := n.check(); err != nil {
		return "", "", err
	}
	token, hash := newSecret(tokenPrefixes[n.Kind])
	scopes, err := json.Marshal(n.Scopes)
	if err != nil {
		return "", "", fmt.Errorf("write scopes: %w", err)
	}
	tools, err := json.Marshal(n.Tools)
	if err != nil {
		return "", "", fmt.Errorf("write tools: %w", err)
	}
	id = s.newID()
	err = s.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		owner := sql.NullInt64{Int64: n.User, Valid: n.User != 0}
		if owner.Valid {
			if u, err := s.userTx(ctx, tx, n.User); err != nil {
				return err
			} else if !u.Exists() {
				return ErrNoUser
			}
		}
		_, err := tx.ExecContext(ctx, tokenSQL.get("AddToken"), id, hash, string(n.Kind), owner, n.Service, scopes, tools, now)
		return err
	})
	if err != nil {
		return "", "", fmt.Errorf("create token: %w", err)
	}
	return id, token, nil
}

var toolForm = regexp.MustCompile(`^[a-z0-9_]{1,64}$`)

func (n NewToken) check() error {
	switch n.Kind {
	case TokenPerson, TokenAgent:
		if n.User == 0 || n.Service != "" || len(n.Scopes) > 0 {
			return imprimatur.BadRequest("the token of a %s has a user, and neither service nor scopes", n.Kind)
		}
		if (n.Kind == TokenAgent) != (len(n.Tools) > 0) {
			return imprimatur.BadRequest("the token of an agent names its tools, that of a person none")
		}
	case TokenService:
		if n.User != 0 || len(n.Tools) > 0 || len(n.Scopes) == 0 {
			return imprimatur.BadRequest("the token of a service has a name and scopes, and neither user nor tools")
		}
		if err := checkName("service", n.Service); err != nil {
			return err
		}
	default:
		return imprimatur.BadRequest("a token is one of a person, an agent or a service")
	}
	for _, tool := range n.Tools {
		if !toolForm.MatchString(tool) {
			return imprimatur.BadRequest("%q is not the name of a tool", tool)
		}
	}
	for _, scope := range n.Scopes {
		if !slices.Contains(imprimatur.Scopes(), scope) {
			return imprimatur.BadRequest("there is no scope %q", scope)
		}
	}
	return nil
}

// Authenticate returns whoever holds the token, with the rights they have now.
// It reports false for a token that is unknown or revoked and for one of a user
// who is disabled.
func (s *Store) Authenticate(ctx context.Context, token string) (who imprimatur.Actor, ok bool, err error) {
	kind, ok := kindOf(token)
	if !ok {
		return imprimatur.Actor{}, false, nil
	}
	var stored TokenKind
	var owner sql.NullInt64
	var scopes, tools []byte
	err = s.reader.QueryRowContext(ctx, tokenSQL.get("TokenByHash"), hashOf(token), string(kind)).
		Scan(&who.Token, &stored, &owner, &who.Service, &scopes, &tools)
	if errors.Is(err, sql.ErrNoRows) {
		return imprimatur.Actor{}, false, nil
	}
	if err == nil {
		err = errors.Join(json.Unmarshal(scopes, &who.Scopes), json.Unmarshal(tools, &who.Tools))
	}
	if err != nil {
		return imprimatur.Actor{}, false, fmt.Errorf("look up a token: %w", err)
	}
	switch stored {
	case TokenPerson:
		who.Credential = imprimatur.CredentialPerson
	case TokenAgent:
		who.Credential = imprimatur.CredentialAgent
	case TokenService:
		who.Credential = imprimatur.CredentialService
	}
	if owner.Valid {
		if who.User, err = s.User(ctx, owner.Int64); err != nil {
			return imprimatur.Actor{}, false, err
		}
		if !who.User.Enabled {
			return imprimatur.Actor{}, false, nil
		}
		who.Lang = who.User.Lang
	}
	s.uses.note(who.Token)
	return who, true, nil
}

func kindOf(token string) (TokenKind, bool) {
	for kind, prefix := range tokenPrefixes {
		if secret, ok := strings.CutPrefix(token, prefix); ok && len(secret) == secretLength {
			return kind, true
		}
	}
	return "", false
}

// Tokens lists every token, or those of one user, oldest first; 0 means all.
func (s *Store) Tokens(ctx context.Context, user int64) ([]Token, error) {
	statement, args := "Tokens", []any(nil)
	if user != 0 {
		statement, args = "TokensOf", []any{user}
	}
	rows, err := s.reader.QueryContext(ctx, tokenSQL.get(statement), args...)
	if err != nil {
		return nil, fmt.Errorf("list tokens: %w", err)
	}
	defer rows.Close()
	var all []Token
	for rows.Next() {
		var t Token
		var scopes, tools []byte
		var created int64
		var used, revoked sql.NullInt64
		err := rows.Scan(&t.ID, &t.Kind, &t.User.ID, &t.User.Name, &t.Service, &scopes, &tools, &created, &used, &revoked)
		if err == nil {
			err = errors.Join(json.Unmarshal(scopes, &t.Scopes), json.Unmarshal(tools, &t.Tools))
		}
		if err != nil {
			return nil, fmt.Errorf("list tokens: %w", err)
		}
		t.Created, t.LastUsed, t.Revoked = imprimatur.Millis(created), optionalTime(used), optionalTime(revoked)
		all = append(all, t)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("list tokens: %w", err)
	}
	return all, nil
}

// RevokeToken ends a token for good; ending it again changes nothing. It
// answers ErrNoToken.
func (s *Store) RevokeToken(ctx context.Context, id string) error {
	err := s.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		if !storable(id) {
			return ErrNoToken
		}
		result, err := tx.ExecContext(ctx, tokenSQL.get("RevokeToken"), now, id)
		if err != nil {
			return err
		}
		if there, err := affected(result); err != nil || there {
			return err
		}
		return ErrNoToken
	})
	if err != nil {
		return fmt.Errorf("revoke token: %w", err)
	}
	return nil
}

// uses collects the ids of tokens that were used, so that a request that only
// reads does not write.
type uses struct {
	mu  sync.Mutex
	ids map[string]struct{}
}

func (u *uses) note(id string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.ids == nil {
		u.ids = map[string]struct{}{}
	}
	u.ids[id] = struct{}{}
}

func (u *uses) take() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	ids := slices.Sorted(maps.Keys(u.ids))
	u.ids = nil
	return ids
}

// SaveUses stores when tokens were last used: now, for those used since the
// last call. A server calls it once a minute; Close does too.
func (s *Store) SaveUses(ctx context.Context) error {
	ids := s.uses.take()
	if len(ids) == 0 {
		return nil
	}
	err := s.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		for _, id := range ids {
			if _, err := tx.ExecContext(ctx, tokenSQL.get("UseToken"), now, id); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("save the use of tokens: %w", err)
	}
	return nil
}

// secretLength is that of 32 bytes in base64.
const secretLength = 43

// newSecret returns 32 random bytes as text behind a prefix, and the hash of
// the whole text.
func newSecret(prefix string) (secret string, hash []byte) {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails
	secret = prefix + base64.RawURLEncoding.EncodeToString(b[:])
	return secret, hashOf(secret)
}

// hashOf is what is stored in place of a secret. It holds 256 random bits, so
// that no slow hash is needed.
func hashOf(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}
