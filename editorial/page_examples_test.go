package editorial_test

import (
	"encoding/json"
	"strings"

	"github.com/imprimatur-dev/imprimatur"
)

func pageEffects() map[string]imprimatur.Effect {
	return map[string]imprimatur.Effect{
		"create_page_draft":     imprimatur.NonIdempotentWrite,
		"move_page":             imprimatur.IdempotentWrite,
		"set_page_social_image": imprimatur.NonIdempotentWrite,
		"update_page_metadata":  imprimatur.IdempotentWrite,
	}
}

func pageExamples() map[string]example {
	return map[string]example{
		"create_first":        {"create_page_draft", `{"parent":10,"title":"Guided tours"}`},
		"create_behind":       {"create_page_draft", `{"after_page_uid":11,"nav_title":"Tours","parent":10,"title":"Guided tours"}`},
		"create_same_title":   {"create_page_draft", `{"parent":10,"title":"Team"}`},
		"create_same_hidden":  {"create_page_draft", `{"after_page_uid":12,"parent":10,"title":"Opening hours"}`},
		"move_behind":         {"move_page", `{"after_page_uid":10,"uid":12}`},
		"move_under":          {"move_page", `{"parent":1,"uid":12}`},
		"move_branch":         {"move_page", `{"after_page_uid":20,"uid":10}`},
		"move_nowhere":        {"move_page", `{"after_page_uid":11,"uid":12}`},
		"social_first":        {"set_page_social_image", `{"field":"og_image","file":7,"page":10}`},
		"social_x":            {"set_page_social_image", `{"field":"twitter_image","file":8,"page":12}`},
		"metadata_short":      {"update_page_metadata", `{"description":"How to find us","nav_title":"Visit us","twitter_card":"player","uid":10}`},
		"metadata_clear":      {"update_page_metadata", `{"description":"","uid":10}`},
		"metadata_german":     {"update_page_metadata", `{"title":"Öffnungszeiten\u00a02026","uid":90}`},
		"metadata_long":       {"update_page_metadata", `{"abstract":"` + strings.Repeat("long ", 60) + `","title":"Visit","uid":10}`},
		"metadata_everything": {"update_page_metadata", everything()},
	}
}

// everything sets every field of update_page_metadata, each longer than a line
// shows.
func everything() string {
	fields := map[string]any{"uid": 10, "twitter_card": "app"}
	for _, name := range []string{
		"title", "subtitle", "nav_title", "abstract", "description", "keywords", "seo_title", "og_title", "og_description",
		"twitter_title", "twitter_description",
	} {
		fields[name] = strings.Repeat(name[:1]+"ü", 100)
	}
	args, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	return string(args)
}
