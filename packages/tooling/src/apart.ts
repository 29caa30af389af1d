import { join } from "node:path";
import type { Plugin } from "esbuild";
import { build } from "tsup";
import { directImports } from "./direct-imports.js";
import { root } from "./workspace.js";

/**
 * Files that programs load rarely, by name. Each is a bundle of its own. As chunks of a program, they would divide the shared
 * files into more chunks, and each of these takes half a millisecond of every start.
 */
const FILES: Readonly<Record<string, string>> = {
  "nats-storage": join(root, "apps/node-client/src/serve/nats-storage.ts"),
};

/** Leaves the imports of files that are apart as they are, beside the program. */
export const leavesApart: Plugin = {
  name: "leaves-apart",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/[\w-]+\.js$/ }, ({ path, kind }) =>
      kind === "dynamic-import" && path.slice(2, -3) in FILES ? { path, external: true } : undefined,
    ),
};

/** Builds the files that are apart into a folder. Packages of NATS stay imports: the programs depend on them. */
export async function buildApart(outDir: string): Promise<void> {
  await build({
    ...{ entry: FILES, outDir, config: false, clean: false, silent: true, splitting: false },
    ...{ format: "esm", platform: "node", target: "node20", removeNodeProtocol: false },
    ...{ noExternal: [/^@turnkit\//], external: [/^@nats-io\//], esbuildPlugins: [directImports] },
    esbuildOptions: (options) => {
      options.conditions = ["@turnkit/source", "module"];
    },
  });
}
