import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join, relative } from "node:path";
import { isInside } from "@turnkit/transport/node";
import type { Action } from "../action.js";
import { messageOf } from "../errors.js";
import type { Permission } from "../permission.js";
import { removeOldStores } from "./old-stores.js";
import { NoStoreError, openShadowGit } from "./shadow-git.js";
import { createSnapshots, type FileChange, nameOf, type Snapshot, type Snapshots, wasOmitted } from "./snapshots.js";
import { createTurnRefs, type StoredTurn } from "./turn-refs.js";

type CheckpointOptions = {
  readonly sessionId: string;
  /** Folder of the session, to which the names of files are relative. */
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly stores: string;
  readonly signal: AbortSignal;
  /** Returns `true` for files that are never copied, by their absolute path. */
  readonly isSecret: (path: string) => boolean;
  /** Called once if the session has no checkpoints, with the reason as a part of a sentence. */
  readonly onProblem: (reason: string) => void;
  readonly env?: NodeJS.ProcessEnv;
};

type Store = { readonly snapshots: Snapshots; readonly refs: ReturnType<typeof createTurnRefs> };

/** Running turn. `before` has a snapshot for each store, and is absent until the first action that may change files. */
type OpenTurn = {
  readonly promptId: string;
  before?: Promise<ReadonlyMap<Store, Snapshot & { readonly name: string }>>;
  /** Real paths of edited files; `undefined` after an action that can change any file. */
  edited: Set<string> | undefined;
};

/** Result of an undo. The lists contain the names of files as a user sees them. */
export type Undone = {
  readonly restored: readonly string[];
  /** Files that were not restored, because they changed after the turn. */
  readonly kept: readonly string[];
  /** Edited files that no checkpoint has, such as ignored files. */
  readonly missed: readonly string[];
  /** `true` if the agent ended in the middle of the turn, so its changes are unknown. */
  readonly isUnfinished: boolean;
};

/** Changed file, with its texts if they are known. `path` is absolute. */
export type ShownChange = {
  readonly path: string;
  readonly name: string;
  readonly before?: string;
  readonly after?: string;
} & {
  readonly operation: "add" | "modify" | "delete";
};

/** Bounds of shown changes: number of files with text, and bytes of each text. */
const MAX_SHOWN = 40;
const MAX_SHOWN_BYTES = 64 * 1024;

export type Checkpoints = ReturnType<typeof createCheckpoints>;

/**
 * Creates the checkpoints of one session: the state of all files before and after each turn that changes something. Git
 * stores them outside of the project. A failure never stops a turn.
 */
export function createCheckpoints(options: CheckpointOptions) {
  const { cwd, signal, onProblem } = options;
  let opened: Promise<readonly Store[]> | undefined;
  let turn: OpenTurn | undefined;
  const missed = new Map<string, readonly string[]>();
  const stores = (): Promise<readonly Store[]> => {
    opened ??= openStores(options);
    return opened;
  };
  let isOff = false;
  const giveUp = (error: unknown): void => {
    turn = undefined;
    if (isOff || signal.aborted) return;
    isOff = true;
    const reason = error instanceof NoStoreError ? error : new NoStoreError(messageOf(error));
    opened = Promise.reject(reason);
    opened.catch(() => undefined);
    onProblem(reason.message);
  };
  const takeBefore = async (promptId: string) => {
    const taken = (await stores()).map(async (store) => {
      const [snapshot, name] = [await store.snapshots.take(), store.refs.nameFor(promptId)];
      await store.refs.store(name, "before", snapshot.tree);
      return [store, { ...snapshot, name }] as const;
    });
    return new Map(await Promise.all(taken));
  };
  const label = (store: Store, { path }: FileChange): string => {
    const absolute = join(store.snapshots.root, nameOf(path));
    return isInside(absolute, [cwd]) ? relative(cwd, absolute) : absolute;
  };

  return {
    /** Begins a turn. Nothing is stored until {@link before}. */
    begin(promptId: string): void {
      turn = isOff ? undefined : { promptId, edited: new Set() };
    },

    /** Stores the state of all files, if this is the first action of the turn that may change something. */
    async before(action: Action): Promise<void> {
      if (turn === undefined || (action.type !== "edit" && action.type !== "command" && action.type !== "mcp")) return;
      if (action.type === "edit") turn.edited?.add(action.path);
      else turn.edited = undefined;
      turn.before ??= takeBefore(turn.promptId);
      await turn.before.catch(giveUp);
    },

    /** Reports that a program may have changed any file. The end of the turn then checks all files. */
    widen(): void {
      if (turn?.before !== undefined) turn.edited = undefined;
    },

    /** Ends the turn. Stores the state of all files, if the turn may have changed something. */
    async end(): Promise<void> {
      const ended = turn;
      turn = undefined;
      if (ended?.before === undefined) return;
      try {
        const left = new Set(ended.edited);
        for (const [store, before] of await ended.before) {
          const { snapshots, refs } = store;
          const { tree } = await snapshots.take();
          const changes = await snapshots.changes(before.tree, tree);
          const pathOf = ({ path }: FileChange) => join(snapshots.root, nameOf(path));
          // Other files were changed by a person during the turn.
          const edited = changes.filter((change) => ended.edited?.has(pathOf(change)) ?? true);
          const own = edited.filter((change) => isCertain(change, before, edited));
          for (const change of own) left.delete(pathOf(change));
          if (own.length === 0) await refs.remove([{ name: before.name, before: before.tree }]);
          else {
            const isAll = own.length === changes.length;
            await refs.store(before.name, "after", isAll ? tree : await snapshots.graft(before.tree, own, "after"));
          }
        }
        if (left.size > 0) missed.set(ended.promptId, [...left]);
      } catch (error) {
        giveUp(error);
      }
    },

    /**
     * Restores the files that a turn changed. A file that changed after the turn is not restored.
     *
     * @throws NoStoreError if the session has no checkpoints
     * @throws Error if a file changes at the same moment; then nothing is restored in its folder
     */
    async undo(promptId: string): Promise<Undone> {
      const restored: string[] = [];
      const kept: string[] = [];
      let isUnfinished = false;
      for (const store of await stores()) {
        const { snapshots, refs } = store;
        for (const stored of await refs.find(promptId)) {
          if (stored.after === undefined) {
            isUnfinished = true;
            continue;
          }
          const now = await snapshots.take();
          const since = new Set((await snapshots.changes(stored.after, now.tree)).map(({ path }) => path));
          const differs = new Set((await snapshots.changes(stored.before, now.tree)).map(({ path }) => path));
          const changes = await snapshots.changes(stored.before, stored.after);
          const open = changes.filter(({ path }) => differs.has(path));
          const isFree = ({ path }: FileChange) => !since.has(path) && !wasOmitted(now, path);
          const free = open.filter(isFree);
          if (free.length > 0) await snapshots.restore(now.tree, free);
          restored.push(...free.map((change) => label(store, change)));
          kept.push(...open.filter((change) => !isFree(change)).map((change) => label(store, change)));
          await refs.remove([stored]);
        }
      }
      return { restored, kept, missed: missed.get(promptId) ?? [], isUnfinished };
    },

    /**
     * Returns the changes of a turn, or of the whole session up to now. The texts of the first files are included.
     *
     * @throws NoStoreError if the session has no checkpoints
     */
    async changes(promptId?: string): Promise<readonly ShownChange[]> {
      const shown: ShownChange[] = [];
      for (const store of await stores()) {
        const { snapshots, refs } = store;
        const [first]: readonly StoredTurn[] = await refs.find(promptId);
        const end = promptId === undefined ? (await snapshots.take()).tree : first?.after;
        if (first === undefined || end === undefined) continue;
        for (const change of await snapshots.changes(first.before, end)) {
          const { before, after } = change;
          const text = (side: typeof before) =>
            side && shown.length < MAX_SHOWN ? snapshots.text(side, MAX_SHOWN_BYTES) : undefined;
          shown.push({
            path: join(snapshots.root, nameOf(change.path)),
            name: label(store, change),
            operation: before === undefined ? "add" : after === undefined ? "delete" : "modify",
            before: await text(before),
            after: await text(after),
          });
        }
      }
      return shown;
    },
  };
}

/**
 * Returns `true` if the snapshot before the turn certainly has the earlier content of the file. Two kinds of files look
 * new although they existed before: files that the snapshot left out, and files that a changed `.gitignore` no longer
 * ignores. An undo would remove them.
 */
function isCertain(change: FileChange, before: Snapshot, all: readonly FileChange[]): boolean {
  if (wasOmitted(before, change.path)) return false;
  return change.before !== undefined || !all.some(({ path }) => /(?:^|\/)\.gitignore$/.test(path));
}

export function withCheckpoints(permission: Permission, checkpoints: Pick<Checkpoints, "before">): Permission {
  return {
    ...permission,
    async decide(call, action) {
      const decision = await permission.decide(call, action);
      if (decision === "allowed") await checkpoints.before(action);
      return decision;
    },
  };
}

async function openStores({ sessionId, roots, stores, signal, isSecret, env }: CheckpointOptions): Promise<Store[]> {
  const real = [...new Set(roots.map((root) => realpathSync(root)))];
  // A folder inside another folder has no store of its own.
  const outer = real.filter((root) => !real.some((other) => other !== root && isInside(root, [other])));
  const home = realpathSync(homedir());
  if (outer.some((root) => isInside(home, [root]) || isInside(stores, [root]))) {
    throw new NoStoreError("a folder of the session contains your home folder");
  }
  await removeOldStores(stores);
  return Promise.all(
    outer.map(async (root) => {
      const git = await openShadowGit(stores, root, { signal, roots, env });
      const refs = createTurnRefs(git, sessionId);
      void refs.expire().catch(() => undefined);
      return { snapshots: createSnapshots(git, isSecret), refs };
    }),
  );
}
