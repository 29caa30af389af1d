import { readFileSync } from "node:fs";
import type { Options } from "tsup";

const shebang = "#!/usr/bin/env node";

/** Builds a library's entries to ESM. Dependencies stay imports; `tsc` adds the declarations afterwards. */
export function library(...entry: string[]): Options {
  return {
    entry,
    format: "esm",
    target: "es2022",
    platform: "node",
    removeNodeProtocol: false,
    sourcemap: true,
    clean: true,
    silent: true,
  };
}

/**
 * Builds a program to ESM. It contains the packages of the workspace, so that it can be packed alone, and the used parts of
 * zod. Loading zod from its own files would take a third of the start.
 */
export function program(...entries: string[]): Options {
  return {
    ...library(...entries),
    target: "node20",
    noExternal: [/^@turnkit\//, "zod/v4/core"],
    sourcemap: false,
    banner: entries.every((entry) => readFileSync(entry, "utf8").startsWith("#!")) ? {} : { js: shebang },
    esbuildOptions: (options) => {
      options.conditions = ["@turnkit/source", "module"];
    },
  };
}
