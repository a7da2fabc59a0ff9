package catalogue

import "github.com/imprimatur-dev/imprimatur"

// Lines of fetch_external_url.
const ()

func fetchLabels() []imprimatur.Label {
	return []imprimatur.Label{}
}
