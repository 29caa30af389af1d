import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Plugin } from "esbuild";

/** Name of a file for imports, and name in this file. */
type Place = { readonly file: string; readonly name: string };

/**
 * Replaces imports of a package of the workspace with imports of the files that define the names. A bundler with several
 * chunks puts every file that an `index.ts` names into the chunk of its importer, even if the importer needs one name.
 */
export const directImports: Plugin = {
  name: "direct-imports",
  setup(build) {
    const lists = new Map<string, ReadonlyMap<string, Place>>();
    build.onLoad({ filter: /\/(?:packages|apps)\/[^/]+\/src\/.*\.ts$/ }, async ({ path }) => {
      const text = readFileSync(path, "utf8");
      const entries = new Map<string, string>();
      for (const [, entry = ""] of text.matchAll(/ from "(@turnkit\/[^"]+)";/g)) {
        const options = { kind: "import-statement", resolveDir: dirname(path), importer: path } as const;
        entries.set(entry, (await build.resolve(entry, options)).path);
      }
      const contents = text.replace(NAMED, (statement, kind: string, names: string, entry: string) => {
        const file = entries.get(entry);
        if (file === undefined) return statement;
        if (!lists.has(file)) lists.set(file, readList(file));
        return directly(kind, namesIn(names), lists.get(file) as ReadonlyMap<string, Place>) ?? statement;
      });
      return { contents, loader: "ts" };
    });
  },
};

/** Import or export of names of a package. */
const NAMED = /^(import|export) \{([^}]*)\} from "(@turnkit\/[^"]+)";/gm;

/** Returns the names of a list, each with its local name. Types are left out. */
function namesIn(list: string): readonly (readonly [name: string, local: string])[] {
  return list
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "" && !one.startsWith("type "))
    .map((one) => one.split(" as ") as [string, string?])
    .map(([name, local = name]) => [name, local]);
}

/** Reads the names that an `index.ts` exports from other files. */
function readList(index: string): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  for (const [, names = "", path = ""] of readFileSync(index, "utf8").matchAll(
    /^export \{([^}]*)\} from "(\.[^"]+)\.js";/gm,
  )) {
    const file = `${resolve(dirname(index), path)}.ts`;
    for (const [name, local] of namesIn(names)) places.set(local, { file, name });
  }
  return places;
}

/** Returns a statement for each name; `undefined` if the list of the package does not have a name. */
function directly(
  kind: string,
  names: ReturnType<typeof namesIn>,
  places: ReadonlyMap<string, Place>,
): string | undefined {
  const statements = names.map(([name, local]) => {
    const place = places.get(name);
    return place && `${kind} { ${place.name} as ${local} } from ${JSON.stringify(place.file)};`;
  });
  return statements.includes(undefined) ? undefined : statements.join(" ");
}
