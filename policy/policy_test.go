package policy_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/policy"
)

type fake struct {
	name  string
	admin bool
}

func (f fake) Spec() imprimatur.Spec {
	return imprimatur.Spec{Name: f.name, Schema: json.RawMessage(`{"type":"object"}`)}
}

func (f fake) Execute(context.Context, imprimatur.Call) (imprimatur.Result, error) {
	return imprimatur.Result{}, nil
}
func (f fake) AdminOnly() bool { return f.admin }

func describe(t *testing.T, f fake) imprimatur.Descriptor {
	t.Helper()
	d, err := imprimatur.Describe(f)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestTheFirstRuleThatAppliesIsTheAnswer(t *testing.T) {
	t.Parallel()
	editor := imprimatur.User{ID: 1, Enabled: true}
	chief := imprimatur.User{ID: 2, Enabled: true, Admin: true}
	gone := imprimatur.User{ID: 3, Admin: true}
	p, err := policy.New(policy.Config{Off: imprimatur.Set{"off"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		q    policy.Question
		want policy.Reason
	}{
		"unknown":                     {policy.Question{User: chief}, policy.NotRegistered},
		"off before admin":            {policy.Question{Tool: describe(t, fake{"off", true}), User: editor}, policy.Disabled},
		"off for administrators too":  {policy.Question{Tool: describe(t, fake{"off", false}), User: chief}, policy.Disabled},
		"nobody":                      {policy.Question{Tool: describe(t, fake{"read", false})}, policy.NoUser},
		"disabled administrator":      {policy.Question{Tool: describe(t, fake{"read", true}), User: gone}, policy.NoUser},
		"admin tool for an editor":    {policy.Question{Tool: describe(t, fake{"logs", true}), User: editor}, policy.RequiresAdmin},
		"admin tool for an admin":     {policy.Question{Tool: describe(t, fake{"logs", true}), User: chief}, ""},
		"ordinary tool for an editor": {policy.Question{Tool: describe(t, fake{"read", false}), User: editor}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := p.Check(c.q); got != c.want {
				t.Errorf("Check = %q, want %q", got, c.want)
			}
		})
	}
}

func TestAnEmptyNameCannotBeSwitchedOff(t *testing.T) {
	t.Parallel()
	if _, err := policy.New(policy.Config{Off: imprimatur.Set{""}}); err == nil {
		t.Error("New accepted an empty name")
	}
}
