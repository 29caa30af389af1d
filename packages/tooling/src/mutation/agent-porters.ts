import type { Mutation } from "./mutation.js";

/** Mistakes of agents that were written for the official SDK or for version 1, and that nobody reported. */
export const agentPorterMutations: readonly Mutation[] = [
  {
    id: "N110",
    file: "check-question.ts",
    find: " ?? subjectMistake(question.subject)",
    replace: "",
    what: "a subject of another form is lost, and the question is refused or asks about something else",
  },
  {
    id: "N111",
    file: "check-update.ts",
    find: "checkFields(call, event);",
    replace: "",
    what: "emit loses contents of tool calls",
  },
  {
    id: "N111",
    file: "check-update.ts",
    find: "return [...mistakes, ...callMistakes(event)];",
    replace: "return mistakes;",
    what: "emit sends statuses that no client knows",
  },
  {
    id: "N112",
    file: "session-lists.ts",
    find: 'input.type ?? "text"',
    replace: "input.type",
    what: "clients of version 1 get no input of a command",
  },
  {
    id: "N113",
    file: "check-emitted.ts",
    find: 'event.type === "current_mode_update" && !isOpening',
    replace: 'event.type === "current_mode_update" && false',
    what: "emit sets a mode that does not exist",
  },
  {
    id: "N114",
    file: "own-names.ts",
    find: "return Object.defineProperties(answer, { outcome: refuse, optionId: refuse });",
    replace: "return answer;",
    what: "an agent that reads the outcome of an answer refuses everything",
  },
  {
    id: "N115",
    file: "live-turn.ts",
    find: 'if (more !== undefined) this.#ignored("say");',
    replace: "",
    what: "say ignores metadata",
  },
  {
    id: "N116",
    file: "check-question.ts",
    find: "if (options.length === 0)",
    replace: "if (options.length < 0)",
    what: "a question without options is asked",
  },
  {
    id: "N117",
    file: "agent.ts",
    find: 'report({ code: "connection_lost", message, error: reason.cause });',
    replace: "",
    what: "an agent on swapped streams does nothing",
  },
  {
    id: "N118",
    file: "live-turn.ts",
    find: '"requestPermission", question, permissionAnswer',
    replace: '"ask", question, permissionAnswer',
    what: "a report names another method",
  },
  {
    id: "N120",
    file: "client-tools/files.ts",
    find: 'checkPath("turn.files.read", path);',
    replace: "",
    what: "a prompt fails as if its params were invalid",
  },
  {
    id: "N122",
    file: "elicitations.ts",
    find: "asSentence(textOf(error))",
    replace: '""',
    what: "the report of a wrong answer lacks its fault",
  },
];
