import type { Mutation } from "./mutation.js";

/** Bounds of what one principal holds of a server. */
export const remoteAccountMutations: readonly Mutation[] = [
  {
    id: "M1",
    file: "server/account.ts",
    find: 'full === "principal" ? this.#owners.get(owner) : largest(this.#owners.values())',
    replace: "this.#owners.get(owner)",
    what: "the principal that comes next is cut, and not the one that holds the most",
  },
  {
    id: "M1",
    file: "server/account.ts",
    find: "own + size > this.#limits.each",
    replace: "own + size > this.#limits.all",
    what: "a principal has no bound of its own",
  },
  {
    id: "M1",
    file: "node/unfinished-frames.ts",
    find: "      else cut();",
    replace: "",
    what: "an unfinished message of a WebSocket has no time",
  },
];
