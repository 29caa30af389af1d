import { type Client, connect, createElicitations } from "@turnkit/client";
import type { SessionEvent, SessionState } from "@turnkit/session";
import { withinGrace } from "@turnkit/transport";
import { createWirePlayer, tapChannel, type WireEntry, type WirePlayer } from "@turnkit/transport/trace";
import { type ExitCode, exitCode } from "../exit-code.js";
import { unlessAborted } from "../interrupts.js";
import { membersOf } from "../output/foreign-value.js";
import type { ProgramStreams } from "../program.js";
import { firstOfEachKind } from "../setup/first-of-each-kind.js";
import { createTerminalView } from "../terminal-view.js";
import { version } from "../version.js";
import type { View } from "../view.js";
import { createRecordedAnswers, readRecordedTerminals } from "./recorded-answers.js";
import { conversationIn, RecordedCalls } from "./recorded-calls.js";
import { readTrace } from "./show-trace.js";

/** Time without an event after which a replay is over if the log has no end, in milliseconds. */
const QUIET_MS = 500;
/**
 * Maximum number of messages that may arrive in another order than in the log, because answers depend on their
 * requests.
 */
const WINDOW = 10_000;

/**
 * Replays a log and shows the conversation. The agent's messages come from the log, and the calls of the recorded
 * client are repeated. No agent is started, and nothing is changed. Permissions are answered as in the log, and no file
 * or command is used.
 *
 * @throws UsageError for a file that is not a log of the wire
 */
export async function replayTrace(path: string, streams: ProgramStreams): Promise<ExitCode> {
  const { interrupts } = streams;
  const entries = conversationIn(await unlessAborted(readTrace(path), interrupts.cancel));
  const view = createTerminalView(streams, directoryIn(entries));
  const answers = createRecordedAnswers(entries);
  const player = createWirePlayer(entries, { fits: () => true, window: WINDOW });
  const received = createCounter();
  const channel = tapChannel(player, (event) => "message" in event && event.direction === "received" && received.add());
  const stage = { entries, view, received, player, shown: createCounter() };
  const progress = () => (streams.stdout.writableNeedDrain ? undefined : received.count + stage.shown.count);
  let client: Client | undefined;
  const play = async () => {
    client = await connect(channel, {
      info: { name: "turnkit", version },
      permissions: answers.permission,
      elicitations: createElicitations({ form: answers.elicitation, url: answers.elicitation }),
      onDiagnostic: firstOfEachKind((message) => view.note(message)),
    });
    await perform(client, stage);
    return player.finished;
  };
  try {
    const failure = await unlessAborted(unlessStalled(play(), player, progress), interrupts.cancel);
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
  readonly entries: readonly WireEntry[];
  readonly view: View;
  readonly received: Counter;
  readonly shown: Counter;
  readonly player: WirePlayer;
};

/** Makes the calls of the recorded client. Each call waits for all messages that precede it in the log. */
async function perform(client: Client, { entries, view, received, shown, player }: Stage): Promise<void> {
  let over = false;
  const show = createReplayListener(entries, view);
  const calls = new RecordedCalls(
    client,
    (event, { state }) => {
      shown.add();
      return over ? undefined : show(event, state);
    },
    (event, child) => (over ? undefined : view.child?.(event, child)),
  );
  let said = 0;
  for (const entry of entries) {
    if ("received" in entry) said += 1;
    if (!("sent" in entry)) continue;
    await Promise.race([received.reaches(said), player.closed]);
    await calls.make(entry.sent);
  }
  await Promise.race([calls.done(), player.finished]);
  // If the log has no end of a turn, the replay is over when no more events arrive.
  let isDone = await withinGrace(calls.done(), QUIET_MS);
  for (let before = -1; !isDone && before !== shown.count; ) {
    before = shown.count;
    isDone = await withinGrace(calls.done(), QUIET_MS);
  }
  over = true;
  if (!isDone) view.note("The log ends here, in the middle of a turn.");
}

/** Creates a listener that shows events. Below a tool call it shows the recorded output of the call's terminals. */
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

type Counter = { readonly count: number; add(): void; reaches(count: number): Promise<void> };

function createCounter(): Counter {
  let count = 0;
  let waiting: { readonly count: number; readonly resolve: () => void } | undefined;
  return {
    get count() {
      return count;
    },
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

/** Returns the directory of the first session in the log. Relative paths are relative to it. */
function directoryIn(entries: readonly WireEntry[]): string {
  for (const entry of entries) {
    const { cwd } = membersOf("sent" in entry ? membersOf(entry.sent).params : undefined);
    if (typeof cwd === "string") return cwd;
  }
  return process.cwd();
}

/**
 * Time between two checks of the progress, in milliseconds. After `LOOKS` checks without progress, the replay has
 * stalled.
 */
const LOOK_MS = 500;
const LOOKS = 4;

/**
 * Runs the replay. Rejects if the log waits for a message that this client does not send, because the replay would then
 * never end. `progress` returns a number that grows during the replay, or `undefined` while a slow reader delays it.
 *
 * @throws Error with the missing message
 */
function unlessStalled<T>(work: Promise<T>, player: WirePlayer, progress: () => number | undefined): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_, reject) => {
    let [before, looks] = [progress(), 0];
    timer = setInterval(() => {
      const now = progress();
      looks = now !== undefined && now === before ? looks + 1 : 0;
      before = now;
      if (looks < LOOKS) return;
      const [awaited] = player.awaited;
      const why =
        awaited === undefined
          ? "it ends too early"
          : `the log contains ${awaited}, which this client does not send here`;
      reject(new Error(`The replay cannot continue: ${why}.`));
    }, LOOK_MS);
  });
  return Promise.race([work, stalled]).finally(() => clearInterval(timer));
}
