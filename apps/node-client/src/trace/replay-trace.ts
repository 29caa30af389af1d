import { type Client, connect, createElicitations } from "@turnkit/client";
import type { SessionEvent, SessionState } from "@turnkit/session";
import { createWirePlayer, tapChannel, type WireEntry } from "@turnkit/transport/trace";
import { type ExitCode, exitCode } from "../exit-code.js";
import { unlessAborted } from "../setup/visit.js";
import type { ProgramDesk } from "../setup/with-agent.js";
import { createTerminalView } from "../terminal-view.js";
import { version } from "../version.js";
import type { View } from "../view.js";
import { createRecordedAnswers } from "./recorded-answers.js";
import { createRecordedCalls } from "./recorded-calls.js";
import { readRecordedTerminals } from "./recorded-terminals.js";
import { readTrace } from "./show-trace.js";

/** Messages that may come in another order than in the log: answers come as soon as they are asked for. */
const WINDOW = 10_000;

/**
 * Plays the agent's part of a log, does what the recorded client did, and shows the conversation anew. Nothing is started
 * and nothing is changed: permissions are answered as they were, files and commands are not touched.
 *
 * @throws UsageError for a file that is no such log
 */
export async function replayTrace(path: string, desk: ProgramDesk): Promise<ExitCode> {
  const entries = await readTrace(path);
  const { interrupts } = desk;
  const view = createTerminalView({ ...desk, directory: directoryIn(entries), interrupt: interrupts.interrupt });
  const answers = createRecordedAnswers(entries);
  const player = createWirePlayer(entries, { fits: () => true, window: WINDOW });
  const heard = createCounter();
  const channel = tapChannel(player, (event) => "message" in event && event.direction === "received" && heard.add());
  let client: Client | undefined;
  try {
    client = await unlessAborted(
      connect(channel, {
        info: { name: "turnkit", version },
        permissions: answers.permission,
        elicitations: createElicitations({ form: answers.elicitation, url: answers.elicitation }),
      }),
      interrupts.cancel,
    );
    await unlessAborted(perform(entries, { client, view, heard, gone: player.closed }), interrupts.cancel);
    const failure = await unlessAborted(player.finished, interrupts.cancel);
    if (failure !== undefined) view.note(failure.message);
    return failure === undefined ? exitCode.ended : exitCode.failed;
  } catch (error) {
    if (interrupts.cancel.aborted) return exitCode.cancelled;
    view.failure(error);
    return exitCode.failed;
  } finally {
    await client?.close();
  }
}

type Stage = {
  readonly client: Client;
  readonly view: View;
  readonly heard: Counter;
  readonly gone: Promise<unknown>;
};

/** Makes the calls of the recorded client, each when all that it had heard before has been said. */
async function perform(entries: readonly WireEntry[], { client, view, heard, gone }: Stage): Promise<void> {
  let over = false;
  const show = createReplayListener(entries, view);
  const calls = createRecordedCalls(client, (event, { state }) => (over ? undefined : show(event, state)));
  let said = 0;
  for (const entry of entries) {
    if ("received" in entry) said += 1;
    if (!("sent" in entry)) continue;
    await Promise.race([heard.reaches(said), gone]);
    await calls.make(entry.sent);
  }
  await calls.done();
  over = true;
}

/** Shows events, and below a tool call what its terminals printed then: this client runs none. */
function createReplayListener(entries: readonly WireEntry[], view: View) {
  const terminals = new Map(readRecordedTerminals(entries, directoryIn(entries)));
  return async (event: SessionEvent, state: SessionState): Promise<void> => {
    await view.event(event, state);
    if (event.type !== "tool_call_update") return;
    for (const item of event.content ?? []) {
      const terminal = item.type === "terminal" ? terminals.get(item.terminalId) : undefined;
      if (item.type !== "terminal" || terminal === undefined) continue;
      terminals.delete(item.terminalId);
      await view.event(terminal.event, terminal.state);
    }
  };
}

type Counter = { add(): void; reaches(count: number): Promise<void> };

function createCounter(): Counter {
  let count = 0;
  let waiting: { readonly count: number; readonly resolve: () => void } | undefined;
  return {
    add() {
      count += 1;
      if (waiting !== undefined && count >= waiting.count) waiting.resolve();
    },
    reaches: (wanted) =>
      new Promise((resolve) => {
        if (count >= wanted) resolve();
        else waiting = { count: wanted, resolve };
      }),
  };
}

/** The directory of the first session in the log: paths inside it are shown relative to it. */
function directoryIn(entries: readonly WireEntry[]): string {
  for (const entry of entries) {
    const { cwd } = ("sent" in entry && (entry.sent as { params?: { cwd?: unknown } } | null)?.params) || {};
    if (typeof cwd === "string") return cwd;
  }
  return process.cwd();
}
