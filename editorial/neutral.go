package editorial

// Further neutral refusals, of subjects that tools only read.
const (
	noTable   = "Table not found or not permitted."
	noStorage = "Storage not found or not permitted."
	noFolder  = "Folder not found or not permitted."
	noSource  = "Source not found or not permitted."
)
