import { isBuiltin } from "node:module";
import { Visitor } from "oxc-parser";
import { importsOf } from "../imports.js";
import { isTest, parseSource, placeOf, type SourceFile } from "../source.js";
import { entriesOf, isPublishable, resolveRelative, type Workspace } from "../workspace.js";

const nodeGlobals = new Set(["process", "Buffer", "NodeJS", "require", "__dirname", "__filename", "setImmediate"]);

/**
 * Returns the uses of Node in files that an entry without `/node` in its name reaches. Other files may import modules of
 * Node only in a folder `node/`.
 */
export function runsAnywhereViolations(workspaces: readonly Workspace[]): readonly string[] {
  return workspaces.filter(isPublishable).flatMap((workspace) => {
    const portable = [...entriesOf(workspace)].filter(([entry]) => !isNodeEntry(entry)).map(([, path]) => path);
    const reached = reachable(workspace, portable);
    const others = workspace.files.filter((file) => !reached.includes(file) && isOutsideNode(workspace, file));
    return [
      ...reached.flatMap((file) => [
        ...nodeImportsOf(file).map((found) => `${found}, and a root entry reaches this file`),
        ...nodeGlobalsOf(file),
      ]),
      ...others.flatMap(nodeImportsOf).map((found) => `${found}, and is in no folder node/`),
    ];
  });
}

function isOutsideNode({ folder }: Workspace, { path }: SourceFile): boolean {
  return path.startsWith(`${folder}/src/`) && !isTest(path) && !path.includes("/node/");
}

function nodeImportsOf(file: SourceFile): readonly string[] {
  return importsOf(file)
    .filter(({ specifier }) => isBuiltin(specifier) || isNodeEntry(specifier))
    .map(({ place, specifier }) => `${place} imports ${specifier}`);
}

/** Returns true if a specifier or an entry needs Node by its own name: `./node`, `@turnkit/agent/node`. */
export function isNodeEntry(specifier: string): boolean {
  return !specifier.endsWith(".js") && /\/node(\/|$)/.test(specifier);
}

function reachable(workspace: Workspace, entries: readonly string[]): readonly SourceFile[] {
  const byPath = new Map(workspace.files.map((file) => [file.path, file]));
  const paths = new Set(entries);
  for (const path of paths) {
    const file = byPath.get(path);
    for (const { specifier } of file ? importsOf(file) : []) {
      if (specifier.startsWith(".")) paths.add(resolveRelative(path, specifier));
    }
  }
  return [...paths].flatMap((path) => byPath.get(path) ?? []);
}

function nodeGlobalsOf(file: SourceFile): readonly string[] {
  const names = new Set<number>(); // where an identifier is only the name of a member
  const uses: { readonly name: string; readonly start: number }[] = [];
  const member = (node: { computed: boolean; start: number }) => node.computed || names.add(node.start);
  new Visitor({
    MemberExpression: (node) => node.computed || names.add(node.property.start),
    Property: (node) => member({ computed: node.computed, start: node.key.start }),
    PropertyDefinition: (node) => member({ computed: node.computed, start: node.key.start }),
    MethodDefinition: (node) => member({ computed: node.computed, start: node.key.start }),
    TSPropertySignature: (node) => member({ computed: node.computed, start: node.key.start }),
    TSMethodSignature: (node) => member({ computed: node.computed, start: node.key.start }),
    Identifier: (node) => {
      if (nodeGlobals.has(node.name)) uses.push(node);
    },
  }).visit(parseSource(file).program);
  return uses
    .filter(({ start }) => !names.has(start))
    .map(({ name, start }) => `${placeOf(file, start)} uses ${name}, and a root entry reaches this file`);
}
