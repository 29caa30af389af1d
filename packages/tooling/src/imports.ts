import { Visitor } from "oxc-parser";
import { parseSource, placeOf, type SourceFile } from "./source.js";

/** One mention of another module in a file. */
export type Import = {
  readonly specifier: string;
  /** Erased whole by the compiler: `import type`, `export type … from`, `import("x").T`. */
  readonly typeOnly: boolean;
  readonly place: string;
};

const found = new WeakMap<SourceFile, readonly Import[]>();

/** Every module that a file names, in the order of the text, dynamic imports and import types included. */
export function importsOf(file: SourceFile): readonly Import[] {
  const known = found.get(file);
  if (known) return known;
  const imports: (Import & { readonly start: number })[] = [];
  const add = (source: { type: string; start: number; value?: unknown } | null, typeOnly: boolean) => {
    if (typeof source?.value !== "string") return;
    imports.push({ specifier: source.value, typeOnly, place: placeOf(file, source.start), start: source.start });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source, node.importKind === "type"),
    ExportNamedDeclaration: (node) => add(node.source, node.exportKind === "type"),
    ExportAllDeclaration: (node) => add(node.source, node.exportKind === "type"),
    ImportExpression: (node) => add(node.source, false),
    TSImportType: (node) => add(node.source, true),
    TSExternalModuleReference: (node) => add(node.expression, false),
  }).visit(parseSource(file).program);
  found.set(file, imports);
  return imports.sort((a, b) => a.start - b.start);
}
