package demo

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/content"
	"github.com/imprimatur-dev/imprimatur/store"
)

// Groups of the museum. Both edit the website; only the office sees the papers
// of the board.
const (
	groupEditing   = "editing"
	groupOffice    = "office"
	groupApproving = "approving"
)

func groups() []store.Group {
	all := store.Names{imprimatur.All}
	editing := store.Group{
		Name: groupEditing,
		Tables: store.Tables{
			Select: store.Names{content.Pages, content.Elements, content.Files, content.FileMetadata, content.Languages, content.Categories},
			Modify: store.Names{content.Pages, content.Elements, content.FileReferences, content.FileMetadata, tableNews},
		},
		Languages: store.Names{"0", "1"}, Fields: all, Values: all, PageTypes: store.Names{content.PageStandard},
		Mounts: store.Mounts{Pages: store.Names{fmt.Sprint(home)}, Files: store.Names{Storage + ":/pictures/"}},
	}
	return []store.Group{
		editing,
		{Name: groupOffice},
		{Name: groupApproving, Grants: store.Names{string(imprimatur.GrantApprove)}},
	}
}

// rights of the pages: everybody who edits, or the office alone.
func rights(group string) *content.PageRights {
	return &content.PageRights{Group: group, GroupMay: content.BitShow | content.BitEdit | content.BitDelete | content.BitNew | content.BitContent}
}

// guest is somebody to be there.
type guest struct {
	to  *imprimatur.User
	who store.NewUser
}

// invite makes sure that the people are there.
func (m *Museum) invite(ctx context.Context, st *store.Store, o Options) error {
	if err := st.ApplyGroups(ctx, groups()); err != nil {
		return err
	}
	guests := []guest{
		{&m.Editor, store.NewUser{Name: "Wiebke Harms", Lang: "de", Groups: []string{groupEditing, groupOffice}}},
		{&m.Approver, store.NewUser{Name: "Alice Penrose", Lang: "en", Groups: []string{groupEditing, groupApproving}}},
		{&m.Admin, store.NewUser{Name: "Thore Lund", Lang: cmp.Or(o.Lang, "en"), Admin: true, Groups: []string{groupEditing, groupOffice}}},
	}
	if slices.Contains(o.Languages, "fr") {
		guests = append(guests, guest{&m.French, store.NewUser{Name: "Maëlle Le Goff", Lang: "fr", Groups: []string{groupEditing, groupApproving}}})
	}
	for _, p := range guests {
		u, err := person(ctx, st, p.who)
		if err != nil {
			return fmt.Errorf("invite %s: %w", p.who.Name, err)
		}
		*p.to = u
	}
	return nil
}

// person returns somebody by name, who is added if need be and reads what they
// are to read.
func person(ctx context.Context, st *store.Store, who store.NewUser) (imprimatur.User, error) {
	u, err := st.UserByName(ctx, who.Name)
	switch {
	case err != nil:
		return u, err
	case !u.Exists():
		u, err = st.AddUser(ctx, who)
		if !errors.Is(err, store.ErrNameTaken) {
			return u, err
		}
		return st.UserByName(ctx, who.Name)
	case u.Lang != who.Lang:
		return st.ChangeUser(ctx, u.ID, store.UserChange{Lang: &who.Lang})
	default:
		return u, nil
	}
}

// People are those who are there, in the order in which they appear.
func (m *Museum) People() []imprimatur.User {
	people := []imprimatur.User{m.Editor, m.Approver, m.Admin}
	if m.French.Exists() {
		people = append(people, m.French)
	}
	return people
}

// at is somebody at their browser.
func at(u imprimatur.User) imprimatur.Actor {
	return imprimatur.Actor{Credential: imprimatur.CredentialSession, User: u, Lang: u.Lang}
}
