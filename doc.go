// Package imprimatur holds the words of approvals for AI agents that hold, and
// their pure rules: no I/O, no clock, no goroutine.
//
// The way of one decision:
//
//	an agent asks for a write       ToolCall, Turn         accepted once, canonical bytes
//	the run suspends                Suspended, Preview     what the write would change, bounded
//	a person sees a card            Card, Line             in the language of whom the run acts for
//	and decides                     Decision               naming the turn and the picture they saw
//	one transaction claims the run  Claim, Refusal         three gates, one event, or nothing moved
//	the picture is taken again      Compare, Mark          anything moved: nothing runs, a new card
//	the calls run, at most once     Effect, StartPayload   recorded before and after
//	the run goes on, or ends        Status, Transition     one conditional update each
//
// Package engine walks this way; package store keeps it.
package imprimatur
