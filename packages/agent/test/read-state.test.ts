import fc from "fast-check";
import { expect, test } from "vitest";
import type { SessionState, Turn } from "../src/index.js";
import { clientInfo, everything, gate, openAs, seedHello, v2Hello } from "./raw-client.js";

const v1Hello = { protocolVersion: 1, clientInfo, clientCapabilities: everything };
const text = (said: string) => ({ type: "text", text: said }) as const;
const turns = { prompt: [text("go")] };

/** Calls of a turn, one for each kind of update. */
const ways: { readonly [name: string]: (turn: Turn) => unknown } = {
  say: (turn) => turn.say("said"),
  "say more": (turn) => turn.say(text("said".repeat(20))),
  "say a picture": (turn) => turn.say({ type: "image", data: "AA==", mimeType: "image/png" }),
  think: (turn) => turn.think("thought"),
  "another message": (turn) => turn.emit({ type: "agent_message_chunk", messageId: "own", content: text("own") }),
  "another thought": (turn) => turn.emit({ type: "agent_thought_chunk", messageId: "own", content: text("own") }),
  "a message without a name": (turn) => turn.emit({ type: "agent_message_chunk", content: text("x") }),
  "a whole message": (turn) => turn.emit({ type: "agent_message", messageId: "own", content: [text("x")] }),
  "a tool": (turn) => turn.toolCall({ title: "Look" }).finish(),
  "the same tool": (turn) => turn.emit({ type: "tool_call_update", toolCallId: "t", title: "Again" }),
  "a notice": (turn) => turn.emit({ type: "notice", severity: "info", title: "N" }),
  "a title": (turn) => turn.session.setTitle("T"),
  "a plan": (turn) => turn.plan([{ content: "Think", priority: "low", status: "pending" }]),
};

const step = fc.constantFrom(...Object.keys(ways), "say", "say", "think");
const talks = fc.array(fc.array(fc.tuple(step, fc.boolean()), { maxLength: 12, size: "max" }), {
  minLength: 1,
  maxLength: 3,
});
const bounds = fc.constantFrom({}, { stateBytes: 1_500 }, { stateBytes: 4_000 });

/** Ids have a random part. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replace(/-[0-9a-f]{8}-(\d+)/g, "-$1"));

test.each([
  ["version 1", v1Hello],
  ["version 2", v2Hello],
  ["seed", seedHello],
] as const)("whoever reads the state changes nothing that is said, %s", async (_, hello) => {
  await fc.assert(
    fc.asyncProperty(talks, bounds, async (said, limits) => {
      const run = async (reads: boolean) => {
        const rest = [...said];
        let state: SessionState | undefined;
        let done = gate();
        const prompt = (turn: Turn): void => {
          for (const [way, looks] of rest.shift() ?? []) {
            ways[way]?.(turn);
            if (reads && looks) void turn.session.state.timeline.length;
          }
          done.open();
        };
        const closeSession = (session: { readonly state: SessionState }): void => {
          state = session.state;
        };
        const { client, sessionId } = await openAs(hello, { prompt, closeSession }, { limits });
        for (const _turn of said) {
          done = gate();
          await client.request("session/prompt", { sessionId, ...turns });
          await done.promise;
        }
        await client.request("session/close", { sessionId });
        const { sessionId: _id, ...kept } = plain(state) as { readonly sessionId: string };
        return { updates: plain(client.updates()), kept };
      };
      expect(await run(false)).toEqual(await run(true));
    }),
    { numRuns: 100 },
  );
});

test("what is said next is another message where something else was shown, and the same where nothing was", async () => {
  const { client, sessionId } = await openAs(v1Hello, {
    prompt(turn) {
      const own = (): unknown => ways["another message"]?.(turn);
      turn.say("one ");
      own();
      turn.say("two ");
      // Goes on above: nothing is shown between.
      own();
      turn.say("three");
    },
  });
  await client.ask(sessionId);
  const [one, , two, , three] = client.updates("agent_message_chunk").map(({ messageId }) => messageId);
  expect(two).not.toBe(one);
  expect(three).toBe(two);
});
