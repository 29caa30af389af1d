import type { DialectName } from "@turnkit/session";

/** One life that is measured. The other side of `agent` and `client` is a script of raw frames. */
export type Cell = {
  readonly side: "agent" | "client" | "pair";
  readonly dialect: DialectName;
  /**
   * Behaviour of the peers. `unruly` peers break rules in every turn: see `raw-agent.ts` and `raw-client.ts`. In `family`, each
   * turn has a child session with a child session of its own. Seed has none.
   */
  readonly manner: "obedient" | "unruly" | "family";
};

/** Heap in bytes after a number of prompts, and how long the last tenth of them took each, in ms. */
export type Reading = { readonly prompts: number; readonly heap: number; readonly msPerPrompt: number };

/** Every cell. */
export const cells: readonly Cell[] = (["agent", "client", "pair"] as const).flatMap((side) =>
  (["v1", "v2", "seed"] as const).flatMap((dialect) =>
    (["obedient", "unruly", "family"] as const)
      .filter((manner) => manner !== "family" || dialect !== "seed")
      .map((manner) => ({ side, dialect, manner })),
  ),
);

/** One session that lives as long as its cell; `prompt` settles at the end of a turn. */
export type Life = { prompt(turn: number): Promise<void>; close(): Promise<void> };

/**
 * Bounds of the states, small enough that the history is full long before the first reading. Growth between two readings
 * is then something else. The default of 64 MiB would not be filled by 100 000 prompts.
 */
export const limits = { stateBytes: 256 * 1024, entryBytes: 64 * 1024, terminalBytes: 16 * 1024 };

/** Returns the name of a cell, for the table and the command line. */
export const nameOf = ({ side, dialect, manner }: Cell): string => `${side} ${dialect} ${manner}`;
