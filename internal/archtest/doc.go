// Package archtest holds tests of the shape of the code: who imports whom, how
// long a file may be, what must be documented, who may end the process. It
// parses files, runs no tool, and gives nothing to other packages.
package archtest
