import { readFile } from "node:fs/promises";
import { defineConfig, type Options } from "tsup";
import { library } from "../tooling/src/tsup.js";

const entries = [
  "src/index.ts",
  "src/codec/index.ts",
  "src/command/index.ts",
  "src/files/index.ts",
  "src/form/index.ts",
  "src/paths/index.ts",
  "src/recording/index.ts",
  "src/watch/index.ts",
];

/**
 * Lets the entries that build on the reducer name the root, so that all of it is one file for them. Without that the
 * bundler cuts it into three by who uses what, and loading four files instead of two makes the root's import a tenth longer.
 */
const wholeRoot: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "whole-root",
  setup(build) {
    // The package has no side effects, so the import itself goes again; what it names stays together.
    build.initialOptions.logOverride = { "ignored-bare-import": "silent" };
    build.onLoad({ filter: /src[\\/](?:codec|files|watch)[\\/]index\.ts$/ }, async ({ path }) => ({
      contents: `import "../index.js";\n${await readFile(path, "utf8")}`,
      loader: "ts",
    }));
  },
};

export default defineConfig({ ...library(...entries), esbuildPlugins: [wholeRoot] });
