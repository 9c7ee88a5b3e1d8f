//go:build tools

// Package opentofu pins the OpenTofu that tests run when no terraform or tofu is installed.
package opentofu

import _ "github.com/opentofu/opentofu/cmd/tofu"
