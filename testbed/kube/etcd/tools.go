//go:build tools

// Package etcd pins the etcd of the embedded control plane.
package etcd

import _ "go.etcd.io/etcd/server/v3"
