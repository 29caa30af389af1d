import { join } from "node:path";
import { ToolError } from "../errors.js";
import { patchBetween } from "../lint/edits.js";
import type { Workspace } from "../workspace.js";
import type { Repository } from "./repository.js";

/** Change of a file since a commit. `name` is relative to the folder of the repository object. */
export type GitChange = {
  readonly name: string;
  readonly kind: "added" | "changed" | "deleted" | "untracked";
  /** Object of the earlier content; absent for a new file. */
  readonly before?: string;
};

const MAX_UNTRACKED = 500;

/** Largest earlier content that is compared, in characters. */
const MAX_LENGTH = 1024 * 1024;

/** Form of a revision that a model may name. Other forms, such as `:/text`, could search the whole history. */
const REVISION = /^[A-Za-z0-9_@][\w./~^@{}+-]{0,200}$/;

/**
 * Returns the commit of a revision.
 *
 * @throws ToolError `not_found` for an unknown revision, and `invalid_input` for another form of revision
 */
export async function commitOf({ tryRead }: Repository, revision: string): Promise<string> {
  if (!REVISION.test(revision) || revision.includes("..")) {
    throw new ToolError(
      "invalid_input",
      `\`${revision}\` is not the name of one commit, such as main, HEAD~2 or a hash.`,
    );
  }
  const found = await tryRead("rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`);
  if (found === undefined) throw new ToolError("not_found", `There is no commit \`${revision}\`.`);
  return found.trim();
}

/**
 * Returns the commit with which the files are compared: the common ancestor of HEAD and a revision, or HEAD. In a
 * repository without commits, returns an empty tree.
 */
export async function baseOf(repository: Repository, revision: string | undefined): Promise<string> {
  const { read, tryRead } = repository;
  if (revision !== undefined) {
    const commit = await commitOf(repository, revision);
    return (await tryRead("merge-base", commit, "HEAD"))?.trim() || commit;
  }
  const head = await tryRead("rev-parse", "--verify", "--quiet", "HEAD^{commit}");
  return (head ?? (await read("hash-object", "-t", "tree", "/dev/null"))).trim();
}

const LISTING = ["--raw", "-z", "--no-abbrev", "--no-renames", "--relative", "--ignore-submodules=all"];

/**
 * Returns the files that differ from a commit, and new files that Git does not ignore. A file may be listed although its
 * content is equal. Submodules are left out.
 *
 * @param path path to look at, relative to the folder of the repository object
 */
export async function listChanges({ read }: Repository, base: string, path: string): Promise<readonly GitChange[]> {
  const [tracked, untracked] = await Promise.all([
    read("diff-index", ...LISTING, base, "--", path),
    read("ls-files", "-z", "--others", "--exclude-standard", "--", path),
  ]);
  const fields = tracked.split("\0");
  const changes: GitChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [, , before = "", , status = ""] = fields[at]?.split(" ") ?? [];
    const name = fields[at + 1] ?? "";
    if (status.startsWith("A")) changes.push({ name, kind: "added" });
    else changes.push({ name, kind: status.startsWith("D") ? "deleted" : "changed", before });
  }
  // A name that ends with a slash is a nested repository.
  const news = untracked.split("\0").filter((name) => name !== "" && !name.endsWith("/"));
  return [...changes, ...news.slice(0, MAX_UNTRACKED).map((name) => ({ name, kind: "untracked" as const }))];
}

/**
 * Returns the change of a file as a unified diff. If the client offers files, the new content comes from its editor.
 * Returns `undefined` if the content is equal.
 *
 * @throws the reason of the signal
 */
export async function patchOf(
  { folder, tryRead }: Repository,
  { name, kind, before: object }: GitChange,
  place: { readonly workspace: Workspace; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const { signal } = place;
  const before = object === undefined ? "" : await tryRead("cat-file", "blob", object);
  const after =
    kind === "deleted" ? "" : await textAfter(join(folder, name), place).catch((error: unknown) => error as Error);
  signal.throwIfAborted();
  const head = `--- ${object === undefined ? "/dev/null" : `a/${name}`}\n+++ ${kind === "deleted" ? "/dev/null" : `b/${name}`}\n`;
  if (typeof after !== "string") return `${head}[It is not shown: ${after.message}]\n`;
  if (before === undefined || before.length > MAX_LENGTH || before.includes("\0")) {
    return `${head}[It is not shown: the earlier content is not text of up to 1 MB.]\n`;
  }
  // Git may store LF for a file whose lines end with CRLF.
  const now = before.includes("\r") || object === undefined ? after : after.replaceAll("\r\n", "\n");
  return before === now ? undefined : head + (await patchBetween(before, now));
}

/** Reads a file with a harmless name, which may be a link to a file of secrets. */
async function textAfter(
  path: string,
  { workspace, signal }: { readonly workspace: Workspace; readonly signal: AbortSignal },
): Promise<string> {
  const { real, secretBy } = await workspace.guards(path);
  if (secretBy !== undefined) throw new Error("it is a link to a file that may hold secrets");
  return workspace.read(path, signal, { real });
}
