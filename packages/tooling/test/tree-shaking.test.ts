import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { expect, test } from "vitest";
import { entriesOf, readWorkspaces, root } from "../src/workspace.js";

const options = { bundle: true, write: false, format: "esm", target: "es2022", logLevel: "silent" } as const;

/** Stands for the built file: its package says nothing of side effects, so that only its statements count. */
const built = (contents: string): Plugin => ({
  name: "built",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^built$/ }, () => ({ path: "built", namespace: "built" }));
    onLoad({ filter: /.*/, namespace: "built" }, () => ({ contents }));
  },
});

const entries = readWorkspaces()
  .filter(({ name }) => name === "session")
  .flatMap((workspace) => [...entriesOf(workspace)]);

// Such a statement is in every bundle of whoever imports one name: a call that is not marked as pure, a spread, a number
// that is worked out.
test.each(entries)(
  "a bundler may drop every statement of session's built entry %s that nobody uses",
  async (_, path) => {
    const { outputFiles } = await build({ ...options, entryPoints: [join(root, path)] });
    const contents = outputFiles[0]?.text ?? "";
    expect(contents.length).toBeGreaterThan(1000);
    const unused = await build({ ...options, stdin: { contents: `import "built";` }, plugins: [built(contents)] });
    expect(unused.outputFiles[0]?.text.replaceAll(/^\s*\/\/.*\n?/gm, "").trim() ?? "nothing").toBe("");
  },
);
