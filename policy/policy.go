// Package policy decides which tool may be offered to whom. It is asked when a
// run begins, when it resumes, and about whoever approves a write. The three
// gates of a decision are elsewhere; the word gate is theirs.
package policy

import (
	"errors"

	"github.com/imprimatur-dev/imprimatur"
)

// Reason is why a tool is not offered.
type Reason string

// The reasons, in the order in which the rules are asked; the first that
// applies is the answer.
const (
	NotRegistered Reason = "notRegistered"
	Disabled      Reason = "toolDisabled"
	NoUser        Reason = "noUser"
	RequiresAdmin Reason = "requiresAdmin"
)

// Question asks about one tool and one user.
type Question struct {
	Tool imprimatur.Descriptor // the zero value for a name nobody registered
	User imprimatur.User       // the zero value for nobody
}

// Config is what the operator decided.
type Config struct {
	// Off names registered tools that nobody is offered.
	Off imprimatur.Set
}

// Policy answers questions. It holds no state and is safe for concurrent use.
type Policy struct {
	rules []func(Question) Reason
}

// New returns a policy. Its rules are one file each, asked in one order.
func New(c Config) (*Policy, error) {
	for _, name := range c.Off {
		if name == "" {
			return nil, errors.New("policy: an empty name cannot be switched off")
		}
	}
	return &Policy{rules: []func(Question) Reason{registered, enabled(c.Off), acting, admin}}, nil
}

// Check returns why the tool may not be offered to the user, empty when it may.
func (p *Policy) Check(q Question) Reason {
	for _, rule := range p.rules {
		if why := rule(q); why != "" {
			return why
		}
	}
	return ""
}
