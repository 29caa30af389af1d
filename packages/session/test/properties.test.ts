import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSessionState } from "../src/create-session-state.js";
import type { SessionEvent } from "../src/event.js";
import { reduce, reduceAll } from "../src/reduce.js";
import { messageText } from "../src/select.js";
import type { SessionState } from "../src/state.js";
import { conversation } from "./arbitrary-conversation.js";
import { soundEvent } from "./arbitrary-event.js";
import { laws, plain, tell } from "./properties.js";

// The same conversations on every run; `pnpm properties --sequences 100000` looks at more, each by all laws at once.
const seed = 20261121;

describe("a session", () => {
  it.each(Object.entries(laws))("%s", (_, holds) => {
    fc.assert(
      fc.property(conversation, (given) => holds(tell(given))),
      { numRuns: 300, seed },
    );
  });

  it("is told every kind of event by these conversations", () => {
    const received = fc.sample(conversation, { numRuns: 300, seed }).flatMap((given) => tell(given).events);
    const kinds = new Set(received.map(({ type }) => type));
    expect(Object.keys(everyKind).filter((kind) => !kinds.has(kind as SessionEvent["type"]))).toEqual([]);
  });

  it.each([
    ["without end", undefined],
    ["that is trimmed again and again", { stateBytes: 40_000, terminalBytes: 50 }],
  ])("of many events %s leaves any of the last 1000 states as it was", (_, limits) => {
    const events = fc.array(soundEvent, { minLength: 1300, maxLength: 1300 });
    fc.assert(
      fc.property(events, fc.array(fc.tuple(fc.nat(), soundEvent), { maxLength: 50 }), (given, forks) => {
        const states: SessionState[] = [createSessionState(limits)];
        const then: string[] = [];
        for (const event of given) {
          // A fresh fold of this prefix, written down before anything else could reach into it.
          then.push(JSON.stringify(states.at(-1)));
          states.push(reduce(states.at(-1) as SessionState, event));
        }
        then.push(JSON.stringify(states.at(-1)));
        for (const [from, event] of forks) reduce(states[from % states.length] as SessionState, event);
        states.slice(-1000).forEach((state, index) => {
          for (const entry of state.timeline) if (entry.type === "message") messageText(entry);
          if (JSON.stringify(state) !== then.at(index - 1000)) expect(plain(state)).toEqual(then.at(index - 1000));
        });
        for (const length of [300, 301, 700, 1299, 1300]) {
          expect(reduceAll(createSessionState(limits), given.slice(0, length))).toEqual(states[length]);
        }
      }),
      // Not made smaller when it fails: each try would cost seconds.
      { numRuns: 2, seed, endOnFailure: true },
    );
  });
});

/** The compiler asks for a kind that is new. */
const everyKind: { readonly [kind in SessionEvent["type"]]: true } = {
  user_message: true,
  agent_message: true,
  agent_thought: true,
  user_message_chunk: true,
  agent_message_chunk: true,
  agent_thought_chunk: true,
  state_update: true,
  tool_call_update: true,
  tool_call_content_chunk: true,
  terminal_update: true,
  terminal_output_chunk: true,
  plan_update: true,
  plan_removed: true,
  available_commands_update: true,
  config_option_update: true,
  current_mode_update: true,
  session_info_update: true,
  usage_update: true,
  notice: true,
  compaction_update: true,
  compaction_summary_chunk: true,
  subagent_update: true,
  session_message: true,
  session_message_chunk: true,
  replay_complete: true,
  unknown: true,
  session_opened: true,
  prompt_sent: true,
  prompt_accepted: true,
  prompt_failed: true,
  turn_started: true,
  turn_ended: true,
  cancel_asked: true,
  permission_asked: true,
  permission_answered: true,
  elicitation_asked: true,
  elicitation_answered: true,
  elicitation_completed: true,
  config_option_set: true,
  replay_started: true,
  replay_ended: true,
  state_restored: true,
  session_closed: true,
  session_data: true,
  child_session_event: true,
};
