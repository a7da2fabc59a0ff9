package catalogue

import "github.com/imprimatur-dev/imprimatur"

// Lines of fetch_external_url.
const (
	FetchAddress imprimatur.Label = "preview.fetch.address"
	FetchHost    imprimatur.Label = "preview.fetch.host"
	FetchData    imprimatur.Label = "preview.fetch.data"    // what is sent along
	FetchNoData  imprimatur.Label = "preview.fetch.no_data" // that nothing is
)

func fetchLabels() []imprimatur.Label {
	return []imprimatur.Label{FetchAddress, FetchHost, FetchData, FetchNoData}
}
