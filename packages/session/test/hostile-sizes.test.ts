import fc from "fast-check";
import { expect, it } from "vitest";
import { v1Codec, v2Codec } from "../src/codec/dialects.js";
import { createSessionState } from "../src/create-session-state.js";
import type { SessionEvent } from "../src/event.js";
import { reduce, reduceAll } from "../src/reduce.js";
import type { SessionState } from "../src/state.js";
import { soundEvent } from "./arbitrary-event.js";

const BOUND = 30_000;
/**
 * Bytes of JSON that a state may have. Two bytes count for a character, and names of members hardly; anomalies and the
 * like are few and short.
 */
const MOST = 4 * BOUND + 12_000;

/** One event of each kind. */
const samples = new Map(fc.sample(soundEvent, { numRuns: 3000, seed: 3 }).map((event) => [event.type, event]));
const ids = ["messageId", "toolCallId", "terminalId", "compactionId", "promptId", "requestId", "sessionId"];
// Members that peers fill with what they like: open enumerations too.
const members = [
  ...[...ids, "elicitationId", "configId", "currentModeId", "kind", "status", "severity", "state", "stopReason"],
  ...["error", "usage", "background", "title", "name", "description", "summary", "_meta", "extra", "cost", "cwd"],
  ...[
    "command",
    "size",
    "exitStatus",
    "capabilities",
    "mode",
    "url",
    "value",
    "updatedAt",
    "senderSessionId",
    "reason",
  ],
  ...["content", "locations", "rawInput", "plan", "options", "configOptions", "availableCommands", "subject", "output"],
];

/** Yields an event many times, each time with another value. */
function* flood(event: SessionEvent, member: string, value: unknown, times: number): Generator<SessionEvent> {
  for (let time = 0; time < times; time++) {
    const named = Object.fromEntries(ids.filter((id) => id in event).map((id) => [id, `${time}`]));
    yield { ...event, ...named, [member]: typeof value === "string" ? `${time}${value}` : value } as SessionEvent;
  }
}

const viaWire =
  (codec: typeof v1Codec) =>
  (state: SessionState, { type, ...rest }: SessionEvent) =>
    reduceAll(state, codec.decode({ sessionUpdate: type, ...rest }));
const ways = { reduce, v1: viaWire(v1Codec), v2: viaWire(v2Codec) };

/** Events of members that a state has once and does not count: they are never larger than the last few messages. */
const facts = /^(?:state_update|turn_ended|session_opened|current_mode_update)\./;
/** Names that this side makes up for its own prompts are as long as it likes. */
const ours = /^(?:prompt_sent|turn_started)\.promptId$/;

const long = "x".repeat(400_000);
const shapes: readonly unknown[] = [
  long,
  [{ type: "x", text: long }],
  { type: "items", planId: "p", code: 1, message: long },
];

it.each([
  ["25 values of 8 kB", ["x".repeat(8000)], 25],
  ["3 values of 400 kB", shapes, 3],
])(
  "a state stays small under %s in any member of any event",
  (_, values, times) => {
    const larger = new Set<string>();
    for (const [type, event] of samples) {
      for (const member of members.filter((name) => !ours.test(`${type}.${name}`))) {
        for (const value of values) {
          const most = MOST + (facts.test(`${type}.${member}`) ? 3 * JSON.stringify(value).length : 0);
          for (const [way, fold] of Object.entries(ways)) {
            let state = createSessionState({ stateBytes: BOUND, terminalBytes: 1000 });
            for (const one of flood(event, member, value, times)) state = fold(state, one);
            if (JSON.stringify(state).length > most) larger.add(`${way}: ${type}.${member}`);
          }
        }
      }
    }
    expect([...larger]).toEqual([]);
  },
  30_000,
);
