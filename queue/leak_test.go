package queue_test

import (
	"testing"

	"go.uber.org/goleak"
)

// Nothing of this package goes on once its tests have ended.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
