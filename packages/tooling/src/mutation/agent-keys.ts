import type { Mutation } from "./mutation.js";

/** Duties of an agent towards the idempotency keys of prompts. */
export const agentKeyMutations: readonly Mutation[] = [
  {
    id: "P-IDEM-04",
    file: "prompt.ts",
    find: "keys.add(promptKey, messageId);",
    replace: "",
    what: "a retry after the insertion inserts again",
  },
  {
    id: "P-IDEM-07",
    file: "prompt.ts",
    find: 'if (journal !== undefined) outbox.hold("storing");',
    replace: "",
    what: "the client gets the message before the log has it",
  },
  {
    id: "P-IDEM-08",
    file: "prompt-keys.ts",
    find: "if (this.#open === 1) return prompt.withdraw();",
    replace: "return prompt.withdraw();",
    what: "a cancel of one attempt withdraws the others",
  },
  {
    id: "P-IDEM-09",
    file: "prompt-queue.ts",
    find: "if (message === undefined || message.isSent) return message;",
    replace: "if (message !== undefined || message === undefined) return message;",
    what: "a client that lacks the message gets only its id",
  },
  {
    id: "P-IDEM-10",
    file: "prompt-keys.ts",
    find: 'if (message !== undefined && message.hash !== hash && onReuse === "error") throw',
    replace: 'if (message !== undefined && message.hash === "" && onReuse === "error") throw',
    what: "another prompt gets the answer of the first",
  },
  {
    id: "P-IDEM-11",
    file: "compact-events.ts",
    find: "const fewer = whole && withKeys(whole, keys, maxEventBytes);",
    replace: "const fewer = keys && whole;",
    what: "a compaction forgets the keys",
  },
  {
    id: "P-IDEM-12",
    file: "prompt-queue.ts",
    find: "if (key === undefined) return this.push(request, bytes);",
    replace: "if (key === undefined) return this.push(request, bytes);\n    this.#admit();",
    what: "a retry is refused like a new prompt",
  },
  {
    id: "N83",
    file: "unread-answers.ts",
    find: "    this.#unawaited.add(question);\n",
    replace: "",
    what: "a question that nobody awaits is not reported",
  },
  {
    id: "N84",
    file: "turn-end.ts",
    find: 'const isMistake = isAcpError(error, "state") || isAcpError(error, "capability");',
    replace: "const isMistake = false;",
    what: "an error at a wrong call reaches only the client",
  },
  {
    id: "N99",
    file: "thrown-error.ts",
    find: "  if (result instanceof Error) throw result;\n",
    replace: "",
    what: "an error that a handler returns counts as a success",
  },
  {
    id: "R15",
    file: "session-table.ts",
    find: "[...deletions, ...ends]",
    replace: "ends",
    what: "the end of a connection does not wait for a deletion",
  },
  {
    id: "N100",
    file: "driver/stand-in.ts",
    find: 'if (allows(question.options, outcome)) end("completed");',
    replace: "",
    what: "the call of an allowed question fails",
  },
];
