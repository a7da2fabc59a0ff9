package policy

// acting refuses whatever acts for a person where there is no such person, or
// their account is disabled.
func acting(q Question) Reason {
	if !q.User.Exists() || !q.User.Enabled {
		return NoUser
	}
	return ""
}
