import { Visitor } from "oxc-parser";
import { parseSource, placeOf, type SourceFile } from "./source.js";

/** One mention of another module in a file. */
export type Import = {
  readonly specifier: string;
  readonly place: string;
};

const found = new WeakMap<SourceFile, readonly Import[]>();

/** Every module that a file names, in the order of the text, dynamic imports and import types included. */
export function importsOf(file: SourceFile): readonly Import[] {
  const known = found.get(file);
  if (known) return known;
  const imports: (Import & { readonly start: number })[] = [];
  const add = (source: { type: string; start: number; value?: unknown } | null) => {
    if (typeof source?.value !== "string") return;
    imports.push({ specifier: source.value, place: placeOf(file, source.start), start: source.start });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    ImportExpression: (node) => add(node.source),
    TSImportType: (node) => add(node.source),
    TSExternalModuleReference: (node) => add(node.expression),
  }).visit(parseSource(file).program);
  found.set(file, imports);
  return imports.sort((a, b) => a.start - b.start);
}
