// Package verify holds a site against a test case with one question to a model: the
// model reads the case, the page and its code and writes a script of steps and
// checks; the browser runs it. The verdict is made of what the checks found, never
// of what the model believes. A script that cannot be carried out is given back once
// with what was seen. Scripts are kept with the case and run again without a model.
package verify
