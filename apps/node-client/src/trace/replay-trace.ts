import { type Client, connect, createElicitations } from "@turnkit/client";
import type { SessionEvent, SessionState } from "@turnkit/session";
import { createWirePlayer, tapChannel, type WireEntry, type WirePlayer } from "@turnkit/transport/trace";
import { type ExitCode, exitCode } from "../exit-code.js";
import { settlesWithin, unlessAborted } from "../interrupts.js";
import type { ProgramDesk } from "../setup/with-agent.js";
import { createTerminalView } from "../terminal-view.js";
import { version } from "../version.js";
import type { View } from "../view.js";
import { createRecordedAnswers, readRecordedTerminals } from "./recorded-answers.js";
import { conversationIn, createRecordedCalls } from "./recorded-calls.js";
import { readTrace } from "./show-trace.js";

/** How long nothing is told, in milliseconds, when all of a log has been told. */
const QUIET_MS = 500;
/** Messages that may come in another order than in the log: answers come as soon as they are asked for. */
const WINDOW = 10_000;

/**
 * Plays the agent's part of a log, does what the recorded client did, and shows the conversation anew. Nothing is started
 * and nothing is changed: permissions are answered as they were, files and commands are not touched.
 *
 * @throws UsageError for a file that is no such log
 */
export async function replayTrace(path: string, desk: ProgramDesk): Promise<ExitCode> {
  const { interrupts } = desk;
  const entries = conversationIn(await unlessAborted(readTrace(path), interrupts.cancel));
  const view = createTerminalView({ ...desk, directory: directoryIn(entries), interrupt: interrupts.interrupt });
  const answers = createRecordedAnswers(entries);
  const player = createWirePlayer(entries, { fits: () => true, window: WINDOW });
  const heard = createCounter();
  const channel = tapChannel(player, (event) => "message" in event && event.direction === "received" && heard.add());
  const stage = { entries, view, heard, player, told: createCounter() };
  const progress = () => heard.count + stage.told.count;
  const isHeld = () => desk.stdout.writableNeedDrain;
  let client: Client | undefined;
  const play = async () => {
    client = await connect(channel, {
      info: { name: "turnkit", version },
      permissions: answers.permission,
      elicitations: createElicitations({ form: answers.elicitation, url: answers.elicitation }),
    });
    await perform(client, stage);
  };
  try {
    await unlessAborted(unlessStalled(play(), { player, progress, isHeld }), interrupts.cancel);
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
  readonly entries: readonly WireEntry[];
  readonly view: View;
  /** Messages of the agent that were said, and events that listeners were told. */
  readonly heard: Counter;
  readonly told: Counter;
  readonly player: WirePlayer;
};

/** Makes the calls of the recorded client, each when all that it had heard before has been said. */
async function perform(client: Client, { entries, view, heard, told, player }: Stage): Promise<void> {
  let over = false;
  const show = createReplayListener(entries, view);
  const calls = createRecordedCalls(client, (event, { state }) => {
    told.add();
    return over ? undefined : show(event, state);
  });
  let said = 0;
  for (const entry of entries) {
    if ("received" in entry) said += 1;
    if (!("sent" in entry)) continue;
    await Promise.race([heard.reaches(said), player.closed]);
    await calls.make(entry.sent);
  }
  await Promise.race([calls.done(), player.finished]);
  // A turn that the log does not end has no end here either: it is over when nothing more is told of it.
  let isDone = await settlesWithin(calls.done(), QUIET_MS);
  for (let before = -1; !isDone && before !== told.count; ) {
    before = told.count;
    isDone = await settlesWithin(calls.done(), QUIET_MS);
  }
  over = true;
  if (!isDone) view.note("The log ends here, in the middle of a turn.");
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

/** The directory of the first session in the log: paths inside it are shown relative to it. */
function directoryIn(entries: readonly WireEntry[]): string {
  for (const entry of entries) {
    const { cwd } = ("sent" in entry && (entry.sent as { params?: { cwd?: unknown } } | null)?.params) || {};
    if (typeof cwd === "string") return cwd;
  }
  return process.cwd();
}

/** What is watched. */
type StallOptions = {
  readonly player: WirePlayer;
  /** Grows with everything that comes of the log. */
  readonly progress: () => number;
  /** Whether somebody who reads slowly holds it up. */
  readonly isHeld: () => boolean;
};

/** Looks every so often, in milliseconds; nothing new at that many looks in a row is a stall. */
const LOOK_MS = 500;
const LOOKS = 4;

/**
 * Does the work, and gives up where a log waits for something that this client does not say: in one process nothing else
 * would ever end that.
 *
 * @throws Error that names what the log waits for
 */
function unlessStalled<T>(work: Promise<T>, { player, progress, isHeld }: StallOptions): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_, reject) => {
    let [before, looks] = [progress(), 0];
    timer = setInterval(() => {
      looks = progress() === before && !isHeld() ? looks + 1 : 0;
      before = progress();
      if (looks < LOOKS) return;
      const [awaited] = player.awaited;
      const why =
        awaited === undefined ? "it ends too early" : `it waits for ${awaited}, which does not come of what was before`;
      reject(new Error(`The log cannot be played on: ${why}.`));
    }, LOOK_MS);
  });
  return Promise.race([work, stalled]).finally(() => clearInterval(timer));
}
