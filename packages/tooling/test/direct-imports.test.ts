import { join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { leavesApart } from "../src/apart.js";
import { directImports } from "../src/direct-imports.js";
import { root } from "../src/workspace.js";

const client = join(root, "apps/node-client");

/** Chunks that are loaded when modules of the client are imported. */
async function chunksOf(modules: readonly string[]) {
  const { metafile } = await build({
    ...{ entryPoints: ["src/main.ts"], absWorkingDir: client, outdir: "dist", write: false, metafile: true },
    ...{ bundle: true, splitting: true, format: "esm", platform: "node", target: "node20", logLevel: "silent" },
    ...{ conditions: ["@turnkit/source", "module"], plugins: [leavesApart, directImports] },
  });
  const { outputs } = metafile;
  const seen = new Map<string, (typeof outputs)[string]>();
  const visit = (path: string) => {
    const output = outputs[path];
    if (seen.has(path) || output === undefined) return;
    seen.set(path, output);
    for (const { kind, path: other } of output.imports) if (kind === "import-statement") visit(other);
  };
  for (const module of modules) {
    const [entry = ""] = Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === module);
    expect(entry).not.toBe("");
    visit(entry);
  }
  return [...seen.values()];
}

/** Returns the files that the chunks of a module contain when it is imported, by their paths from the root. */
async function contentOf(module: string): Promise<readonly string[]> {
  return (await chunksOf([module])).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([name, { bytesInOutput }]) =>
      bytesInOutput === 0 ? [] : join(client, name).slice(root.length),
    ),
  );
}

test("the screen of the built client is loaded without the runtime of a client, schemas and codecs", async () => {
  const files = await contentOf("src/tui/hold-conversation.ts");
  expect(files).toContain("apps/node-client/src/tui/stage.ts");
  const late =
    /zod|packages\/schema|packages\/client\/src\/(?!agents|broker|node\/decision-file)|session\/src\/codec|\/reduce\.ts/;
  expect(files.filter((file) => late.test(file))).toEqual([]);
});

test.for([
  ["its screen", "src/tui/run-interactive.ts"],
  ["the runtime of a client, for one prompt", "src/run-once.ts"],
] as const)("the built client starts the agent before it has loaded %s", async ([, module]) => {
  const files = await contentOf(module);
  expect(files).toContain("packages/transport/src/node/child-process.ts");
  expect(files.filter((file) => /\/render\/(?!line|page|style)|\/stage\.ts|packages\/schema/.test(file))).toEqual([]);
});

test("the built client loads few files before its first frame, and no module of Node that is slow to import", async () => {
  const chunks = await chunksOf(["src/main.ts", "src/tui/run-interactive.ts", "src/tui/hold-conversation.ts"]);
  // Each file takes about half a millisecond. A further dynamic import divides the shared files into more chunks: 49 for
  // a dynamic import in each of a dozen commands. The 31st is for the checks of the doctor, which nothing else should load.
  expect(chunks.length).toBeLessThanOrEqual(31);
  const imported = new Set(chunks.flatMap(({ imports }) => imports.map(({ path }) => path)));
  expect(imported).toContain("node:child_process");
  expect([...imported].filter((name) => /^node:(?:util|crypto|readline|module|http)/.test(name))).toEqual([]);
});
