import { once } from "node:events";
import type { SessionEvent, SessionState } from "@turnkit/session";
import type { View } from "../view.js";
import { createRemarks, type RemarkOptions } from "./remarks.js";
import { resultDocument } from "./result-document.js";
import { safeJson } from "./safe-json.js";

/** Where JSON goes, and what is for people. */
export type JsonViewOptions = RemarkOptions & { readonly stdout: NodeJS.WriteStream };

/** Prints one document at the end of the run, see `ResultDocument`. Nobody is asked: notes and failures go to stderr. */
export function createJsonView(options: JsonViewOptions): View {
  return {
    event() {},
    ...createRemarks(options),
    ended: (result) => print(options.stdout, safeJson(resultDocument(result), 2)),
  };
}

/**
 * Prints a line of JSON for each event of the session, as it comes, and the document of {@link createJsonView} as the
 * last one, with the type `result`. What a command of this client has printed is no event: it comes as one line of the
 * type `client_terminal_output` before the event of the command's end.
 */
export function createNdjsonView(options: JsonViewOptions): View {
  const { stdout } = options;
  const outputOf = createTerminalReader();
  return {
    ...createRemarks(options),
    async event(event, state) {
      const output = outputOf(event, state);
      if (output !== undefined) await print(stdout, safeJson(output));
      await print(stdout, safeJson(event));
    },
    ended: (result) => print(stdout, safeJson({ type: "result", ...resultDocument(result) })),
  };
}

/** A line; settles when there is room for more, which is how a slow reader slows the agent. */
async function print(stdout: NodeJS.WriteStream, json: string): Promise<void> {
  stdout.write(`${json}\n`);
  if (stdout.writableNeedDrain) await once(stdout, "drain").catch(() => undefined);
}

type TerminalOutput = { readonly type: "client_terminal_output"; readonly terminalId: string; readonly text: string };

/** What a terminal printed whose output no event told, at the event of its end: that is one of this client. */
function createTerminalReader(): (event: SessionEvent, state: SessionState) => TerminalOutput | undefined {
  const told = new Set<string>();
  return (event, { terminals }) => {
    if (event.type === "terminal_output_chunk") told.add(event.terminalId);
    if (event.type !== "terminal_update") return undefined;
    const { terminalId, output, exitStatus } = event;
    if (output != null) told.add(terminalId);
    const text = terminals.get(terminalId)?.text ?? "";
    if (exitStatus == null || text === "" || told.has(terminalId)) return undefined;
    told.add(terminalId);
    return { type: "client_terminal_output", terminalId, text };
  };
}
