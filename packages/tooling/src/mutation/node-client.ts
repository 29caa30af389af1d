import type { Mutation } from "./mutation.js";

/** Known defects of `turnkit`. */
export const nodeClientMutations: readonly Mutation[] = [
  {
    id: "P31",
    file: "tui/model/key.ts",
    find: 'onRow?.(Number.parseInt(groups.params ?? "", 10))',
    replace: "onRow?.(0)",
    what: "the screen never gets the row of the cursor, and rows in the history of the terminal are printed again",
  },
  {
    id: "P31",
    file: "tui/transcript/transcript.ts",
    find: 'lettersOf(rows.slice(end - 1, end)) === ""',
    replace: "false",
    what: "an empty row is printed and shown again, so the unfinished part has one row too many",
  },
  {
    id: "P50",
    file: "tui/transcript/transcript.ts",
    find: "if (view === undefined) this.#print(entry, this.#state as SessionState);",
    replace: "if (view === undefined) return false;",
    what: "a message behind a call that runs has no room, and its rows in the history are printed again",
  },
  {
    id: "P51",
    file: "tui/panel/screen.ts",
    find: 'facts.isWorking && !(facts.isTyping === true && facts.ui.input.text !== "")',
    replace: 'facts.isWorking && facts.ui.input.text === ""',
    what: "the cursor stays in the typed text, and the terminal moves it to another line at a new width",
  },
  {
    id: "P52",
    file: "tui/terminal-screen.ts",
    find: "if (this.#rowsAbove !== undefined) this.#unanswered = 0;",
    replace: "",
    what: "after one question without an answer, no answer counts any more",
  },
  {
    id: "P80",
    file: "mcp/read-servers.ts",
    find: "if (server.isDisabled) continue;",
    replace: "",
    what: "an MCP server that its file switches off is started",
  },
];
