//go:build tools

// Package kwok pins the KWOK that plays the nodes of the embedded control plane.
package kwok

import _ "sigs.k8s.io/kwok/cmd/kwok"
