import { once } from "node:events";
import type { SessionEvent, SessionState } from "@turnkit/session";
import type { ProgramStreams } from "../program.js";
import type { View } from "../view.js";
import { createNoticeNotes } from "./notice-notes.js";
import { createRemarks } from "./remarks.js";
import { resultDocument } from "./result-document.js";
import { safeJson } from "./safe-json.js";

type JsonStreams = Pick<ProgramStreams, "stdout" | "stderr" | "env">;

/**
 * Creates a view that prints one `ResultDocument` at the end. Notes, notices of the agent and failures go to stderr.
 * Questions get no answer.
 */
export function createJsonView(streams: JsonStreams): View {
  const remarks = createRemarks(streams);
  const notice = createNoticeNotes(remarks.note);
  return {
    ...remarks,
    event: (event) => notice(event),
    child: (event, child) => notice(event, child),
    ended: (result) => print(streams.stdout, safeJson(resultDocument(result), 2)),
  };
}

/**
 * Creates a view that prints one line of JSON for each event. The last line has the type `result` and contains the
 * document of {@link createJsonView}. Events of a child session have a `childSessionId`. {@link readableEvent} converts
 * output of terminals to text.
 *
 * If this client runs a command, there is no event with its output. A line of the type `client_terminal_output` before
 * the command's end contains the output.
 */
export function createNdjsonView(streams: JsonStreams): View {
  const { stdout } = streams;
  const outputOf = createTerminalReader();
  return {
    ...createRemarks(streams),
    async event(event, state) {
      const output = outputOf(event, state);
      if (output !== undefined) await print(stdout, safeJson(output));
      await print(stdout, safeJson(readableEvent(event)));
    },
    child: (event, { id }) => print(stdout, safeJson({ ...readableEvent(event), childSessionId: id })),
    ended: (result) => print(stdout, safeJson({ type: "result", ...resultDocument(result) })),
  };
}

/** Prints a line of text. The promise settles when the stream accepts more output, so a slow reader slows the agent. */
async function print(stdout: NodeJS.WriteStream, json: string): Promise<void> {
  stdout.write(`${json}\n`);
  if (stdout.writableNeedDrain) await once(stdout, "drain").catch(() => undefined);
}

type TerminalOutput = { readonly type: "client_terminal_output"; readonly terminalId: string; readonly text: string };

/**
 * Creates a function that returns the output of a command when it ends. It returns `undefined` if an event already had
 * the output, because then the agent ran the command.
 */
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

/**
 * Returns an event with the output of terminals as `text` in place of `data`, which is base64. Output that is not valid
 * UTF-8 stays `data`, for example a part that ends inside a character.
 */
function readableEvent(event: SessionEvent): object {
  if (event.type === "terminal_output_chunk") {
    const { data, ...rest } = event;
    return { ...rest, ...readable(data) };
  }
  if (event.type !== "terminal_update" || event.output == null) return event;
  const { data, ...rest } = event.output;
  return { ...event, output: { ...rest, ...readable(data) } };
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function readable(data: string): { readonly text: string } | { readonly data: string } {
  try {
    const bytes = Buffer.from(data, "base64");
    // Decoding leaves out characters that are not base64.
    return bytes.toString("base64") === data ? { text: decoder.decode(bytes) } : { data };
  } catch {
    return { data };
  }
}
