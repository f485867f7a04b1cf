// Package newengine writes the files of a new engine: a small one that is complete, whose chain of evidence
// is green, and which a person changes step by step into an engine of their own.
//
// The files are those of the folder template, at the paths that they have in a repository. They are no Go
// files here, so that no build compiles them. In their paths and texts these words stand for what is chosen:
//
//	__name__  the name of the engine, which is that of its packages
//	__Name__  the name of its TLA+ module: the same, beginning with a capital letter
//	__L__     the letter with which the identifiers of its states begin
package newengine
