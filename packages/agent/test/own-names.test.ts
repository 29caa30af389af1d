import { describe, expect, test } from "vitest";
import type { AgentSession, Turn } from "../src/index.js";
import { connectAs, open, serve, v2Hello } from "./raw-client.js";

/** Runs one prompt. Returns the message of the error that fails it. */
async function failureOf(prompt: (turn: Turn) => unknown): Promise<string> {
  const { client, sessionId } = await open({ prompt: prompt as never });
  return String((await client.ask(sessionId)).error?.data?.details);
}

type Foreign = { readonly sessionId: string };

describe("defect N47: sessionId, as in the official SDK, throws and names the member", () => {
  test.each<[string, (turn: Turn) => unknown]>([
    ["a turn", (turn) => (turn as unknown as Foreign).sessionId],
    ["a session", ({ session }) => (session as unknown as Foreign).sessionId],
  ])("of %s", async (_, read) => {
    const message = "Turns and sessions have no sessionId. Read turn.session.id, or session.id.";
    expect(await failureOf((turn) => void read(turn))).toBe(message);
  });
});

describe("defect N48: an assignment to an unknown member throws", () => {
  test.each<[string, (turn: Turn) => unknown]>([
    ["stopReason", (turn) => Object.assign(turn, { stopReason: "refusal" })],
    ["title", ({ session }) => Object.assign(session, { title: "My title" })],
  ])("%s", async (name, assign) => {
    expect(await failureOf((turn) => void assign(turn))).toContain(`Cannot add property ${name}`);
  });

  test("and wrapping a turn, or setting the data of a session, works", async () => {
    class Wrapped {
      readonly note = "own";
      readonly turn: Turn;
      constructor(turn: Turn) {
        this.turn = turn;
      }
      say(text: string) {
        return this.turn.say(`${this.note}: ${text}`);
      }
    }
    const { client, sessionId } = await open({
      async prompt(turn) {
        (turn.session as { data: unknown }).data = { asked: 1 };
        await new Wrapped(turn).say("a");
        const loud = new Proxy(turn, {
          get: (target, name) => {
            const value: unknown = Reflect.get(target, name, target);
            return typeof value === "function" ? value.bind(target) : value;
          },
        });
        await loud.say(JSON.stringify((loud.session as AgentSession<never>).data));
      },
    });
    await client.ask(sessionId);
    expect(client.text).toBe('own: a{"asked":1}');
  });
});

describe("defect N48: a member of another form of the result says where it belongs:", () => {
  test.each([
    ["messages", "there is no such option. Return { data: { messages } }."],
    ["sessionId", "there is no such option. The runtime makes the id. Read session.id of the second parameter."],
    ["modes", "there is no such option. Return configOptions with a select of the category mode."],
  ])("%s of newSession", async (name, advice) => {
    const { client, diagnostics } = await connectAs(v2Hello, { newSession: () => ({ [name]: [] }) as object });
    await client.result("session/new", { cwd: "/w", mcpServers: [] });
    expect(diagnostics.map(({ message }) => message)).toEqual([
      `The option ${name} of the result of newSession or restoreSession is not used: ${advice}`,
    ]);
  });

  test("text of prompt", async () => {
    const { client, sessionId, diagnostics } = await open({ prompt: () => ({ text: "lost" }) as object });
    await client.ask(sessionId);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "The option text of the result of prompt is not used: there is no such option. Show it with turn.say, before the handler returns.",
    ]);
  });

  test.each([
    ["capabilities", "there is no such option. Pass promptCapabilities, mcpCapabilities or sessionCapabilities."],
    ["agentInfo", "there is no such option. Pass info."],
  ])("%s of createAgent", (name, advice) => {
    expect(serve({ [name]: {} }).diagnostics.map(({ message }) => message)).toEqual([
      `The option ${name} of createAgent is not used: ${advice}`,
    ]);
  });
});
