import type { Mutation } from "./mutation.js";

/** Packed frames of the server over HTTP and WebSocket, and of its clients. */
export const remotePackedMutations: readonly Mutation[] = [
  {
    id: "M18",
    file: "client/web-socket/socket-link.ts",
    find: 'reason.kind !== "frame"',
    replace: 'reason.kind !== "local"',
    what: "a frame beyond the bounds of the client is asked for again",
  },
  {
    id: "M18",
    file: "wire/packed.ts",
    find: "if (lines.length > messages) throw",
    replace: "if (lines.length < 1) throw",
    what: "the messages above the bound of a frame are lost without a word",
  },
  {
    id: "M19",
    file: "server/playback.ts",
    find: "if (!this.isPacked || last.agrees || count >= mostPacked.messages) return false;",
    replace: "if (this !== undefined) return false;",
    what: "each message has a frame of its own",
  },
  {
    id: "M19",
    file: "server/playback.ts",
    find: "if (!this.isPacked || last.agrees || count >= mostPacked.messages) return false;",
    replace: "if (!this.isPacked || last.agrees) return false;",
    what: "a frame has any number of messages",
  },
  {
    id: "M19",
    file: "server/playback.ts",
    find: "size + next.text.length <= mostPacked.characters",
    replace: "size <= mostPacked.characters",
    what: "a large message is packed with others",
  },
  {
    id: "M19",
    file: "server/playback.ts",
    find: "texts[texts.length - 1] = withCursor(last, cursor);",
    replace: "texts[0] = withCursor({ ...last, text: texts[0] as string }, cursor);",
    what: "the first message of a frame has the cursor",
  },
  {
    id: "M19",
    file: "client/web-socket/socket-link.ts",
    find: "    if (this.#isPacked) socket.unpack();\n    const params",
    replace: "    const params",
    what: "a client does not read packed frames after a resume",
  },
  {
    id: "M19",
    file: "client/http/event-stream.ts",
    find: "at + 1 === length ? { data: line, id }",
    replace: "at === 0 ? { data: line, id }",
    what: "the cursor of an event belongs to its first message",
  },
];
