package policy

// admin refuses tools that only administrators may be offered.
func admin(q Question) Reason {
	if q.Tool.AdminOnly && !q.User.Admin {
		return RequiresAdmin
	}
	return ""
}
