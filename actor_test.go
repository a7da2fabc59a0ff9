package imprimatur_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/imprimatur-dev/imprimatur"
)

// Proves runtime 116, 181, 182, 183, 191.
func TestWhoMayDoWhatWithARun(t *testing.T) {
	t.Parallel()
	u := func(id int64, admin bool, grants ...imprimatur.Grant) imprimatur.User {
		return imprimatur.User{ID: id, Enabled: true, Admin: admin, Rights: imprimatur.Rights{Grants: grants}}
	}
	person := func(u imprimatur.User) imprimatur.Actor {
		return imprimatur.Actor{Credential: imprimatur.CredentialSession, User: u}
	}
	agent := func(token string, u imprimatur.User) imprimatur.Actor {
		return imprimatur.Actor{Credential: imprimatur.CredentialAgent, Token: token, User: u}
	}
	service := func(scopes ...imprimatur.Scope) imprimatur.Actor {
		a := imprimatur.Actor{Credential: imprimatur.CredentialService, Service: "s", Scopes: scopes}
		a.User.Rights.Grants = []imprimatur.Grant{imprimatur.GrantApprove} // a service account holds none, whatever it carries
		return a
	}
	disabled := u(1, true)
	disabled.Enabled = false
	mine := imprimatur.Ownership{Owner: 1}
	byToken := imprimatur.Ownership{Owner: 1, StartedBy: "tok"}
	nobodys := imprimatur.Ownership{}
	for name, c := range map[string]struct {
		actor imprimatur.Actor
		run   imprimatur.Ownership
		want  string // see, card, decide, cancel, start
	}{
		"owner":                         {person(u(1, false)), mine, "see card decide cancel start"},
		"administrator":                 {person(u(2, true)), mine, "see card decide cancel start"},
		"holder of the approve grant":   {person(u(2, false, imprimatur.GrantApprove)), mine, "card decide start"},
		"stranger":                      {person(u(2, false)), mine, "start"},
		"disabled administrator":        {person(disabled), mine, ""},
		"anonymous, run without owner":  {person(imprimatur.User{Enabled: true}), nobodys, ""},
		"nobody":                        {imprimatur.Actor{}, mine, ""},
		"the token that started it":     {agent("tok", u(1, false)), byToken, "see card cancel start"},
		"another token of the owner":    {agent("other", u(1, true)), byToken, "start"},
		"a token, and the owner's run":  {agent("tok", u(1, true)), mine, "start"},
		"a token without an id":         {agent("", u(1, true)), mine, "start"},
		"service without scopes":        {service(), mine, ""},
		"service that may cancel":       {service(imprimatur.ScopeCancel), mine, "cancel"},
		"service that may read":         {service(imprimatur.ScopeRead), mine, "see card"},
		"service that may approve":      {service(imprimatur.ScopeApprove), mine, "card decide"},
		"service with a made-up scope":  {service("agent:*"), mine, ""},
		"person with a service's scope": {imprimatur.Actor{Credential: imprimatur.CredentialPerson, User: u(2, false), Scopes: imprimatur.Scopes()}, mine, "start"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := ""
			for _, may := range []struct {
				word string
				yes  bool
			}{
				{"see", c.actor.MaySee(c.run)},
				{"card", c.actor.MaySeeCard(c.run)},
				{"decide", c.actor.MayDecide(c.run)},
				{"cancel", c.actor.MayCancel(c.run)},
				{"start", c.actor.MayStart()},
			} {
				if may.yes {
					got += " " + may.word
				}
			}
			if diff := cmp.Diff(c.want, fmt.Sprint(trimmed(got))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func trimmed(s string) string {
	if s == "" {
		return s
	}
	return s[1:]
}

// Proves runtime 206, 207; tools 137.
func TestAnApprovalIsAttributedToWhoeverDecided(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		decider, owner int64
		want           imprimatur.Attribution
	}{
		{1, 1, imprimatur.AttributedSelf},
		{2, 1, imprimatur.AttributedSecondPerson},
		{2, 0, imprimatur.AttributedNoInitiator},
		{0, 0, imprimatur.AttributedNobody},
		{-1, 1, imprimatur.AttributedNobody},
	} {
		if got := imprimatur.Attribute(c.decider, c.owner); got != c.want {
			t.Errorf("Attribute(%d, %d) = %s, want %s", c.decider, c.owner, got, c.want)
		}
	}
	all := []imprimatur.Attribution{imprimatur.AttributedSecondPerson, imprimatur.AttributedNoInitiator, imprimatur.AttributedNobody, imprimatur.AttributedSelf}
	for i := range all {
		if got := imprimatur.Collapse(all[:i+1]); got != all[i] {
			t.Errorf("Collapse(%v) = %s", all[:i+1], got)
		}
	}
	if imprimatur.Collapse(nil) != "" {
		t.Error("nothing collapsed to something")
	}
}

func TestEveryRefusalHasAStatusAndSaysWhetherTheRunStillWaits(t *testing.T) {
	t.Parallel()
	waits := map[imprimatur.Code]bool{
		imprimatur.CodeStaleTurn: true, imprimatur.CodeStalePicture: true, imprimatur.CodeSelfApproval: true,
		imprimatur.CodeApproverNotPermitted: true, imprimatur.CodePreviewWithheld: true, imprimatur.CodeNotAuditable: true,
	}
	for _, c := range imprimatur.Codes() {
		if s := c.Status(); s < 400 || s > 503 {
			t.Errorf("%s has status %d", c, s)
		}
		if c.CarriesCard() != waits[c] {
			t.Errorf("%s carries a card: %v", c, c.CarriesCard())
		}
	}
	if imprimatur.Code("made_up").Status() != 500 {
		t.Error("a code nobody knows is not a server error")
	}
}
