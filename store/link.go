package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/imprimatur-dev/imprimatur"
)

var linkSQL = load("link.sql")

// linkLife is how long a sign-in link is valid.
const linkLife = 15 * time.Minute

// NewLink describes a sign-in link that is to be made.
type NewLink struct {
	User int64
	// Lasting makes a link that neither ends nor is used up, as those of the
	// demonstration are. Otherwise it signs in once, within 15 minutes.
	Lasting bool
}

// CreateLink makes a sign-in link and returns, this once, the secret in it. It
// answers ErrNoUser.
func (s *Store) CreateLink(ctx context.Context, n NewLink) (secret string, err error) {
	secret, hash := newSecret("")
	err = s.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		if u, err := s.userTx(ctx, tx, n.User); err != nil {
			return err
		} else if !u.Exists() {
			return ErrNoUser
		}
		expires := sql.NullInt64{Int64: now + linkLife.Milliseconds(), Valid: !n.Lasting}
		_, err := tx.ExecContext(ctx, linkSQL.get("AddLink"), hash, n.User, bit(n.Lasting), expires)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("create sign-in link: %w", err)
	}
	return secret, nil
}

// LinkUser returns whom a link would sign in, and changes nothing. It reports
// false for a link that UseLink would refuse.
func (s *Store) LinkUser(ctx context.Context, secret string) (u imprimatur.User, ok bool, err error) {
	now, err := s.now(ctx, s.reader)
	if err != nil {
		return imprimatur.User{}, false, err
	}
	var id int64
	err = s.reader.QueryRowContext(ctx, linkSQL.get("LinkUser"), hashOf(secret), now).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return imprimatur.User{}, false, nil
	}
	if err != nil {
		return imprimatur.User{}, false, fmt.Errorf("look up a sign-in link: %w", err)
	}
	if u, err = s.User(ctx, id); err != nil || !u.Enabled {
		return imprimatur.User{}, false, err
	}
	return u, true, nil
}

// UseLink uses a link up and returns whom it signs in. It reports false for one
// that is unknown, used or too old and for a user who is disabled. Of many who
// use a link at once, one is signed in.
func (s *Store) UseLink(ctx context.Context, secret string) (u imprimatur.User, ok bool, err error) {
	err = s.write(ctx, func(ctx context.Context, tx *sql.Tx, now int64) error {
		var id int64
		err := tx.QueryRowContext(ctx, linkSQL.get("UseLink"), now, hashOf(secret), now).Scan(&id)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		u, err = s.userTx(ctx, tx, id)
		return err
	})
	if err != nil {
		return imprimatur.User{}, false, fmt.Errorf("use a sign-in link: %w", err)
	}
	return u, u.Exists(), nil
}

// EndLinks ends every lasting link.
func (s *Store) EndLinks(ctx context.Context) error {
	err := s.write(ctx, func(ctx context.Context, tx *sql.Tx, _ int64) error {
		_, err := tx.ExecContext(ctx, linkSQL.get("EndLinks"))
		return err
	})
	if err != nil {
		return fmt.Errorf("end sign-in links: %w", err)
	}
	return nil
}
