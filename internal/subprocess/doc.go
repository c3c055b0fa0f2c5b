// Package subprocess has what keeps the processes that Vitrine starts from outliving it.
package subprocess
