import type { Mutation } from "./mutation.js";

/** Defects of takeovers, and of the ends of turns, that were found and fixed. */
export const gatewayTakeoverMutations: readonly Mutation[] = [
  {
    id: "G24",
    file: "session-place.ts",
    find: "    this.#sendEnds((messageId) => turns.endOf(messageId) ?? interrupted);\n",
    replace: "",
    what: "clients of version 2 do not learn the end of a turn that another gateway has interrupted",
  },
  {
    id: "G24",
    file: "session-place.ts",
    find: "turnEndOf(turns.endOf(messageId) ?? interrupted), send",
    replace: 'turnEndOf(turns.endOf(messageId) ?? { stopReason: "end_turn" }), send',
    what: "an interrupted turn ends well for its prompt",
  },
  {
    id: "G25",
    file: "stored-turns.ts",
    find: 'else if (event.type === "state_restored" && event.member === "activity") this.#noteLast(event.value as Noted);',
    replace: "",
    what: "a session whose log was compacted looks interrupted",
  },
  {
    id: "G26",
    file: "shared-prompt.ts",
    find: "    if (this.#turn !== undefined) return;\n",
    replace: "",
    what: "a prompt that comes while its session moves is sent twice",
  },
  {
    id: "G27",
    file: "session-in-agent.ts",
    find: "if (this.#moving === undefined && this.#link === link)",
    replace: "if (true)",
    what: "a prompt goes to the place that its session has just left",
  },
  {
    id: "G28",
    file: "shared-prompt.ts",
    find: "if (isOwner && error && isLeaving(error)) return this.#wait(turn);",
    replace: "",
    what: "a prompt that a closing owner refuses ends with this refusal",
  },
  {
    id: "G29",
    file: "session-record.ts",
    find: "    this.#stopRenewing?.();\n    return undefined;",
    replace: "    return undefined;",
    what: "an owner whose storage has failed keeps its session from all gateways",
  },
  {
    id: "G29",
    file: "session-place.ts",
    find: "        await pause(log);\n",
    replace: "",
    what: "the attempts to reach an owner that closes at once last no time",
  },
  {
    id: "G30",
    file: "stored-turns.ts",
    find: "    this.#open = this.#open.slice(-1);\n",
    replace: "",
    what: "in a log that was compacted, all turns have the end of the last one",
  },
  {
    id: "G31",
    file: "conversation.ts",
    find: "isStored ? told : { ...end, ...unstored }",
    replace: "told",
    what: "a turn whose answer is not stored ends well for clients of version 2",
  },
  {
    id: "G31",
    file: "shared-prompt.ts",
    find: "          if (!isOwner && !(await this.#commit())) return this.finish(turnEndOf(unstored));\n",
    replace: "",
    what: "a turn whose answer is not stored ends well for a client of version 1",
  },
  {
    id: "G32",
    file: "jetstream/stored-engine.ts",
    find: "patienceMs: owner.leftMs",
    replace: "patienceMs: this.ttlMs",
    what: "a call to a machine without power lasts longer than its ownership",
  },
];
