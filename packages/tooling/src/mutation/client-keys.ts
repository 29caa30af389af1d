import type { Mutation } from "./mutation.js";

/** Duties of a client towards keys of prompts and lost answers. */
export const clientKeyMutations: readonly Mutation[] = [
  {
    id: "P-IDEM-03",
    file: "driver/send-prompt.ts",
    find: "idempotencyKey ?? crypto.randomUUID()",
    replace: 'idempotencyKey ?? "key"',
    what: "all prompts have one key",
  },
  {
    id: "P-IDEM-13",
    file: "driver/v2.ts",
    find: "keysPrompts: true,",
    replace: "keysPrompts: false,",
    what: "prompts of version 2 have no key",
  },
  {
    id: "P-RETRY-03",
    file: "retry-class.ts",
    find: 'inner.method === "proxy/successor" && depth < MAX_PROXIES',
    replace: "depth < 0",
    what: "a proxied request is never sent again",
  },
  {
    id: "P-RETRY-04",
    file: "retry-class.ts",
    find: 'inner.method === "session/prompt" && version >= 2',
    replace: 'inner.method === "session/prompt"',
    what: "a prompt of version 1 counts as keyed",
  },
  {
    id: "P-RETRY-05",
    file: "turn-queue.ts",
    find: "if (holdsPrompts && turn.isAccepted) return failure;",
    replace: "if (holdsPrompts || !holdsPrompts) return failure;",
    what: "a lost answer to a prompt is a plain error",
  },
];
