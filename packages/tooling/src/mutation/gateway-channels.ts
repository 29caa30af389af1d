import type { Mutation } from "./mutation.js";

/** Defects of the channels between gateways that were found and fixed. */
export const gatewayChannelMutations: readonly Mutation[] = [
  {
    id: "N60",
    file: "jetstream/tunnels.ts",
    find: "SIDE.test(to.slice(address.length + 1));",
    replace: "to.length > address.length + 1;",
    what: "another gateway names any subject below an address, also one that ends the connection to the server",
  },
  {
    id: "N61",
    file: "jetstream/tunnel.ts",
    find: "if (this.#waitingBytes > WINDOW_BYTES + BODY_BYTES || this.#waiting.length > MOST_WAITING)",
    replace: "if (this.#waiting.length > MOST_WAITING)",
    what: "another gateway sends more than its window, and fills the memory of an owner",
  },
  {
    id: "N62",
    file: "jetstream/tunnel.ts",
    find: "if (!Number.isSafeInteger(read) || read < this.#readByThem || read > this.#sentBytes)",
    replace: "if (read > this.#sentBytes)",
    what: "a count that is no number turns the window off",
  },
  {
    id: "E21",
    file: "group.ts",
    find: "[ACTIVITY]: state }",
    replace: '[ACTIVITY]: "idle" }',
    what: "a list of sessions does not tell which of them waits for an answer",
  },
  {
    id: "E36",
    file: "served-client.ts",
    find: "delete: !isObserver(principal)",
    replace: "delete: true",
    what: "a person who may only watch has buttons that delete sessions",
  },
];
