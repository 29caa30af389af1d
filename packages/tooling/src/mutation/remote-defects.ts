import type { Mutation } from "./mutation.js";

/** Known defects of the server over HTTP and WebSocket. */
export const remoteDefectMutations: readonly Mutation[] = [
  {
    id: "M3",
    file: "server/access.ts",
    find: "return response.clone();",
    replace: "return response;",
    what: "the second use of a Response of authorize fails",
  },
  {
    id: "M4",
    file: "node/turns.ts",
    find: "return this.#begun < MOST && this.#open < MOST_OPEN;",
    replace: "return this.#begun >= 0;",
    what: "all requests of one read begin at once",
  },
  {
    id: "M5",
    file: "server/http/post.ts",
    find: 'if (typeof params !== "object" || Array.isArray(params)) return',
    replace: 'if (typeof params !== "object" && params !== params) return',
    what: "a text in place of params is copied part by part",
  },
  {
    id: "M10",
    file: "node/turns.ts",
    find: "return this.#begun < MOST && this.#open < MOST_OPEN;",
    replace: "return this.#begun < MOST;",
    what: "a connection has no bound of requests that authorize decides about",
  },
  {
    id: "M10",
    file: "server/access.ts",
    find: "if (this.#deciding >= authorizing)",
    replace: "if (this.#deciding < 0)",
    what: "a server has no bound of requests that authorize decides about",
  },
  {
    id: "M10",
    file: "node/undecided.ts",
    find: "request.size += bytes;\n    this.#holding.add(bytes);",
    replace: "request.size += bytes;",
    what: "requests that are not decided have no bound together",
  },
  {
    id: "M10",
    file: "node/undecided.ts",
    find: "if (isOk) closed();\n        else this.#count(request, own);",
    replace: "closed();",
    what: "a refusal that its client does not read is not counted",
  },
  {
    id: "M10",
    file: "node/undecided.ts",
    find: "asked: () => {\n        decided();\n        closed();",
    replace: "asked: () => {\n        decided();",
    what: "a body that the server reads is counted as undecided",
  },
  {
    id: "M10",
    file: "node/request-body.ts",
    find: "    source.push = (piece: Buffer | null) => (piece === null ? this.#last() : this.#take(piece));",
    replace: "    source.on('data', (piece: Buffer) => this.#take(piece));",
    what: "a body is read from the network before the server asks for it",
  },
  {
    id: "M10",
    file: "node/http2.ts",
    find: "const settings = { enablePush: false,",
    replace: "const settings = { initialWindowSize: windows.stream, enablePush: false,",
    what: "over HTTP/2, clients without a token may send as much as others",
  },
  {
    id: "M10",
    file: "node/http1-connection.ts",
    find: "for (const end of this.#ends) end();",
    replace: "",
    what: "waiting requests of a client that has gone go on",
  },
  {
    id: "M11",
    file: "server/cursor-text.ts",
    find: "serialise(message as Message)",
    replace: "serialise({ ...message, more: [0, 0, 0] } as unknown as Message)",
    what: "a message with as many values as may be sent has no room for a cursor",
  },
];
