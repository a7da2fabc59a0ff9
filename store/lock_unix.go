//go:build unix

package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// ErrLocked says that another server or worker uses the same SQLite file.
var ErrLocked = errors.New("another imprimatur already serves this database file")

// Lock makes this process the only server or worker of its SQLite file until
// unlock is called or the process ends. It answers ErrLocked if there is
// another one. Administration commands do not lock. On PostgreSQL, where many
// may work at once, it does nothing.
func (s *Store) Lock() (unlock func() error, err error) {
	if s.path == "" {
		return func() error { return nil }, nil
	}
	file, err := os.OpenFile(s.path+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the lock file: %w", err)
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		if errors.Is(err, syscall.EWOULDBLOCK) {
			err = ErrLocked
		}
		return nil, errors.Join(fmt.Errorf("lock the database file: %w", err), file.Close())
	}
	// Closing the file gives the lock back. The file stays: removing it would
	// let two processes lock two files of the same name.
	return file.Close, nil
}

// lockFolder waits for the lock of a folder. A folder, because a file made for
// it would have to stay, and because SQLite has locks of its own on the
// database file.
func lockFolder(ctx context.Context, path string) (unlock func() error, err error) {
	folder, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		err := syscall.Flock(int(folder.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return folder.Close, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return nil, errors.Join(err, folder.Close())
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), folder.Close())
		}
	}
}
