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
    find: 'inner.method === "session/prompt" && KEYED_VERSIONS.has(version)',
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
  {
    id: "P-RETRY-06",
    file: "retry-prompt.ts",
    find: "evidence.honours(client.peer.info);",
    replace: "evidence !== undefined;",
    what: "a prompt is sent again to every agent",
  },
  {
    id: "P-RETRY-07",
    file: "retry-prompt.ts",
    find: "const WAITS_MS = [500, 2_000, 8_000] as const;",
    replace: "const WAITS_MS = [500, 2_000, 8_000, 8_000] as const;",
    what: "a prompt is sent a fourth time",
  },
  {
    id: "P-CONF-02",
    file: "key-evidence.ts",
    find: "if (learned.size < MAX_LEARNED) learned.add(nameOf(info));",
    replace: "",
    what: "an answer with the first id proves nothing",
  },
  {
    id: "K1",
    file: "retry-prompt.ts",
    find: "client.keysPrompts && evidence",
    replace: "evidence",
    what: "a prompt is sent again without its key",
  },
  {
    id: "K2",
    file: "retry-prompt.ts",
    find: "const { prompt, _meta } = submitted;",
    replace: "const { prompt, _meta } = { _meta: submitted._meta, prompt: lost.entry.content.toArray() };",
    what: "the echo of a prompt is sent again",
  },
  {
    id: "K2",
    file: "inserted-id.ts",
    find: "if (!isWanted(entry)) echo = isEcho ? messageId : echo;",
    replace: "if (!isWanted(entry)) continue;",
    what: "a message with the id of the echo is not the prompt",
  },
  {
    id: "K2",
    file: "content-text.ts",
    find: ".filter(([, member]) => member != null)",
    replace: "",
    what: "a null member makes another prompt",
  },
];
