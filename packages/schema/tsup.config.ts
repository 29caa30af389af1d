import { readFile } from "node:fs/promises";
import { defineConfig } from "tsup";
import { library } from "../tooling/src/tsup.js";

const words =
  /(?<![.\w])(boolean|exactlyOne|extend|extendVariants|firstOf|integer|keptEnum|lenient|lenientList|list|literal|nullAsEmpty|nullable|number|object|oneOf|openEnum|openVariants|optional|record|requiredOr|sifted|string|unknown|variants)\(/g;

const comments = /^ *\/\*\*[\s\S]*?\*\/\n/gm;

const membersOfObjects = /(= (?:object\(|extend\(\w+, ))(\{[^;]*?\})\);$/gm;

const secondNames = /^export const (\w+):[^=]*=\s+\1_;$/gm;

/** Removes the first names of definitions, which the sources need only for their types. */
function withOneName(code: string): string {
  let out = code;
  for (const [line, name = ""] of code.matchAll(secondNames)) {
    out = out
      .replace(line, "")
      .replace(`\nconst ${name}_`, `\nexport const ${name}`)
      .replaceAll(new RegExp(`\\b${name}_\\b`, "g"), name);
  }
  return out;
}

export default defineConfig({
  ...library(
    "src/index.ts",
    "src/v1/index.ts",
    "src/v1/unstable/index.ts",
    "src/v2/index.ts",
    "src/v2/unstable/index.ts",
  ),
  platform: "neutral",
  // The four functions of zod that a schema type needs are 2 kB; all of `zod/v4/core` would be loaded at every start.
  noExternal: ["zod/v4/core"],
  splitting: true,
  sourcemap: false,
  esbuildPlugins: [
    {
      // Bundlers drop an unused definition only if every call in it is marked as pure. Marking them here keeps the
      // definitions readable. Comments inside expressions would be half of the file, and be parsed at every start; second
      // names are 0.5 kB of a client's bundle after gzip. The members of objects are made on first use: a starting program
      // reads with few of them, and a client is imported an eighth faster.
      name: "pure-definitions",
      setup(build) {
        build.onLoad({ filter: /[\\/]src[\\/](?:both|v\d)[\\/].*\.ts$/ }, async ({ path }) => ({
          contents: withOneName(await readFile(path, "utf8"))
            .replace(comments, "")
            .replace(membersOfObjects, "$1() => ($2));")
            .replace(words, "/* @__PURE__ */ $1("),
          loader: "ts",
        }));
      },
    },
  ],
});
