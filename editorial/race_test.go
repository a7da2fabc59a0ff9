//go:build race

package editorial_test

// raced says that the race detector watches: it makes everything about ten
// times as slow.
const raced = true
