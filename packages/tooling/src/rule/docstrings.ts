import type { Comment, Directive, Statement } from "oxc-parser";
import { parseSource, placeOf, type SourceFile } from "../source.js";
import { entriesOf, isPublishable, resolveRelative, type Workspace } from "../workspace.js";

/** Exports of the packages' entries whose declaration has no docstring right before it. */
export function docstringViolations(workspaces: readonly Workspace[]): readonly string[] {
  return workspaces.filter(isPublishable).flatMap((workspace) => {
    const files = new Map(workspace.files.map((file) => [file.path, file]));
    const missing = [...entriesOf(workspace).values()].flatMap((entry) => undocumented(files, entry));
    return [...new Set(missing)];
  });
}

type Files = ReadonlyMap<string, SourceFile>;

/** Follows the export lists from one file; `only` narrows them to one name. */
function undocumented(files: Files, path: string, only?: string): readonly string[] {
  const file = files.get(path);
  if (!file) return [];
  const { program } = parseSource(file);
  return program.body.flatMap((statement): readonly string[] => {
    if (statement.type === "ExportAllDeclaration") {
      const exported = statement.exported ? nameOf(statement.exported) : undefined;
      if (only !== undefined && exported !== undefined && exported !== only) return [];
      const inner = exported === undefined ? only : undefined;
      return undocumented(files, resolveRelative(path, statement.source.value), inner);
    }
    if (statement.type !== "ExportNamedDeclaration") return [];
    if (statement.declaration) return declaredNames(statement).flatMap((name) => judge(file, name, only));
    return statement.specifiers
      .filter(({ exported }) => only === undefined || nameOf(exported) === only)
      .flatMap(({ local }) => {
        const from = statement.source?.value ?? importedFrom(program.body, nameOf(local));
        if (from === undefined) return judge(file, nameOf(local), undefined);
        return from.startsWith(".") ? undocumented(files, resolveRelative(path, from), nameOf(local)) : [];
      });
  });
}

/**
 * Reports declarations of a name without a docstring. A schema and its type have the same name, and each needs a docstring.
 * Overloads need only one.
 */
function judge(file: SourceFile, name: string, only: string | undefined): readonly string[] {
  if (only !== undefined && only !== name) return [];
  const { program, comments } = parseSource(file);
  const declarations = program.body.filter((statement) => declaredNames(statement).includes(name));
  const bare = declarations.filter((statement) => !hasDocstring(file, statement, comments));
  const overloaded = declarations.every((statement) => /Function/.test(inner(statement).type));
  if (overloaded && bare.length < declarations.length) return [];
  return bare.map((statement) => `${placeOf(file, statement.start)} exports ${name} without a docstring`);
}

function hasDocstring(file: SourceFile, statement: { start: number }, comments: readonly Comment[]): boolean {
  let start = statement.start;
  for (const comment of comments.filter(({ end }) => end <= statement.start).reverse()) {
    if (file.text.slice(comment.end, start).trim() !== "") return false;
    if (comment.type === "Block" && comment.value.startsWith("*")) return /\w/.test(comment.value);
    start = comment.start;
  }
  return false;
}

function inner(statement: Directive | Statement): Directive | Statement {
  return statement.type === "ExportNamedDeclaration" ? (statement.declaration ?? statement) : statement;
}

function declaredNames(statement: Directive | Statement): readonly string[] {
  const declaration = inner(statement);
  if (declaration.type === "VariableDeclaration") {
    return declaration.declarations.flatMap(({ id }) => (id.type === "Identifier" ? id.name : []));
  }
  const id = "id" in declaration ? declaration.id : undefined;
  return id?.type === "Identifier" ? [id.name] : [];
}

function importedFrom(body: readonly (Directive | Statement)[], name: string): string | undefined {
  for (const statement of body) {
    if (statement.type !== "ImportDeclaration") continue;
    if (statement.specifiers.some(({ local }) => local.name === name)) return statement.source.value;
  }
  return undefined;
}

function nameOf(node: { type: string; name?: string; value?: string }): string {
  return node.name ?? node.value ?? "";
}
