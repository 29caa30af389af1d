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
    find: "if (begun < MOST && waiting.length === 0) count(begin);",
    replace: "if (begun < MOST || waiting.length >= 0) count(begin);",
    what: "all requests of one read begin at once",
  },
  {
    id: "M5",
    file: "server/http/post.ts",
    find: 'if (typeof params !== "object" || Array.isArray(params)) return',
    replace: 'if (typeof params !== "object" && params !== params) return',
    what: "a text in place of params is copied part by part",
  },
];
