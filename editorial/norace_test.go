//go:build !race

package editorial_test

const raced = false
