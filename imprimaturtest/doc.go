// Package imprimaturtest is for the tests of people who write tools.
//
// [Check] holds one call of a tool against the contract of previews (S184,
// S213): deterministic, the heading first and the technical line last, no
// internal names, refused alike by preview and write, readable by whoever may
// make the call, and not carried out on a state that moved. [Office] is an
// engine on a temporary store with an agent that calls what a test tells it to,
// and people who decide. [Catalogue] walks the languages of an installation.
// [Elsewhere] runs a part of a test in a process with another language and time
// zone.
package imprimaturtest
