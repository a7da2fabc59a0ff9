//go:build unix

package store

import (
	"errors"
	"fmt"
	"os"
	"syscall"
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
