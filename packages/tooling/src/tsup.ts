import { cpSync, readFileSync } from "node:fs";
import type { Options } from "tsup";
import { buildApart, leavesApart } from "./apart.js";
import { bundledLicenses } from "./bundled-licenses.js";
import { directImports } from "./direct-imports.js";

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

/** Packages of CommonJS that are part of a program require modules of Node only. */
const makesRequire = `const require = (name) => {
  const found = process.getBuiltinModule(name);
  if (found === undefined) throw new Error("This program does not contain " + name + ".");
  return found;
};`;

/**
 * Gives `require` to the only file of a program that has the function in which packages of CommonJS look for it. In every
 * file, and with `createRequire`, it took 12 ms of each start.
 */
const givesRequire: NonNullable<Options["plugins"]>[number] = {
  name: "gives-require",
  renderChunk(code) {
    if (!code.includes('typeof require !== "undefined"')) return undefined;
    return { code: code.replace(/^(?:#!.*\n)?/, (first) => `${first}${makesRequire}\n`) };
  },
};

/**
 * Builds a program to ESM. It contains the packages of the workspace, so that it can be packed alone, its development
 * dependencies, and the used parts of zod. Loading these from their own files would take half of the start.
 */
export function program(...entries: string[]): Options {
  return {
    ...library(...entries),
    target: "node20",
    noExternal: [/^@turnkit\//, "zod/v4/core"],
    sourcemap: false,
    esbuildPlugins: [leavesApart, directImports, bundledLicenses],
    plugins: [givesRequire],
    ...(entries.every(hasShebang) ? {} : { banner: { js: shebang } }),
    esbuildOptions: (options) => {
      options.conditions = ["@turnkit/source", "module"];
    },
  };
}

/** Puts the page for browsers, and the files that are apart, beside a program of `dist` that serves sessions. */
export async function addServed(): Promise<void> {
  cpSync("../web/dist", "dist/page", { recursive: true });
  await buildApart("dist");
}

function hasShebang(entry: string): boolean {
  return readFileSync(entry, "utf8").startsWith("#!");
}
