import type { ClientAbility } from "../dialects/dialect.js";
import { type Entry, objectsIn, paramsOf, textOf } from "../entry.js";

/** Answer of the runner to a request of the agent. `undefined` leaves the request open. */
export type Reply =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } };

/** Function that answers the requests of one method. */
export type Replier = (request: Entry) => Reply | undefined;

/** Content of `note.txt`, and of every file that the runner serves. */
export const NOTE = "Bread: flour, water, salt, yeast.\n";

/** Returns the answers of a client with some abilities. All other requests get the error -32601. */
export function defaultReplies(abilities: readonly ClientAbility[]): Map<string, Replier> {
  const replies = new Map<string, Replier>([["session/request_permission", allow]]);
  if (abilities.includes("readTextFile")) replies.set("fs/read_text_file", () => ({ result: { content: NOTE } }));
  if (abilities.includes("writeTextFile")) replies.set("fs/write_text_file", done);
  if (abilities.includes("form")) replies.set("elicitation/create", () => ({ result: { action: "cancel" } }));
  if (abilities.includes("terminal")) addTerminals(replies);
  return replies;
}

/** Answers a permission question with the option of a kind. */
export function choose(...kinds: readonly string[]): Replier {
  return (request) => {
    const option = objectsIn(paramsOf(request).options).find(({ kind }) => kinds.includes(textOf(kind)));
    return {
      result: { outcome: option ? { outcome: "selected", optionId: option.optionId } : { outcome: "cancelled" } },
    };
  };
}

const allow = choose("allow_once", "allow_always");
const done: Replier = () => ({ result: {} });

function addTerminals(replies: Map<string, Replier>): void {
  let created = 0;
  replies.set("terminal/create", () => ({ result: { terminalId: `term-${++created}` } }));
  replies.set("terminal/output", () => ({
    result: { output: "conformance\n", truncated: false, exitStatus: { exitCode: 0 } },
  }));
  replies.set("terminal/wait_for_exit", () => ({ result: { exitCode: 0 } }));
  replies.set("terminal/kill", done);
  replies.set("terminal/release", done);
}
