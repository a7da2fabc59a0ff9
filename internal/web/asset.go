package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"

	"github.com/imprimatur-dev/imprimatur"
)

//go:embed all:page asset
var own embed.FS

// kinds are the media types of the files there are.
var kinds = map[string]string{".css": "text/css; charset=utf-8", ".svg": "image/svg+xml"}

// asset serves a file of the program. Its address carries a version, so it may
// be kept for as long as a browser likes.
func asset(w http.ResponseWriter, r *http.Request, _ *Visit) error {
	name := r.PathValue("file")
	body, err := own.ReadFile("asset/" + name)
	kind, known := kinds[path.Ext(name)]
	if err != nil || !known {
		return &imprimatur.Refusal{Code: imprimatur.CodeNotFound}
	}
	w.Header().Set("Content-Type", kind)
	if r.URL.Query().Get("v") == version(body) {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	_, _ = w.Write(body) // the caller may be gone; there is nobody else to tell
	return nil
}

// address is where a browser finds a file of the program.
func address(name string) (string, error) {
	body, err := own.ReadFile("asset/" + name)
	if err != nil {
		return "", err
	}
	return "/asset/" + name + "?v=" + version(body), nil
}

// version changes with the file.
func version(body []byte) string {
	sum := sha256.Sum256(body)
	return hex.EncodeToString(sum[:6])
}
