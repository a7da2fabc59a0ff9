package demo

import (
	"context"
	"errors"
	"fmt"

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
	return &content.PageRights{Group: group, GroupMay: content.BitShow | content.BitEdit | content.BitNew | content.BitContent}
}

// invite makes sure that the three are there. lang is the language of the
// administrator.
func (m *Museum) invite(ctx context.Context, st *store.Store, lang string) error {
	if err := st.ApplyGroups(ctx, groups()); err != nil {
		return err
	}
	for _, p := range []struct {
		to  *imprimatur.User
		who store.NewUser
	}{
		{&m.Editor, store.NewUser{Name: "Wiebke Harms", Lang: "de", Groups: []string{groupEditing, groupOffice}}},
		{&m.Approver, store.NewUser{Name: "Alice Penrose", Lang: "en", Groups: []string{groupEditing, groupApproving}}},
		{&m.Admin, store.NewUser{Name: "Thore Lund", Lang: lang, Admin: true, Groups: []string{groupEditing, groupOffice}}},
	} {
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

// People are the three, in the order in which they appear.
func (m *Museum) People() []imprimatur.User {
	return []imprimatur.User{m.Editor, m.Approver, m.Admin}
}

// at is somebody at their browser.
func at(u imprimatur.User) imprimatur.Actor {
	return imprimatur.Actor{Credential: imprimatur.CredentialSession, User: u, Lang: u.Lang}
}
