// Package generate has a model answer each task of a list, once or several times. Answers
// are added to a file of outputs the moment they are there, so that an interrupted or
// killed run goes on and asks for nothing that it has.
package generate
