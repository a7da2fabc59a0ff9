package policy

// registered refuses names that no tool has.
func registered(q Question) Reason {
	if q.Tool.Tool == nil {
		return NotRegistered
	}
	return ""
}
