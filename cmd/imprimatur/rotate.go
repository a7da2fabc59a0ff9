package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/imprimatur-dev/imprimatur/internal/seal"
	"github.com/imprimatur-dev/imprimatur/store"
)

type keyRotateCmd struct {
	local
	Add  bool `xor:"step" help:"First step: put a new key into the keyset, which opens and does not seal yet."`
	Drop bool `xor:"step" help:"Last step: take keys out of the keyset that nothing is sealed with."`
}

// Example implements exampled.
func (keyRotateCmd) Example() string { return "imprimatur key rotate --config imprimatur.yaml" }

// Help implements kong.HelpProvider.
func (keyRotateCmd) Help() string {
	return "Three steps. With --add a new key is put into the keyset; give the file to every server and restart them. Without a flag that key seals from then on, and everything that is stored is sealed with it; restart the servers once more and repeat it until doctor names one key. With --drop the keys go that nothing needs. Each step can be interrupted and repeated, and servers go on meanwhile."
}

// Run takes one step of a rotation.
func (c *keyRotateCmd) Run(a *app) error {
	cfg, err := loadBeside(c.Config, a.env)
	if err != nil {
		return err
	}
	if cfg.Seal.None {
		return usageError{"seal is none: there is no key to rotate"}
	}
	keys, err := cfg.keyset()
	if err != nil {
		return fmt.Errorf("read keyset: %w", err)
	}
	file := cfg.path(cfg.Seal.Keyset)
	switch {
	case c.Add:
		return addKey(a, file, keys)
	case c.Drop:
		return dropKeys(a, cfg, file, keys)
	}
	return rotateKey(a, cfg, file, keys)
}

// addKey gives the keyset a key more, unless the last one seals nothing yet:
// whoever is interrupted and begins again has not two.
func addKey(a *app, file string, keys []byte) error {
	ids, primary, err := seal.Keys(keys)
	if err != nil {
		return err
	}
	if last := ids[len(ids)-1]; last != primary {
		a.say("Key %d is there already and seals nothing yet. Give %s to every server, restart them, then run: imprimatur key rotate", last, plain(file))
		return nil
	}
	more, err := seal.AddKey(keys)
	if err != nil {
		return err
	}
	if err := replaceKeyset(file, more); err != nil {
		return err
	}
	a.say("Added a key to %s. Keep a copy elsewhere, give the file to every server, restart them, then run: imprimatur key rotate", plain(file))
	return nil
}

func rotateKey(a *app, cfg *loaded, file string, keys []byte) error {
	promoted, err := seal.Promote(keys)
	if err != nil {
		return err
	}
	ids, primary, err := seal.Keys(promoted)
	if err != nil {
		return err
	}
	if len(ids) == 1 {
		return usageError{"the keyset holds one key: add another with imprimatur key rotate --add"}
	}
	if err := replaceKeyset(file, promoted); err != nil {
		return err
	}
	return withStore(a, cfg, func(ctx context.Context, s *store.Store) error {
		done, err := s.Reseal(ctx)
		if err != nil {
			return fmt.Errorf("%w; %d values are sealed with key %d by now: run it again", err, done.Values, primary)
		}
		a.say("Sealed %d values with key %d.", done.Values, primary)
		if done.Unreadable > 0 {
			a.say("%d values do not open and stay as they are: imprimatur doctor names their runs.", done.Unreadable)
		}
		a.say("Restart the servers, so that they seal with it, too; then run this once more, and --drop when doctor names one key.")
		return nil
	})
}

// errKeyInUse says that something is still sealed with a key.
var errKeyInUse = errors.New("nothing was dropped")

func dropKeys(a *app, cfg *loaded, file string, keys []byte) error {
	return withStore(a, cfg, func(ctx context.Context, s *store.Store) error {
		use, err := s.Sealing(ctx)
		if err != nil {
			return err
		}
		ids, primary, err := seal.Keys(keys)
		if err != nil {
			return err
		}
		if last := ids[len(ids)-1]; last != primary {
			return fmt.Errorf("%w: key %d is new and seals nothing yet; run: imprimatur key rotate", errKeyInUse, last)
		}
		old := slices.DeleteFunc(ids, func(id uint32) bool { return id == primary })
		for _, id := range old {
			if n := use.Keys[id]; n > 0 {
				return fmt.Errorf("%w: %d values are sealed with key %d; run: imprimatur key rotate", errKeyInUse, n, id)
			}
		}
		if len(old) == 0 {
			a.say("Key %d is the only one.", primary)
			return nil
		}
		fewer, err := seal.DropKeys(keys, old)
		if err != nil {
			return err
		}
		if err := replaceKeyset(file, fewer); err != nil {
			return err
		}
		a.say("Dropped %d of %d keys. Backups that were made before the rotation still need them.", len(old), len(old)+1)
		return nil
	})
}

func withStore(a *app, cfg *loaded, do func(ctx context.Context, s *store.Store) error) error {
	cfg, err := loadBeside(cfg.file, a.env) // with the keyset as it is now
	if err != nil {
		return err
	}
	b, err := openBase(a.ctx, cfg, slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: slog.LevelWarn})))
	if err != nil {
		return err
	}
	return errors.Join(do(a.ctx, b.store), b.store.Close())
}

// replaceKeyset puts a keyset in the place of another: whoever reads the file
// finds one of the two, whole. Those who could read it still can.
func replaceKeyset(file string, keys []byte) (err error) {
	if file, err = filepath.EvalSymlinks(file); err != nil {
		return fmt.Errorf("write keyset: %s", why(err))
	}
	was, err := os.Stat(file)
	if err != nil {
		return fmt.Errorf("write %s: %s", file, why(err))
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".keyset-*") // only its owner may read it
	if err != nil {
		return fmt.Errorf("write %s: %s", file, why(err))
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // half a keyset is worse than none
		}
	}()
	_, err = f.Write(keys)
	if owner, known := was.Sys().(*syscall.Stat_t); known && err == nil {
		err = f.Chown(int(owner.Uid), int(owner.Gid))
	}
	if err = errors.Join(err, f.Chmod(was.Mode().Perm()), f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write %s: %s", file, why(err))
	}
	if err := os.Rename(f.Name(), file); err != nil {
		return fmt.Errorf("write %s: %s", file, why(err))
	}
	folder, err := os.Open(filepath.Dir(file))
	if err != nil {
		return fmt.Errorf("write %s: %s", file, why(err))
	}
	return errors.Join(folder.Sync(), folder.Close())
}
