import type { Mutation } from "./mutation.js";

/** Failures that a client reports or throws, so that a program sees them. */
export const clientReportMutations: readonly Mutation[] = [
  {
    id: "S32",
    file: "event-iterator.ts",
    find: "return failure ? Promise.reject(failure.error) : {",
    replace: "return {",
    what: "a loop over a turn ends as if all were well when the connection is lost",
  },
  {
    id: "S35",
    file: "connect.ts",
    find: "client?.ended(reason);",
    replace: "",
    what: "an agent that ends between two prompts ends unseen",
  },
  {
    id: "S37",
    file: "live-turn.ts",
    find: "this.isAccepted ? !this.#host.feed.isWatched :",
    replace: "this.isAccepted ? false :",
    what: "a client that closes in the middle of an answer reports nothing",
  },
  {
    id: "S40",
    file: "permissions.ts",
    find: "why.set(cancelled,",
    replace: "void (cancelled,",
    what: "allowOnce refuses every question of an agent, unreported",
  },
  {
    id: "N64",
    file: "live-turn.ts",
    find: 'return notEnded("stopReason");',
    replace: "return undefined as never;",
    what: "the stop reason of a turn that has not ended is undefined",
  },
  {
    id: "E29",
    file: "restoring.ts",
    find: "replays && !this.#isPartial ? open : undefined",
    replace: "replays ? open : undefined",
    what: "a restore of the whole conversation drops what comes before its newest entries",
  },
  {
    id: "E29",
    file: "restoring.ts",
    find: "    if (isMarker && open && this.#isPartial) this.#forget(open);\n",
    replace: "",
    what: "a session with the newest entries gets the replay of the whole conversation after them",
  },
  {
    id: "P18",
    file: "broker/command-facts.ts",
    find: '  "timeout_seconds",\n',
    replace: "",
    what: "nobody can rely on a command with a timeout in seconds",
  },
  {
    id: "S46",
    file: "client.ts",
    find: "asSentence(reason.message)",
    replace: "reason.message",
    what: "the report of a lost connection has no point after the reason",
  },
  {
    id: "N74",
    file: "host/files.ts",
    find: 'method(host, "writeTextFile")({ path, content }, session)',
    replace: "host.writeTextFile?.({ path, content }, session)",
    what: "a write that was removed after the handshake is answered as done",
  },
  {
    id: "N75",
    file: "host/files.ts",
    find: 'typeof content === "string"',
    replace: "true",
    what: "a client does not hear that its own readTextFile returns something else",
  },
  {
    id: "N82",
    file: "pending-questions.ts",
    find: "    this.#prompted = true;\n",
    replace: "",
    what: "a policy that awaits a prompt of its own session waits for ever, unreported",
  },
];
