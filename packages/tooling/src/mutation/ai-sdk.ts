import type { Mutation } from "./mutation.js";

/** Order and ends of the messages that a chat of the AI SDK makes of a session. */
export const aiSdkMutations: readonly Mutation[] = [
  {
    id: "N73",
    file: "response-stream.ts",
    find: "response.chunks(last ?? session.state)",
    replace: "response.chunks(session.state)",
    what: "an answer that is read late has the beginning of the next answer",
  },
];
