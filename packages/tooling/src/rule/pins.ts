import { importsOf } from "../imports.js";
import type { SourceFile } from "../source.js";
import { entriesOf, isPublishable, resolveRelative, type Workspace } from "../workspace.js";

/** Entries whose export names no test pins in a filled inline snapshot. */
export function pinViolations(workspaces: readonly Workspace[]): readonly string[] {
  return workspaces.filter(isPublishable).flatMap((workspace) =>
    [...entriesOf(workspace)]
      .filter(([, source]) => workspace.files.some((file) => file.path === source))
      .filter(([entry, source]) => !workspace.files.some((file) => pins(workspace, file, entry, source)))
      .map(([entry]) => `${workspace.folder}/test/exports.test.ts does not pin the export names of "${entry}"`),
  );
}

function pins(workspace: Workspace, file: SourceFile, entry: string, source: string): boolean {
  if (!/\/(test\/exports|src\/(.*\/)?index)\.test\.ts$/.test(file.path)) return false;
  if (!/toMatchInlineSnapshot\(\s*[`"'][^`"']/.test(file.text)) return false;
  const name = workspace.manifest.name + entry.slice(1);
  return importsOf(file).some(
    ({ specifier }) => specifier === name || resolveRelative(file.path, specifier) === source,
  );
}
