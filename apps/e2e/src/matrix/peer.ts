import type { Report } from "@turnkit/conformance";

/** Version of the protocol. */
export type Protocol = 1 | 2 | "seed";

/** Program that is checked, in one version of the protocol. */
export type Peer = {
  readonly name: string;
  readonly side: "agent" | "client";
  readonly protocol: Protocol;
  /** Runs the checks in an empty folder. Rejects with a `NotHere` if this machine cannot run the program. */
  check(folder: string): Promise<Report>;
};

/** Error for a program that this machine cannot get or start. */
export class NotHere extends Error {}

/** Limits of a run against a program that starts fast. */
export const limits = { timeoutMs: 20_000, jobs: 4 } as const;
/** Limits of a run against a program that needs seconds for its start. */
export const slowLimits = { timeoutMs: 20_000, jobs: 2 } as const;

/** Returns words as one command line. */
export const lineOf = (words: readonly string[]): string => words.map((word) => `"${word}"`).join(" ");

/** Returns an environment with this home folder, so that programs do not see the files of the user. */
export const homeIn = (folder: string) => ({
  ...process.env,
  ...Object.fromEntries(["CONFIG", "DATA", "CACHE", "STATE"].map((kind) => [`XDG_${kind}_HOME`, folder])),
  HOME: folder,
});
