// Package content is the content repository: a tree of pages, the content
// elements on them, files with their metadata and references, translations,
// and the schema that names all of it in the languages of its users.
//
// Reading takes the user explicitly and answers ErrNotFound for whatever that
// user may not see, so that missing, deleted and forbidden cannot be told
// apart. Writing has one door, [Repository.Apply]: this change set, as this
// user, in one transaction, with rights checked again inside it.
//
// Every row has a version that each write raises. A plan remembers the versions
// of the rows it read; Apply compares them before it touches anything and
// answers [imprimatur.ErrMoved] if one is different.
package content
