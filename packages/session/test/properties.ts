import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { Codec } from "../src/codec/codec.js";
import { seedCodec, v1Codec, v2Codec } from "../src/codec/dialects.js";
import type { DialectName } from "../src/codec/losses.js";
import { decodeV1 } from "../src/codec/v1/decode.js";
import { decodeV2 } from "../src/codec/v2/decode.js";
import { createSessionState } from "../src/create-session-state.js";
import type { SessionEvent } from "../src/event.js";
import { changedFiles, finalDiff } from "../src/files/changed-files.js";
import { createRecorder, createRecordingReader } from "../src/recording/index.js";
import { reduce, reduceAll } from "../src/reduce.js";
import { currentMessage, messageText, pendingQuestions, visiblePlan } from "../src/select.js";
import { createSnapshot, readSnapshot } from "../src/snapshot.js";
import type { SessionState } from "../src/state.js";
import { stateEvents } from "../src/state-events.js";
import { transcriptMarkdown, transcriptText } from "../src/transcript.js";
import { assertTrimmedIsCounted } from "./accounting.js";
import type { Conversation, Step } from "./arbitrary-conversation.js";
import { comparedStates } from "./full-comparison.js";
import { stateBytes } from "./state-bytes.js";

const codecs: { readonly [dialect in DialectName]: Codec } = { v1: v1Codec, v2: v2Codec, seed: seedCodec };

/** A conversation and what became of it. */
export type Told = Conversation & {
  readonly events: readonly SessionEvent[];
  /** One more than there are events. */
  readonly states: readonly SessionState[];
  /** The state at each pick as plain JSON, taken before the next event. */
  readonly then: ReadonlyMap<number, unknown>;
};

/** A state without any of its machinery. */
export const plain = (state: SessionState): unknown => JSON.parse(JSON.stringify(state));

/** A state by all that it says, where neighbouring pieces of bare text are one, whatever they weigh. */
function seen(state: SessionState): unknown {
  const { bytes: _, timeline, ...rest } = plain(state) as { bytes: number; timeline: object[] };
  const isBare = (block?: { readonly type?: string }): boolean =>
    block?.type === "text" && Object.keys(block).length === 2;
  const whole = (blocks: readonly { type?: string; text?: string }[]): readonly object[] => {
    const all: { type?: string; text?: string }[] = [];
    for (const block of blocks) {
      const before = all.at(-1);
      if (isBare(before) && isBare(block)) all[all.length - 1] = { type: "text", text: `${before?.text}${block.text}` };
      else all.push(block);
    }
    return all;
  };
  const entries = timeline.map((entry) =>
    "type" in entry && entry.type === "message" && "content" in entry
      ? { ...entry, content: whole(entry.content as object[]) }
      : entry,
  );
  return { ...rest, timeline: entries };
}

/** Tells a conversation to the reducer. */
export function tell(given: Conversation): Told {
  const events = given.steps.flatMap((step) => decoded(given.dialect, step));
  const places = new Set(given.picks.map((pick) => pick % (events.length + 1)));
  const then = new Map<number, unknown>();
  const states = [createSessionState(given.limits)];
  for (let at = 0; ; at++) {
    const state = states[at] as SessionState;
    if (places.has(at)) then.set(at, plain(state));
    if (at === events.length) return { ...given, events, states, then };
    states.push(reduce(state, events[at] as SessionEvent));
  }
}

const decoded = (dialect: DialectName, step: Step): readonly SessionEvent[] =>
  "event" in step ? [step.event] : codecs[dialect].decode(step.update);

const last = ({ states }: Pick<Told, "states">): SessionState => states.at(-1) as SessionState;

function assertSame(left: unknown, right: unknown, what: string): void {
  // The quick way first: a difference is worth a long message, being the same is not.
  if (isDeepStrictEqual(left, right)) return;
  try {
    assert.deepStrictEqual(left, right);
  } catch (difference) {
    assert.fail(`${what}: ${(difference as Error).message}`);
  }
}

/** Bar 4 of the reducer, one law each, and bar 2's for short conversations. */
export const laws: { readonly [name: string]: (received: Told) => void } = {
  "never throws, whatever is told, drawn or written down": (received) => {
    const { strange, dialect } = received;
    let state = reduceAll(last(received), strange as readonly SessionEvent[]);
    for (const one of strange) state = reduceAll(state, codecs[dialect].decode(one));
    for (const entry of state.timeline) if (entry.type === "message") messageText(entry);
    for (const look of [currentMessage, visiblePlan, pendingQuestions]) look(state);
    changedFiles(state).map(finalDiff);
    for (const write of [transcriptText, transcriptMarkdown]) assert.equal(typeof write(state), "string");
    JSON.stringify(state);
  },

  "loses no unknown, from the wire to the timeline": (received) => {
    for (const step of received.steps) {
      if ("event" in step) continue;
      const events = decoded(received.dialect, step);
      assert.notEqual(events.length, 0, "an update came to nothing");
      for (const event of events) if (event.type === "unknown") assert.equal(event.raw, step.update);
    }
    if (received.limits !== undefined) return; // there it may be trimmed, which is counted
    const raws: unknown[] = [];
    for (const event of received.events) {
      if (event.type === "unknown") raws.push(event.raw);
      if (event.type === "replay_started" && event.keeps !== true) raws.length = 0;
    }
    let found = 0;
    for (const entry of last(received).timeline) {
      if (entry.type === "unknown" && found < raws.length && Object.is(entry.raw, raws[found])) found++;
    }
    assert.equal(found, raws.length, "an unknown is not in the timeline");
  },

  "says the same when an upsert is said again": ({ limits, events, states }) => {
    if (limits !== undefined) return; // there an upsert may be of something that was trimmed
    events.forEach((event, at) => {
      const [before, after] = [states[at], states[at + 1]] as [SessionState, SessionState];
      if (!upserts.has(event.type) || after.anomalies !== before.anomalies) return;
      if (after.timeline.at(-1)?.type === "unknown") return; // it was none
      const again = reduce(after, event);
      if (again !== after) assertSame(plain(again), plain(after), `${event.type} twice is not once`);
    });
  },

  "goes on from a snapshot as if there had been none": (received) => {
    const { events, states, picks } = received;
    const at = picks[0] % states.length;
    const { state, problem } = readSnapshot(JSON.parse(JSON.stringify(createSnapshot(states[at] as SessionState))));
    assert.equal(problem, undefined);
    assertSame(plain(state as SessionState), received.then.get(at), "the snapshot reads as another state");
    const end = reduceAll(state as SessionState, events.slice(at));
    assertSame(plain(end), plain(last(received)), "the snapshot goes on differently");
  },

  "is told anew in fewer events, wherever it stands, and goes on as it would have": ({
    limits,
    events,
    states,
    picks,
  }) => {
    const at = picks[1] % states.length;
    const state = states[at] as SessionState;
    const maxEventBytes = picks[2] % 2 === 0 ? undefined : 100 + (picks[2] % 500);
    const anew = stateEvents(state, maxEventBytes === undefined ? {} : { maxEventBytes });
    if (anew === undefined) return assert.notEqual(maxEventBytes ?? limits, undefined, "no events lead to a state");
    // As a log stores them.
    const read = anew.map((event) => JSON.parse(JSON.stringify(event)) as SessionEvent);
    for (const event of read) assert.ok(Buffer.byteLength(JSON.stringify(event)) <= (maxEventBytes ?? Infinity));
    const again = reduceAll(createSessionState(limits), read);
    assertSame(seen(again), seen(state), "it is told as another state");
    if (maxEventBytes === undefined)
      assertSame(JSON.parse(JSON.stringify(stateEvents(again))), read, "twice is not once");
    if (limits !== undefined) return; // text that was put together weighs less, so that less is trimmed
    assertSame(seen(reduceAll(again, events.slice(at))), seen(last({ states })), "it goes on differently");
  },

  "folds many events at once as one after the other": ({ limits, events, picks }) => {
    // Pieces follow pieces of the same message, as they do in life, also over the bound of the state.
    const often = events.flatMap((event, at) =>
      /_chunk$/.test(event?.type) ? new Array<SessionEvent>(1 + ((picks[at % 3] as number) % 7)).fill(event) : [event],
    );
    const start = createSessionState(limits);
    assertSame(plain(reduceAll(start, often)), plain(often.reduce(reduce, start)), "at once is another state");
  },

  "tells by since() what a full comparison tells": ({ states, picks }) => {
    const [from, to] = [picks[0], picks[1]].map((pick) => states[pick % states.length] as SessionState);
    const { said, found } = comparedStates(from as SessionState, to as SessionState);
    assert.deepStrictEqual(said, found);
  },

  "reads in pieces what it reads at once": ({ dialect, steps, events, picks }) => {
    let text = "";
    const recorder = createRecorder(dialect, (line) => {
      text += line;
    });
    for (const step of steps) "event" in step ? recorder.event(step.event) : recorder.update(step.update);
    const size = 1 + (picks[2] % 200);
    const reader = createRecordingReader({ v1: decodeV1, v2: decodeV2, seed: decodeV2 });
    const read: SessionEvent[] = [];
    for (let start = 0; start < text.length; start += size) read.push(...reader.push(text.slice(start, start + size)));
    read.push(...reader.end());
    assertSame(JSON.parse(JSON.stringify(read)), JSON.parse(JSON.stringify(events)), "other events");
  },

  "decodes a terminal's bytes in pieces as at once": ({ bytes, limits, picks }) => {
    const start = createSessionState({ terminalBytes: limits?.terminalBytes });
    const said = (part: Uint8Array): SessionEvent => {
      return { type: "terminal_output_chunk", terminalId: "t", data: Buffer.from(part).toString("base64") };
    };
    const whole = reduce(start, said(bytes)).terminals.at(0);
    let state = reduce(start, said(bytes.subarray(0, 0)));
    for (let from = 0, turn = 0; from < bytes.length; turn++) {
      const size = 1 + ((picks[turn % 3] as number) % 5);
      state = reduce(state, said(bytes.subarray(from, from + size)));
      from += size;
    }
    const parts = state.terminals.at(0);
    assert.ok(whole !== undefined && parts !== undefined);
    assert.deepEqual(parts.pendingBytes, whole.pendingBytes);
    assert.equal(parts.textBytes + parts.droppedBytes, whole.textBytes + whole.droppedBytes);
    if (limits === undefined)
      assert.equal(
        parts.text,
        new TextDecoder("utf-8", { ignoreBOM: true }).decode(
          bytes.subarray(0, bytes.length - whole.pendingBytes.length),
        ),
      );
    assert.ok(parts.text.endsWith(whole.text) || whole.text.endsWith(parts.text), "other text is kept");
    for (const terminal of [parts, whole]) {
      assert.equal(Buffer.byteLength(terminal.text), terminal.textBytes);
      assert.ok(terminal.textBytes <= (limits?.terminalBytes ?? Number.POSITIVE_INFINITY));
    }
  },

  "leaves every state as it was, equal to a fresh fold of its prefix": ({ limits, events, states, then, picks }) => {
    // Going on from an old state must not reach into the newer ones.
    const fork = states[picks[0] % states.length] as SessionState;
    const event = events[picks[1] % Math.max(events.length, 1)];
    if (event !== undefined) reduce(fork, event);
    for (const [at, before] of then) {
      const state = states[at] as SessionState;
      assertSame(plain(state), before, "an old state changed");
      assertSame(plain(reduceAll(createSessionState(limits), events.slice(0, at))), before, "a fresh fold differs");
      state.timeline.toArray().forEach((entry, position) => {
        assert.equal(state.timeline.get(entry.key), entry);
        assert.equal(state.timeline.at(position), entry);
      });
    }
  },

  "keeps within its bound, and counts what it trims": ({ limits, events, states }) => {
    events.forEach((event, at) => {
      const [before, after] = [states[at], states[at + 1]] as [SessionState, SessionState];
      assert.ok(after.bytes <= (limits?.stateBytes ?? 64 * 1024 * 1024), `${after.bytes} bytes`);
      assertTrimmedIsCounted(before, event, after);
    });
    const state = states.at(-1) as SessionState;
    assert.equal(stateBytes(state), state.bytes);
  },
};

const upserts: ReadonlySet<SessionEvent["type"]> = new Set([
  ...(["user_message", "agent_message", "agent_thought", "tool_call_update", "terminal_update"] as const),
  ...(["plan_update", "plan_removed", "available_commands_update", "config_option_update"] as const),
  ...(["current_mode_update", "session_info_update", "usage_update", "compaction_update", "state_update"] as const),
  ...(["subagent_update", "session_message", "config_option_set", "cancel_asked", "prompt_accepted"] as const),
  ...(["permission_asked", "permission_answered", "elicitation_asked", "session_closed"] as const),
  ...(["turn_started", "replay_ended"] as const),
]);

/** Checks every law on one conversation, and throws where one is broken. */
export function checkLaws(given: Conversation): Told {
  const received = tell(given);
  for (const [name, holds] of Object.entries(laws)) {
    try {
      holds(received);
    } catch (broken) {
      throw new Error(`A session ${name}: ${(broken as Error).message}`, { cause: broken });
    }
  }
  return received;
}
