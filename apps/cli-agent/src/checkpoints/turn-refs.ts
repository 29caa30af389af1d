import { createHash } from "node:crypto";
import type { ShadowGit } from "./shadow-git.js";
import type { Tree } from "./snapshots.js";

/** Bounds of stored turns for one folder. Older turns are removed first. */
const MAX_TURNS = 200;
const MAX_AGE_MS = 14 * 24 * 60 * 60 * 1000;

/** Size of a store above which its oldest turns are removed, in KiB. */
const MAX_STORE_KIB = 1024 * 1024;

/** Stored turn. `after` is absent if the agent ended during the turn. */
export type StoredTurn = { readonly name: string; readonly before: Tree; readonly after?: Tree };

/**
 * Stores the snapshots of turns as references of Git: `refs/turns/SESSION/TIME-PROMPT/before` and `after`. Git keeps
 * the files of these snapshots, and drops all other files.
 */
export function createTurnRefs(git: ShadowGit, sessionId: string) {
  const own = `refs/turns/${hash(sessionId)}`;
  const list = async (prefix: string): Promise<readonly StoredTurn[]> => {
    const lines = (await git.run(["for-each-ref", "--format=%(objectname) %(refname)", prefix])).split("\n");
    const turns = new Map<string, { before?: Tree; after?: Tree }>();
    for (const line of lines) {
      const [, tree, name = "", side] = /^(\w+) (.*)\/(before|after)$/.exec(line) ?? [];
      if (tree !== undefined) turns.set(name, { ...turns.get(name), [side as "before"]: tree });
    }
    return [...turns].flatMap(([name, { before, after }]) => (before ? [{ name, before, after }] : []));
  };
  const remove = async (turns: readonly StoredTurn[]): Promise<void> => {
    const lines = turns.flatMap(({ name }) => [`delete ${name}/before\n`, `delete ${name}/after\n`]);
    if (lines.length > 0) await git.run(["update-ref", "--stdin"], { input: lines.join("") });
  };
  return {
    nameFor: (promptId: string, now = Date.now()): string =>
      `${own}/${String(now).padStart(15, "0")}-${hash(promptId)}`,
    store: (name: string, side: "before" | "after", tree: Tree) => git.run(["update-ref", `${name}/${side}`, tree]),
    /** Returns the turns of this session, oldest first; with `promptId`, only the turn of this prompt. */
    async find(promptId?: string): Promise<readonly StoredTurn[]> {
      const turns = await list(own);
      return promptId === undefined ? turns : turns.filter(({ name }) => name.endsWith(`-${hash(promptId)}`));
    },
    remove,
    /** Removes old turns of all sessions, and files that no turn needs. It may take long. */
    async expire(now = Date.now()): Promise<void> {
      const timeOf = ({ name }: StoredTurn) => Number(/\/(\d+)-[^/]*$/.exec(name)?.[1]);
      const turns = [...(await list("refs/turns"))].sort((a, b) => timeOf(b) - timeOf(a));
      const size = /size: (\d+)[\s\S]*size-pack: (\d+)/.exec(await git.run(["count-objects", "-v"])) ?? [];
      const isLarge = Number(size[1]) + Number(size[2]) > MAX_STORE_KIB;
      const most = isLarge ? Math.floor(turns.length / 2) : MAX_TURNS;
      const old = turns.filter((turn, at) => at >= most || now - timeOf(turn) > MAX_AGE_MS);
      await remove(old);
      await git.run(old.length > 0 ? ["gc", "--quiet"] : ["gc", "--auto", "--quiet"]);
    },
  };
}

const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 16);
