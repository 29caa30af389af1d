import { readFile } from "node:fs/promises";
import { defineConfig } from "tsup";
import { library } from "../tooling/src/tsup.js";

const words =
  /(?<![.\w])(boolean|exactlyOne|extend|extendVariants|firstOf|integer|keptEnum|lenient|lenientList|list|literal|nullAsEmpty|nullable|number|object|oneOf|openEnum|openVariants|optional|record|requiredOr|sifted|string|unknown|variants)\(/g;

export default defineConfig({
  ...library(
    "src/index.ts",
    "src/v1/index.ts",
    "src/v1/unstable/index.ts",
    "src/v2/index.ts",
    "src/v2/unstable/index.ts",
  ),
  platform: "neutral",
  // Bundled, zod costs 8 ms at start instead of 50. It stays a dependency, for its types.
  noExternal: [/^zod/],
  splitting: true,
  sourcemap: false,
  esbuildPlugins: [
    {
      // Bundlers drop an unused definition only if every call in it is marked as pure. Marking them here keeps the
      // definitions readable.
      name: "pure-definitions",
      setup(build) {
        build.onLoad({ filter: /[\\/]src[\\/]v\d[\\/].*\.ts$/ }, async ({ path }) => ({
          contents: (await readFile(path, "utf8")).replace(words, "/* @__PURE__ */ $1("),
          loader: "ts",
        }));
      },
    },
  ],
});
