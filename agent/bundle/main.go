// Command bundle builds agent/dist/agent.cjs from agent/src/main.cjs and the
// parser library in agent/node_modules. It takes no arguments, is run from the
// root of the checkout by `make build`, and gives the same bytes for the same
// sources. It never touches the network.
package main

import (
	"fmt"
	"os"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	if err := bundle("agent/src/main.cjs", "agent/dist/agent.cjs"); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

// library is the parser that the agent carries along, in its folder.
const library = "agent/node_modules/acorn"

// bundle joins entry and all it requires into the file out. Names are kept: the
// agent's own frames stand in stack traces that it must recognise and skip. The
// library's sources have no licence comment, so its text is put in front.
func bundle(entry, out string) error {
	licence, err := os.ReadFile(library + "/LICENSE")
	if err != nil {
		return fmt.Errorf("%s is missing: run `make build` at the root of the checkout", library)
	}
	result := api.Build(api.BuildOptions{
		EntryPoints:   []string{entry},
		Outfile:       out,
		Bundle:        true,
		Write:         true,
		Platform:      api.PlatformNode,
		Format:        api.FormatCommonJS,
		Engines:       []api.Engine{{Name: api.EngineNode, Version: "20"}},
		LegalComments: api.LegalCommentsInline,
		Banner:        map[string]string{"js": "/*! raceseed agent, with acorn:\n\n" + string(licence) + "*/"},
		Charset:       api.CharsetUTF8,
		LogLevel:      api.LogLevelWarning,
	})
	if n := len(result.Errors); n > 0 {
		return fmt.Errorf("%d errors", n)
	}
	return nil
}
