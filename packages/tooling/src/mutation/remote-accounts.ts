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
  {
    id: "M2",
    file: "server/connection.ts",
    find: "if (count >= openRequests || characters + size > requestCharacters) return false;",
    replace: "if (count >= openRequests) return false;",
    what: "open requests have no size",
  },
  {
    id: "M2",
    file: "server/connection.ts",
    find: "return this.#settings.held.refusal(this.owner, size) === undefined;",
    replace: "return true;",
    what: "requests are taken at the bound of their principal",
  },
  {
    id: "M2",
    file: "server/connection.ts",
    find: "writes: (by) => this.#holding.add(by),",
    replace: "writes: () => {},",
    what: "unread messages are not counted for their principal",
  },
  {
    id: "M2",
    file: "server/connection.ts",
    find: "if (this.streams.dropTaken()) return;",
    replace: "",
    what: "a connection ends that keeps messages for a resume, in place of these messages",
  },
  {
    id: "M2",
    file: "server/http/event-reader.ts",
    find: "this.#stream.writes(this, text.length);",
    replace: "",
    what: "a message on its way to a client over HTTP is not counted",
  },
  {
    id: "M2",
    file: "server/socket/socket-reader.ts",
    find: "this.#stream.writes(this, hasRoom ? 0 : this.#socket.bufferedAmount);",
    replace: "",
    what: "a message on its way to a WebSocket is not counted",
  },
  {
    id: "M2",
    file: "server/socket/socket-peer.ts",
    find: "this.#hold(text.length + MESSAGE_OVERHEAD);",
    replace: "",
    what: "early frames are not counted for their principal",
  },
  {
    id: "M2",
    file: "server/account.ts",
    find: "&& own === largest(this.#owners.values()) ?",
    replace: "?",
    what: "everybody is refused when some principals fill a server",
  },
  {
    id: "M2",
    file: "server/http/begin.ts",
    find: "if (full !== undefined) return refuseMuch(full);\n  // The",
    replace: "// The",
    what: "initialize is taken at the bound of its principal",
  },
];
