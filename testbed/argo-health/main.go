// Command argo-health judges Kubernetes objects as Argo CD does: the reference that tests compare with.
// Each line of standard input is a question, each line of standard output its answer.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/argoproj/gitops-engine/pkg/health"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	appv1 "github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
	"github.com/argoproj/argo-cd/v3/util/lua"
)

// question is an object and the overrides of argocd-cm, by GROUP/KIND. Without a script the built-in rules answer.
type question struct {
	Object   json.RawMessage `json:"object"`
	Script   string          `json:"script"`
	OpenLibs bool            `json:"openLibs"`
}

type answer struct {
	Status  string `json:"status"`
	Message string `json:"message"`
	Error   string `json:"error"`
}

func judge(line []byte) answer {
	var asked question
	if err := json.Unmarshal(line, &asked); err != nil {
		return answer{Error: "question: " + err.Error()}
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(asked.Object); err != nil {
		return answer{Error: "object: " + err.Error()}
	}
	overrides := lua.ResourceHealthOverrides{}
	if asked.Script != "" {
		key := lua.GetConfigMapKey(object.GroupVersionKind())
		overrides[key] = appv1.ResourceOverride{HealthLua: asked.Script, UseOpenLibs: asked.OpenLibs}
	}
	found, err := health.GetResourceHealth(object, overrides)
	var result answer
	if found != nil {
		result.Status, result.Message = string(found.Status), found.Message
	}
	if err != nil {
		result.Error = err.Error()
	}
	return result
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for in.Scan() {
		if err := encoder.Encode(judge(in.Bytes())); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if err := out.Flush(); err != nil {
			os.Exit(1)
		}
	}
	if err := in.Err(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
