package catalogue

import "io/fs"

// NewFrom lets tests doctor the files of the program itself.
var NewFrom = newFrom

// Own are the files of the program.
func Own() fs.FS {
	own, err := fs.Sub(locale, "locale")
	if err != nil {
		panic(err)
	}
	return own
}
