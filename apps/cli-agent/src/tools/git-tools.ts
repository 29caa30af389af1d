import { dirname, relative } from "node:path";
import * as z from "zod";
import { baseOf, commitOf, type GitChange, listChanges, patchOf } from "../git/changes.js";
import { openRepository, type Repository } from "../git/repository.js";
import { defineTool, fencedText, type ToolContext } from "./tool.js";

/** Maximum number of files that are compared, of files that are listed, and of characters that the model gets. */
const MAX_FILES = 100;
const MAX_NAMES = 500;
const MAX_LENGTH = 100_000;
/** Maximum number of characters that the user sees in the call. */
const MAX_SHOWN = 20_000;

const revision = z.string().optional();

/** Tool that returns the changes of files since a commit. It runs no program of the repository. */
export const gitDiffTool = defineTool({
  name: "git_diff",
  description:
    "Returns what has changed in the Git repository as a unified diff: what is not committed yet, or with from what has " +
    "changed since a commit or on this branch. Files that may hold secrets are left out. Changes nothing, and needs no " +
    "permission.",
  input: z.object({
    path: z.string().default(".").describe("A file or folder; the session's folder unless said otherwise."),
    from: revision.describe("Compare with the common ancestor of this commit or branch, such as main."),
    to: revision.describe("Compare from with this commit, and not with the files."),
    names: z.boolean().default(false).describe("Only the names of the files."),
  }),
  parallel: true,
  open({ path, from, to, names }, context) {
    const { workspace } = context;
    const { name, inside } = workspace.locate(path);
    const what =
      from === undefined ? "uncommitted changes" : `changes since ${from}${to === undefined ? "" : ` up to ${to}`}`;
    return {
      start: { title: `Show ${what}${path === "." ? "" : ` of ${name}`}`, kind: "read" },
      async run(call) {
        const place = await openPlace(path, { ...context, inside });
        const text =
          to === undefined ? await filesText(place, { from, names }) : await commitsText(place, { from, to, names });
        await call.update({ content: [fencedText(text.slice(0, MAX_SHOWN))], rawOutput: { characters: text.length } });
        return { type: "text", value: text };
      },
    };
  },
});

export const gitLogTool = defineTool({
  name: "git_log",
  description: "Returns the newest commits: hash, date, author and subject. Changes nothing, and needs no permission.",
  input: z.object({
    path: z.string().default(".").describe("Only commits that changed this file or folder."),
    limit: z.int().min(1).max(200).default(20),
    from: revision.describe("Begin with this commit or branch; HEAD unless said otherwise."),
  }),
  parallel: true,
  open({ path, limit, from }, context) {
    const { name, inside } = context.workspace.locate(path);
    return {
      start: { title: `Show the newest commits${path === "." ? "" : ` of ${name}`}`, kind: "read" },
      async run(call) {
        const { repository, relativePath } = await openPlace(path, { ...context, inside });
        const start = await commitOf(repository, from ?? "HEAD");
        const options = ["--no-show-signature", "--no-color", "--date=short", "--format=%h%x09%ad%x09%an%x09%s"];
        const log = await repository.read("log", ...options, `-n${limit}`, start, "--", relativePath);
        const text = log.slice(0, MAX_LENGTH).trimEnd() || "There are no such commits.";
        await call.update({ content: [fencedText(text.slice(0, MAX_SHOWN))] });
        return { type: "text", value: text };
      },
    };
  },
});

type Place = {
  readonly repository: Repository;
  readonly relativePath: string;
  readonly context: Pick<ToolContext, "workspace" | "signal">;
};

async function openPlace(path: string, context: ToolContext & { readonly inside: boolean }): Promise<Place> {
  const { workspace, signal } = context;
  const { roots } = workspace;
  const real = await workspace.real(path);
  const folder = await workspace.folder(path).then(
    (found) => found.path,
    () => dirname(real),
  );
  const repository = await openRepository(folder, { roots, signal });
  return { repository, relativePath: relative(repository.folder, real) || ".", context };
}

async function filesText(
  { repository, relativePath, context }: Place,
  { from, names }: { readonly from?: string; readonly names: boolean },
): Promise<string> {
  const base = await baseOf(repository, from);
  const all = await listChanges(repository, base, relativePath);
  const { changes, secrets } = withoutSecrets(all, repository, context);
  if (names) return namesText(changes, secrets);
  const patches: string[] = [];
  let length = 0;
  for (const change of changes.slice(0, MAX_FILES)) {
    if (length > MAX_LENGTH) break;
    const patch = await patchOf(repository, change, context);
    patches.push(...(patch === undefined ? [] : [patch]));
    length += patch?.length ?? 0;
  }
  return boundedText(patches.join("\n"), { secrets, left: changes.slice(MAX_FILES).map(({ name }) => name) });
}

const COMMON = ["--no-renames", "--relative", "--ignore-submodules=all"];

/** Options with which Git lists the changes between two commits, and with which it shows them. No program runs. */
const LISTING = ["-r", "-z", "--name-status", ...COMMON];
const PATCH = [
  ...["--no-ext-diff", "--no-textconv", "--no-color", "--submodule=short", "-U3", "--src-prefix=a/", "--dst-prefix=b/"],
  ...COMMON,
];

async function commitsText(
  { repository, relativePath, context }: Place,
  { from = "HEAD", to, names }: { readonly from?: string; readonly to: string; readonly names: boolean },
): Promise<string> {
  const [start, end] = [await commitOf(repository, from), await commitOf(repository, to)];
  const listed = await repository.read("diff-tree", ...LISTING, start, end, "--", relativePath);
  const fields = listed.split("\0");
  const all: Pick<GitChange, "name" | "kind">[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    all.push({ name: fields[at + 1] ?? "", kind: kinds[fields[at] ?? ""] ?? "changed" });
  }
  const { changes, secrets } = withoutSecrets(all, repository, context);
  if (names) return namesText(changes, secrets);
  const paths = changes.slice(0, MAX_FILES).map(({ name }) => name);
  const text = paths.length === 0 ? "" : await repository.read("diff", ...PATCH, start, end, "--", ...paths);
  return boundedText(text, { secrets, left: changes.slice(MAX_FILES).map(({ name }) => name) });
}

const kinds: Readonly<Record<string, GitChange["kind"]>> = { A: "added", D: "deleted" };

function withoutSecrets<One extends { readonly name: string }>(
  all: readonly One[],
  { folder }: Repository,
  { workspace }: Place["context"],
) {
  const changes = all.filter(({ name }) => !workspace.isSecret(`${folder}/${name}`));
  return { changes, secrets: all.length - changes.length };
}

const namesText = (changes: readonly Pick<GitChange, "name" | "kind">[], secrets: number): string =>
  listText(
    changes.map(({ name, kind }) => `${kind}\t${name}`),
    secrets,
  );

function listText(lines: readonly string[], secrets: number): string {
  const shown = lines.slice(0, MAX_NAMES);
  const more = lines.length > shown.length ? [`[and ${lines.length - shown.length} more files]`] : [];
  return [...shown, ...more, ...secretsNote(secrets)].join("\n") || NOTHING;
}

function boundedText(
  text: string,
  { secrets, left }: { readonly secrets: number; readonly left: readonly string[] },
): string {
  const shown = text.slice(0, MAX_LENGTH);
  const cut = text.length > MAX_LENGTH ? ["[The diff is cut here. Name a path to see the rest.]"] : [];
  const more = left.length > 0 ? [`[Not shown: ${listText(left, 0)}]`] : [];
  const notes = [...cut, ...more, ...secretsNote(secrets)];
  return [...(shown.trim() === "" ? [] : [shown.trimEnd()]), ...notes].join("\n") || NOTHING;
}

const NOTHING = "Nothing has changed.";

const secretsNote = (count: number): readonly string[] =>
  count === 0 ? [] : [`[${count} changed files may hold secrets and are left out.]`];
