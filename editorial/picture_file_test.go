package editorial_test

import (
	"slices"

	"github.com/imprimatur-dev/imprimatur"
	"github.com/imprimatur-dev/imprimatur/catalogue"
	"github.com/imprimatur-dev/imprimatur/content"
)

func filePromises() map[string]promises {
	toElement := attachPromises(catalogue.HeadingAttachFile)
	toElement[catalogue.ObjectContent], toElement[catalogue.ObjectContentType] = object(catalogue.ObjectContent), elementType
	toRecord := attachPromises(catalogue.HeadingAttachToRecord)
	toRecord[catalogue.ObjectRecord] = object(catalogue.ObjectRecord)
	toRecord[catalogue.ObjectRecordType] = func(a *account) string { return a.recordType(a.was()) }
	return map[string]promises{
		"attach_file_to_content_element": {argRef(content.Elements, "content_element"), toElement},
		"attach_file_to_record":          {argTable("record"), toRecord},
		"replace_file_reference":         {argRef(content.FileReferences, "reference"), replacePromises()},
		"set_file_alternative_text": {argRef(content.Files, "uid"), describedFile(catalogue.HeadingAlternative, map[imprimatur.Label]string{
			catalogue.FileAlternative: "alternative",
		})},
		"update_file_metadata": {argRef(content.Files, "uid"), describedFile(catalogue.HeadingFileMetadata, map[imprimatur.Label]string{
			catalogue.FileTitle: "title", catalogue.FileDescription: "description", catalogue.FileCopyright: "copyright",
		})},
	}
}

// newReference is the one new file reference of the call.
func (a *account) newReference() *storedRow { return a.made(content.FileReferences) }

// newFile is the line that names the file which a field of a record gets.
func newFile(field func(a *account) string) promise {
	return func(a *account) string { return a.gets(a.about, field(a)) }
}

func (a *account) gets(owner content.Ref, field string) string {
	if a.newReference() == nil {
		return ""
	}
	ref, of := a.newReference(), a.after.row(owner.Table, owner.UID)
	page := of.number("pid")
	if owner.Table == content.Pages {
		page = of.uid()
	}
	a.announce(ref, page)
	a.inLanguage(ref, of.number("language"), 0)
	a.expect(ref.field(content.ColumnOwnerTable) == owner.Table && ref.count(content.ColumnOwner) == owner.UID && ref.field(content.ColumnOwnerField) == field,
		"it is in %s of %s %d", ref.field(content.ColumnOwnerField), ref.field(content.ColumnOwnerTable), ref.count(content.ColumnOwner))
	a.cover(ref, inFields+content.ColumnOwnerTable, inFields+content.ColumnOwner, inFields+content.ColumnOwnerField, inFields+content.ColumnFile)
	a.bound = append(a.bound, a.say(catalogue.TechnicalFile, "uid", ref.count(content.ColumnFile)))
	return a.say(catalogue.AttachNewFile, "name", a.say(catalogue.AttachNewFileName),
		"proposed", a.fileName(ref.count(content.ColumnFile)), "path", a.filePath(ref.count(content.ColumnFile)))
}

func attachPromises(label imprimatur.Label) map[imprimatur.Label]promise {
	field := func(a *account) string { return a.newReference().field(content.ColumnOwnerField) }
	text := func(name imprimatur.Label, column string) promise {
		return func(a *account) string { return a.given(a.say(name), a.newReference(), column) }
	}
	return map[imprimatur.Label]promise{
		anyHeading:              heading(label),
		catalogue.WhereLocation: location,
		catalogue.WhereLanguage: language,
		catalogue.WhereField: func(a *account) string {
			return a.named(catalogue.WhereField, a.schema.ColumnLabel(a.about.Table, a.kind(a.was()), field(a)))
		},
		catalogue.AttachFilesName: func(a *account) string {
			before, after := filesIn(a.before, a.about, field(a)), filesIn(a.after, a.about, field(a))
			a.expect(len(after) > 0 && after[len(after)-1] == a.newReference(), "it does not come last")
			a.expect(a.is().count(field(a)) == int64(len(after)), "the record counts %d", a.is().count(field(a)))
			a.cover(a.is(), inFields+field(a))
			return a.say(catalogue.AttachCount, "name", a.say(catalogue.AttachFilesName), "current", len(before), "proposed", len(after))
		},
		catalogue.AttachNewFileName: newFile(field),
		catalogue.FileTitle:         text(catalogue.FileTitle, "title"),
		catalogue.FileAlternative:   text(catalogue.FileAlternative, "alternative"),
		catalogue.FileDescription:   text(catalogue.FileDescription, "description"),
	}
}

// element is the content element whose file is replaced or removed.
func (a *account) element(s state) *storedRow {
	return s.row(a.was().field(content.ColumnOwnerTable), a.was().count(content.ColumnOwner))
}

// files are the file references of the field of the call.
func (a *account) files(s state) []*storedRow {
	return filesIn(s, a.element(s).ref(), a.was().field(content.ColumnOwnerField))
}

// ofElement is a promise about the content element of the reference.
func ofElement(p promise) promise {
	return func(a *account) string {
		reference := a.about
		defer func() { a.about = reference }()
		a.about = a.element(a.before).ref()
		return p(a)
	}
}

func replacePromises() map[imprimatur.Label]promise {
	replaces := func(a *account) bool { return a.argText("action") == "replace" }
	lines := map[imprimatur.Label]promise{
		anyHeading: headingBy(func(a *account) imprimatur.Label {
			if replaces(a) {
				return catalogue.HeadingReplaceFile
			}
			return catalogue.HeadingRemoveFile
		}),
		catalogue.ObjectContent:     ofElement(object(catalogue.ObjectContent)),
		catalogue.ObjectContentType: ofElement(elementType),
		catalogue.WhereLocation:     ofElement(location),
		catalogue.WhereLanguage:     ofElement(language),
		catalogue.WhereField: func(a *account) string {
			e := a.element(a.before)
			return a.named(catalogue.WhereField, a.schema.ColumnLabel(content.Elements, a.kind(e), a.was().field(content.ColumnOwnerField)))
		},
		catalogue.WherePosition: func(a *account) string {
			before, after := a.files(a.before), a.files(a.after)
			at := max(slices.Index(before, a.was()), 0)
			want := slices.Delete(rowUIDs(before), at, at+1)
			if replaces(a) {
				want = slices.Insert(want, at, a.newReference().uid())
				a.place(a.newReference())
			}
			a.expect(slices.Equal(rowUIDs(after), want), "the field holds %v, not %v", rowUIDs(after), want)
			return a.named(catalogue.WherePosition, a.say(catalogue.FilePosition, "number", at+1, "total", len(before)))
		},
		catalogue.FileCurrentName: func(a *account) string {
			a.removed(func(r *storedRow) bool { return r == a.was() })
			file := a.was().count(content.ColumnFile)
			return a.say(catalogue.FileCurrent, "name", a.say(catalogue.FileCurrentName), "current", a.fileName(file), "path", a.filePath(file))
		},
		catalogue.AttachNewFileName: func(a *account) string {
			return a.gets(a.element(a.before).ref(), a.was().field(content.ColumnOwnerField))
		},
		catalogue.AttachFilesName: func(a *account) string {
			return a.say(catalogue.FileCount, "name", a.say(catalogue.AttachFilesName), "current", len(a.files(a.before)), "proposed", len(a.files(a.after)))
		},
		catalogue.FileStays: func(a *account) string {
			file := a.was().count(content.ColumnFile)
			a.expect(a.before.row(content.Files, file) == a.after.row(content.Files, file), "it is not as it was")
			return a.say(catalogue.FileStays)
		},
		catalogue.FileDropped:    droppedSettings,
		catalogue.FileAppears:    fileAppears,
		catalogue.FileTranslated: removedFromTranslations,
	}
	for name, column := range map[imprimatur.Label]string{
		catalogue.FileTitle: "title", catalogue.FileAlternative: "alternative", catalogue.FileDescription: "description",
	} {
		lines[name] = textInPlace(name, column)
	}
	return lines
}

// textInPlace says which text the new file has in its place, and which one is
// lost.
func textInPlace(name imprimatur.Label, column string) promise {
	return func(a *account) string {
		ref := a.newReference()
		had, has := a.was().has(column), ref.has(column)
		switch {
		case had && has:
			return a.becomes(a.say(name), a.was(), ref, column)
		case has:
			return a.given(a.say(name), ref, column)
		case had:
			return a.say(catalogue.FileTextDropped, "name", a.say(name), "current", a.quoted(a.was().field(column)))
		}
		return a.say(catalogue.FileOwnText, "name", a.say(name))
	}
}

// droppedSettings are those of the old reference that the new one lacks.
func droppedSettings(a *account) string {
	var names []imprimatur.Phrase
	for _, column := range []string{"link", "crop", "autoplay"} {
		if was := a.was().field(column); was != "" && was != "0" {
			a.expect(a.newReference().field(column) != was, "%s is there", column)
			names = append(names, imprimatur.Phrase{Label: catalogue.QuotedText, Values: map[string]any{"text": a.schema.ColumnLabel(content.FileReferences, "", column)}})
		}
	}
	return a.named(catalogue.FileDropped, names)
}

func fileAppears(a *account) string {
	a.expect(a.was().count("hidden") != 0 && a.newReference().count("hidden") == 0, "it was or is otherwise")
	return a.warning(catalogue.FileAppears)
}

func removedFromTranslations(a *account) string {
	n := a.removed(func(r *storedRow) bool { return r.number("origin") == a.about.UID })
	a.expect(len(a.after.records(content.FileReferences, having("origin", a.about.UID))) == 0, "some are left")
	switch {
	case n == 0:
		return a.named(catalogue.FileTranslated, a.say(catalogue.None))
	case a.argText("action") == "replace":
		return a.named(catalogue.FileTranslated, a.say(catalogue.FileTranslatedReplaced, "count", n))
	}
	return a.named(catalogue.FileTranslated, a.say(catalogue.FileTranslatedRemoved, "count", n))
}

// describedFile are the lines about what describes a file in the default language.
func describedFile(label imprimatur.Label, columns map[imprimatur.Label]string) map[imprimatur.Label]promise {
	about := func(s state, file int64) *storedRow {
		rows := s.records(content.FileMetadata, having(inFields+content.ColumnFile, file), having("language", 0))
		if len(rows) == 0 {
			return nil
		}
		return rows[0]
	}
	lines := map[imprimatur.Label]promise{
		anyHeading:              heading(label),
		catalogue.ObjectFile:    func(a *account) string { return a.named(catalogue.ObjectFile, a.fileName(a.about.UID)) },
		catalogue.WhereLanguage: func(a *account) string { return a.named(catalogue.WhereLanguage, a.language(0)) },
	}
	for name, column := range columns {
		lines[name] = func(a *account) string {
			return a.becomes(a.say(name), about(a.before, a.about.UID), about(a.after, a.about.UID), column)
		}
	}
	return lines
}
