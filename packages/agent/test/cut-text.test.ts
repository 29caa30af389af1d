import { describe, expect, test } from "vitest";
import type { Turn } from "../src/index.js";
import { clientInfo, everything, type Frame, openAs, seedHello, v2Hello } from "./raw-client.js";

const hellos = { v1: { protocolVersion: 1, clientCapabilities: everything, clientInfo }, v2: v2Hello, seed: seedHello };
const [high, low] = ["\ud83d", "\ude00"];

async function updatesOf(dialect: keyof typeof hellos, prompt: (turn: Turn) => unknown): Promise<readonly Frame[]> {
  const { client, sessionId } = await openAs(hellos[dialect], {
    async prompt(turn) {
      await prompt(turn);
    },
  });
  await client.request("session/prompt", { sessionId, prompt: [{ type: "text", text: "hi" }] });
  if (dialect === "v2") await client.next(({ params }) => params?.update?.state === "idle");
  return client.updates();
}

/** Returns the texts of the messages, one for each message. */
function said(updates: readonly Frame[], kind = "agent_message_chunk"): readonly string[] {
  const messages = new Map<string, string>();
  for (const { sessionUpdate, messageId, content } of updates) {
    if (sessionUpdate === kind) messages.set(messageId, (messages.get(messageId) ?? "") + content.text);
  }
  return [...messages.values()];
}

/** Every text on the wire can be written as UTF-8. */
const isSound = (updates: readonly Frame[]): boolean => !/\\ud[89a-f]/.test(JSON.stringify(updates));

describe.each(["v1", "v2", "seed"] as const)("text that is cut inside a character (%s)", (dialect) => {
  test.each<[string, (turn: Turn) => unknown, readonly string[]]>([
    ["in two pieces", (turn) => [turn.say(`a${high}`), turn.say(`${low}b`)], ["a😀b"]],
    ["halves alone", (turn) => [turn.say(high), turn.say(low)], ["😀"]],
    ["around an empty piece", (turn) => [turn.say(`a${high}`), turn.say(""), turn.say(low)], ["a😀"]],
    [
      "around a report of usage",
      (turn) => [turn.say(high), turn.session.reportUsage({ used: 1, size: 2 }), turn.say(low)],
      ["😀"],
    ],
    [
      "in blocks",
      (turn) => [turn.say({ type: "text", text: `a${high}` }), turn.say({ type: "text", text: low })],
      ["a😀"],
    ],
    ["without its other half", (turn) => turn.say(`a${high}`), ["a\ufffd"]],
    ["with another character behind it", (turn) => [turn.say(`a${high}`), turn.say("b")], ["a\ufffdb"]],
    ["with two first halves", (turn) => [turn.say(high), turn.say(high), turn.say(low)], ["\ufffd😀"]],
    [
      "with a tool call behind it",
      (turn) => [turn.say(`a${high}`), turn.toolCall({ title: "x" }), turn.say("b")],
      ["a\ufffd", "b"],
    ],
    ["with a thought behind it", (turn) => [turn.say(`a${high}`), turn.think("c"), turn.say("b")], ["a\ufffd", "b"]],
  ])("defect B12: %s", async (_, prompt, texts) => {
    const updates = await updatesOf(dialect, prompt);
    expect(said(updates)).toEqual(texts);
    expect(isSound(updates)).toBe(true);
  });

  test("defect B12: an update of a tool call between the halves, and a stream of units", async () => {
    async function* units() {
      for (const unit of "1😀2😀".split("")) yield unit;
    }
    const updates = await updatesOf(dialect, async (turn) => {
      const call = turn.toolCall({ title: "x" });
      turn.say(`a${high}`);
      call.update({ status: "in_progress" });
      turn.say(`${low}b`);
      await turn.think(units());
    });
    expect(said(updates)).toEqual(["a😀b"]);
    expect(said(updates, "agent_thought_chunk")).toEqual(["1😀2😀"]);
    expect(isSound(updates)).toBe(true);
  });
});

const bytesOf = (updates: readonly Frame[], terminalId: string): Uint8Array =>
  Uint8Array.from(
    updates
      .filter((update) => update.terminalId === terminalId && update.sessionUpdate === "terminal_output_chunk")
      .flatMap(({ data }) => [...atob(data)].map((unit) => unit.charCodeAt(0))),
  );

test("defect B12: text written to terminals in turn, cut inside characters, also among bytes", async () => {
  const ids: string[] = [];
  const updates = await updatesOf("v2", (turn) => {
    const terminals = ["one", "two", "three"].map((command) => turn.session.terminal({ command }));
    ids.push(...terminals.map(({ terminalId }) => terminalId));
    const [one, two, three] = terminals;
    for (const piece of [`a${high}`, low]) {
      one?.write(piece);
      turn.say("between");
      two?.write(`${piece}`);
    }
    three?.write(high);
    three?.write(new Uint8Array([0xf0, 0x9f]));
    three?.write(new Uint8Array([0x98, 0x80]));
    three?.write(high);
    for (const terminal of terminals) terminal.exit();
  });
  const texts = ids.map((id) => new TextDecoder().decode(bytesOf(updates, id)));
  expect(texts).toEqual(["a😀", "a😀", "\ufffd😀\ufffd"]);
});
