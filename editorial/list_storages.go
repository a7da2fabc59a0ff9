package editorial

import (
	"context"

	"github.com/imprimatur-dev/imprimatur"
)

// maxStorages is how many storages are listed.
const maxStorages = 100

func (d desk) listStorages() imprimatur.Tool {
	return reader(d, reading[struct{}]{
		name: "list_storages", group: groupFiles, neutral: noStorage, read: desk.storages,
		description: "Lists the storages that hold files, and the folders in them that you may read.",
	})
}

func (d desk) storages(ctx context.Context, u imprimatur.User, _ struct{}) (string, error) {
	names, err := d.repo.Storages(ctx, u, maxStorages)
	if err != nil {
		return "", err
	}
	if len(names) == 0 {
		return "", refuseNeutrally(noStorage)
	}
	var a answer
	for _, name := range names {
		var paths []string
		for _, folder := range d.repo.Mounts(u, name) {
			paths = append(paths, excerpt(folder.Path, cellLength))
		}
		if !a.addf("- %s: %s", excerpt(name, excerptLength), listed(paths)) {
			a.closing("There are more, which do not fit.")
			break
		}
	}
	return a.String(), nil
}
