import { realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Covered, CoveredPathSearch } from "./covered-paths.js";
import { isSetAside, type NameEdit, type NameEditResult, type Root } from "./edit-names.js";
import type { SessionMounts } from "./session-mounts.js";

/** Maximum number of searches after one command. Each search may open further folders. */
const MAX_PASSES = 20;

const MAX_SENTENCES = 50;

type Options = {
  readonly search: CoveredPathSearch;
  /** Returns `false` for a protected file that the command has not created. By default, every file counts. */
  readonly isNew?: (one: Covered) => Promise<boolean>;
  readonly edit: (changes: readonly NameEdit[]) => Promise<readonly NameEditResult[]>;
  /** With `false`, removed links are only reported, and not created again. */
  readonly restoresLinks?: boolean;
};

/** Result of {@link takeBack}. `problem` is the reason why protected files may be left, as a part of a sentence. */
export type TakenBack = { readonly sentences: readonly string[]; readonly problem?: string };

/**
 * Renames protected and secret files that did not exist before a command. This is needed because no mount can forbid
 * names that do not exist yet. No mount can cover a link either, so removed and replaced links are created again.
 */
export async function takeBack(
  { roots, covered, mounts }: Pick<SessionMounts, "roots" | "covered" | "mounts">,
  { search, isNew = async () => true, edit, restoresLinks = true }: Options,
): Promise<TakenBack> {
  const before = new Map(covered.map((one) => [keyOf(one), one]));
  const isSame = (one: Covered): boolean => {
    const known = before.get(keyOf(one));
    return (
      known !== undefined &&
      (known.kind === "link") === (one.kind === "link") &&
      known.target === one.target &&
      known.real === one.real
    );
  };
  const ids = new Map(mounts.map(({ path, id }) => [path, id]));
  const sentences: string[] = [];
  const opened = new Map<string, NameEdit>();
  let problems: string[] = [];
  let left = new Set<string>();
  // A killed process may write until the system has ended it, so the search is repeated while it finds files.
  for (let pass = 0; ; pass += 1) {
    problems = [];
    left = new Set();
    const changes = new Map<string, { readonly one: Covered; readonly change: NameEdit }>();
    for (const root of new Set(roots)) {
      const result = await search(root);
      problems.push(...result.problems);
      for (const one of result.found) {
        const key = keyOf(one);
        if (isSame(one)) left.add(key);
        else if (opened.has(key)) problems.push(`${one.path} could not be searched`);
        else if (isHarmful(one) && (one.kind === "unreadable" || (await isNew(one))))
          changes.set(key, { one, change: changeOf(one, { path: root, id: ids.get(root) ?? "" }) });
      }
    }
    if (changes.size === 0) break;
    const found = [...changes.values()];
    if (pass === MAX_PASSES) {
      problems.push(`new protected files were found in ${MAX_PASSES} searches, such as ${found[0]?.one.path}`);
      break;
    }
    const results = await edit(found.map(({ change }) => change));
    let isStuck = true;
    for (const [index, { one, change }] of found.entries()) {
      const { name, mode, problem } = results[index] ?? { problem: "no answer" };
      if (problem === undefined) isStuck = false;
      else problems.push(`${one.path} could not be renamed or searched (${problem})`);
      if (mode !== undefined) opened.set(keyOf(one), { ...change, action: "close", mode });
      if (name !== undefined) {
        sentences.push(
          `${one.path} is protected, and it did not exist in this form before the command. Its name is now ${name}.`,
        );
      }
    }
    if (isStuck) break;
  }
  if (opened.size > 0) await edit([...opened.values()].reverse());
  // A link is not created again if its target has changed.
  const isAsBefore = async ({ path, real, target = "" }: Covered) =>
    (await realpath(resolve(dirname(path), target)).catch(() => undefined)) === real;
  const lost = covered.filter((one) => one.kind === "link" && !left.has(keyOf(one)));
  const wanted = restoresLinks ? await Promise.all(lost.map(isAsBefore)) : [];
  const links = lost.map((one): NameEdit => {
    const path =
      [...roots].filter((root) => one.path.startsWith(`${root}/`)).sort((a, b) => b.length - a.length)[0] ?? "";
    return { ...changeOf(one, { path, id: ids.get(path) ?? "" }), action: "link", target: one.target ?? "" };
  });
  const restorable = links.filter((_, at) => wanted[at]);
  const restored = restorable.length > 0 ? [...(await edit(restorable))] : [];
  for (const [at, one] of lost.entries()) {
    const result = wanted[at] ? restored.shift() : undefined;
    const { isGone, problem = isGone ? "its folder is gone" : undefined } = result ?? { problem: "" };
    const end = problem === undefined ? "It is restored." : `It is not restored${problem && ` (${problem})`}.`;
    sentences.push(
      `The protected link ${one.path} to ${one.target} was removed or replaced during the command. ${end}`,
    );
  }
  const more = sentences.length - MAX_SENTENCES;
  return {
    sentences: more > 0 ? [...sentences.slice(0, MAX_SENTENCES), `${more} more were renamed or replaced.`] : sentences,
    problem: problems[0],
  };
}

/**
 * Returns `false` for three kinds: sockets, which nothing reads; names that this module has given; and repositories.
 * After its file `HEAD` is renamed, a new folder is not a repository any more.
 */
function isHarmful({ path, kind, isRepository }: Covered): boolean {
  if (kind === "unreadable") return true;
  return kind !== "socket" && isRepository !== true && !isSetAside(path.slice(path.lastIndexOf("/") + 1));
}

function changeOf({ path, bytes = Buffer.from(path), kind }: Covered, root: Root): NameEdit {
  const names: string[] = [];
  for (let at = Buffer.byteLength(root.path) + 1; at <= bytes.length; ) {
    const end = bytes.indexOf("/", at);
    const stop = end < 0 ? bytes.length : end;
    if (stop > at) names.push(bytes.subarray(at, stop).toString("base64"));
    at = stop + 1;
  }
  return { action: kind === "unreadable" ? "open" : "set-aside", root, names };
}

const keyOf = ({ path, bytes }: Covered): string => (bytes === undefined ? path : `bytes ${bytes.toString("hex")}`);
