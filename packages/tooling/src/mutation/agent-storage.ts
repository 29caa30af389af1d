import type { Mutation } from "./mutation.js";

/** Defects of an agent's sessions after failures: a full disk, an end in the middle of a turn, answers of a person. */
export const agentStorageMutations: readonly Mutation[] = [
  {
    id: "P33",
    file: "restore.ts",
    find: "isCutOff(past) && ",
    replace: "past.lastTurn === undefined && ",
    what: "a restored session does not say that its last turn was cut off",
  },
  {
    id: "P35",
    file: "node/log-writer.ts",
    find: 'if (!isCode(error, "ENOSPC", "EDQUOT")) throw error;',
    replace: "throw error;",
    what: "a moment of a full disk ends a session for ever",
  },
  {
    id: "P35",
    file: "node/log-writer.ts",
    find: "      this.#waiting.unshift(bytes);\n",
    replace: "      this.#waiting.push(bytes);\n",
    what: "records that waited for a full disk are stored after later ones",
  },
  {
    id: "P35",
    file: "journal.ts",
    find: "return this.#failed && this.#retry();",
    replace: "return this.#failed && Promise.resolve();",
    what: "a prompt runs although it cannot be stored",
  },
  {
    id: "P36",
    file: "questions.ts",
    find: "...(_meta && { _meta }) };",
    replace: "};",
    what: "an agent does not get the metadata of an answer",
  },
];
