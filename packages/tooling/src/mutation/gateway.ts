import type { Mutation } from "./mutation.js";

/** The rules of shared sessions. */
export const gatewayMutations: readonly Mutation[] = [
  {
    id: "SHARE-01",
    file: "group.ts",
    find: "if (again !== undefined) return again;",
    replace: "",
    what: "two clients that attach at once to a stored session open it twice",
  },
  {
    id: "SHARE-02",
    file: "attachment.ts",
    find: "if (isSame(now, this.#parts.states())) break;",
    replace: "break;",
    what: "events that come while a client catches up are lost",
  },
  {
    id: "SHARE-03",
    file: "attachment.ts",
    find: "if (this.#waiting.length <= attachmentUpdates && this.#waitingBytes <= attachmentBytes) return;",
    replace: "return;",
    what: "updates of a client that does not read wait without a bound",
  },
  {
    id: "SHARE-04",
    file: "audience.ts",
    find: "if (ownId !== undefined && attachment.shows(ownId)) continue;",
    replace: "",
    what: "a client of version 1 gets its own prompt back",
  },
  {
    id: "SHARE-05",
    file: "questions.ts",
    find: "for (const withdrawal of this.#asked.values()) withdrawal.abort();",
    replace: "",
    what: "a question that was answered or cancelled is not withdrawn",
  },
  {
    id: "SHARE-06",
    file: "author-files.ts",
    find: "authorOf(sessionId)?.driver.files?.(sessionId, { signal });",
    replace: 'authorOf("nobody")?.driver.files?.(sessionId, { signal });',
    what: "files are never asked of the client whose prompt runs",
  },
  {
    id: "SHARE-07",
    file: "shared-prompts.ts",
    find: "if (before !== undefined) return receiptOfInserted(before.messageId);",
    replace: "",
    what: "a prompt that is sent again with its key runs again",
  },
  {
    id: "SHARE-08",
    file: "principal.ts",
    find: "if (!isObserver(principal)) return;",
    replace: "return;",
    what: "observers may do what controllers may",
  },
  {
    id: "SHARE-09",
    file: "shared-session.ts",
    find: "if (this.#isIdle) void this.release();",
    replace: "if (this.#isIdle) return;",
    what: "a session without clients never leaves its agent",
  },
  {
    id: "SHARE-10",
    file: "group.ts",
    find: "await readable(sessionId, () => deleteFrom(this.#log, sessionId, atOwner));",
    replace: "",
    what: "a deleted session stays in the log",
  },
  {
    id: "SHARE-11",
    file: "conversation.ts",
    find: "const isStored = await this.#record.commit();\n    this.#show(told, sessionId);",
    replace: "this.#show(told, sessionId);\n    const isStored = await this.#record.commit();",
    what: "the end of a turn is told before it is stored",
  },
  {
    id: "SHARE-12",
    file: "gateway.ts",
    find: "this.#group(groupOf(principal))",
    replace: 'this.#group(groupOf({ ...principal, group: "all" }))',
    what: "all principals share one group",
  },
];
