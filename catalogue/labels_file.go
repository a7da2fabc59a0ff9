package catalogue

import "github.com/imprimatur-dev/imprimatur"

// Lines about files in the fields of records.
const (
	AttachCount       imprimatur.Label = "preview.file.count"       // name, current, proposed
	AttachNewFile     imprimatur.Label = "preview.file.new_file"    // name, proposed, path
	AttachFilesName   imprimatur.Label = "preview.file.files_name"  // of the line AttachCount
	AttachNewFileName imprimatur.Label = "preview.file.new_name"    // of the line AttachNewFile
	FileTitle         imprimatur.Label = "preview.file.title"       // names of the texts of a file
	FileAlternative   imprimatur.Label = "preview.file.alternative" //
	FileDescription   imprimatur.Label = "preview.file.description" //
	FileCopyright     imprimatur.Label = "preview.file.copyright"   //

	FileCount       imprimatur.Label = "preview.file.count_after"  // name, current, proposed
	FilePosition    imprimatur.Label = "preview.file.position"     // number, total
	FileCurrent     imprimatur.Label = "preview.file.current"      // name, current, path
	FileCurrentName imprimatur.Label = "preview.file.current_name" // of the line FileCurrent
	FileStays       imprimatur.Label = "preview.file.stays"        // a removed reference leaves the file

	// FileOwnText takes name: a text that is that of the file itself.
	// FileTextDropped also takes current, which is lost.
	FileOwnText     imprimatur.Label = "preview.file.own_text"
	FileTextDropped imprimatur.Label = "preview.file.text_dropped"
	FileDropped     imprimatur.Label = "preview.file.dropped" // name of the line of what else is lost
	FileAppears     imprimatur.Label = "preview.file.appears" // a hidden file gives way to a visible one

	FileTranslated         imprimatur.Label = "preview.file.translated"          // name of a line
	FileTranslatedRemoved  imprimatur.Label = "preview.file.translated_removed"  // count
	FileTranslatedReplaced imprimatur.Label = "preview.file.translated_replaced" // count
)

func fileLabels() []imprimatur.Label {
	return []imprimatur.Label{
		AttachCount, AttachNewFile, AttachFilesName, AttachNewFileName,
		FileTitle, FileAlternative, FileDescription, FileCopyright,
		FileCount, FilePosition, FileCurrent, FileCurrentName, FileStays,
		FileOwnText, FileTextDropped, FileDropped, FileAppears,
		FileTranslated, FileTranslatedRemoved, FileTranslatedReplaced,
	}
}
