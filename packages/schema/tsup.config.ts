import { readFile } from "node:fs/promises";
import { defineConfig } from "tsup";
import { library } from "../tooling/src/tsup.js";

const words =
  /(?<![.\w])(boolean|exactlyOne|extend|extendVariants|firstOf|integer|keptEnum|lenient|lenientList|list|literal|nullAsEmpty|nullable|number|object|oneOf|openEnum|openVariants|optional|record|requiredOr|sifted|string|unknown|variants)\(/g;

const comments = /^ *\/\*\*[\s\S]*?\*\/\n/gm;

export default defineConfig({
  ...library(
    "src/index.ts",
    "src/v1/index.ts",
    "src/v1/unstable/index.ts",
    "src/v2/index.ts",
    "src/v2/unstable/index.ts",
  ),
  platform: "neutral",
  splitting: true,
  sourcemap: false,
  esbuildPlugins: [
    {
      // Bundlers drop an unused definition only if every call in it is marked as pure. Marking them here keeps the
      // definitions readable. Comments inside expressions would be half of the file, and be parsed at every start.
      name: "pure-definitions",
      setup(build) {
        build.onLoad({ filter: /[\\/]src[\\/]v\d[\\/].*\.ts$/ }, async ({ path }) => ({
          contents: (await readFile(path, "utf8")).replace(comments, "").replace(words, "/* @__PURE__ */ $1("),
          loader: "ts",
        }));
      },
    },
  ],
});
