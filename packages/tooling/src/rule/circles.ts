import { importsOf } from "../imports.js";
import { resolveRelative, type Workspace } from "../workspace.js";

/** Returns the circles of files that import each other in a workspace, type imports and re-exports included. */
export function circleViolations(workspaces: readonly Workspace[]): readonly string[] {
  return workspaces.flatMap(circlesIn).map((circle) => `a circle of files: ${circle.join(", ")}`);
}

/** Returns the groups of files that reach each other by imports, by Tarjan's algorithm. */
export function circlesIn(workspace: Workspace): readonly (readonly string[])[] {
  const edges = edgesOf(workspace);
  const order = new Map<string, number>();
  const open: string[] = [];
  const circles: (readonly string[])[] = [];
  const visit = (path: string): number => {
    const number = order.size;
    order.set(path, number);
    const depth = open.push(path) - 1;
    let lowest = number;
    for (const next of edges.get(path) ?? []) {
      if (!order.has(next)) lowest = Math.min(lowest, visit(next));
      else if (open.includes(next)) lowest = Math.min(lowest, order.get(next) ?? 0);
    }
    if (lowest < number) return lowest;
    const group = open.splice(depth);
    if (group.length > 1 || edges.get(path)?.has(path)) circles.push(group.sort());
    return lowest;
  };
  for (const path of edges.keys()) if (!order.has(path)) visit(path);
  return circles;
}

/** Returns the files of the workspace that each file imports by a relative path. */
function edgesOf({ files }: Workspace): ReadonlyMap<string, ReadonlySet<string>> {
  const paths = new Set(files.map(({ path }) => path));
  const target = (from: string, specifier: string): readonly string[] => {
    const path = resolveRelative(from, specifier);
    return [path, `${path}x`].filter((one) => paths.has(one)); // `./screen.js` may stand for `screen.tsx`.
  };
  return new Map(
    files.map((file) => {
      const relative = importsOf(file).filter(({ specifier }) => specifier.startsWith("."));
      return [file.path, new Set(relative.flatMap(({ specifier }) => target(file.path, specifier)))];
    }),
  );
}
