import type { SourceFile } from "../src/source.js";
import type { Manifest, Workspace } from "../src/workspace.js";

/** A workspace as the rules see it, made of file texts: `fixture("packages/agent", { "src/index.ts": "…" })`. */
export function fixture(folder: string, texts: Record<string, string>, rest: Partial<Workspace> = {}): Workspace {
  const name = folder.slice(folder.indexOf("/") + 1);
  return {
    folder,
    name,
    manifest: manifestOf(name),
    topLevel: [],
    readme: "",
    reference: "",
    files: Object.entries(texts).map(([path, text]): SourceFile => ({ path: `${folder}/${path}`, text })),
    ...rest,
  };
}

/** A publishable manifest with the entries `.` and `./node`. */
export function manifestOf(name: string, rest: Partial<Manifest> = {}): Manifest {
  const entry = (path: string) => ({
    "@turnkit/source": `./src/${path}.ts`,
    types: `./dist/${path}.d.ts`,
    default: `./dist/${path}.js`,
  });
  return { name: `@turnkit/${name}`, exports: { ".": entry("index"), "./node": entry("node/index") }, ...rest };
}
