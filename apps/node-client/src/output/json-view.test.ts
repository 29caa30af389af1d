import { createSessionState, reduce, type SessionEvent } from "@turnkit/session";
import { describe, expect, it } from "vitest";
import { createJsonView, createNdjsonView } from "./json-view.js";

const base64 = (value: string) => Buffer.from(value).toString("base64");
const chunk = (terminalId: string, value: string): SessionEvent => ({
  ...{ type: "terminal_output_chunk", terminalId, data: base64(value) },
});
const update = (terminalId: string, more: object): SessionEvent => ({ type: "terminal_update", terminalId, ...more });

/** Returns the lines for events. `folded` events are in the state only, like output of this client's own terminals. */
async function lines(happened: readonly { readonly received?: SessionEvent; readonly folded?: SessionEvent }[]) {
  let printed = "";
  const stdout = { write: (text: string) => (printed += text) } as unknown as NodeJS.WriteStream;
  const view = createNdjsonView({ stdout, stderr: process.stderr, env: {} });
  let state = createSessionState();
  for (const { received, folded } of happened) {
    const event = received ?? folded;
    if (event !== undefined) state = reduce(state, event);
    if (received !== undefined) await view.event(received, state);
  }
  return printed
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

it("tells what a command of this client printed, once, before the event of its end", async () => {
  const end = update("t", { exitStatus: { exitCode: 0 } });
  const received = await lines([
    { received: update("t", { command: "make" }) },
    { folded: chunk("t", "one\n") },
    { folded: chunk("t", "two\n") },
    { received: end },
    { received: end },
  ]);
  expect(received).toEqual([
    { type: "terminal_update", terminalId: "t", command: "make" },
    { type: "client_terminal_output", terminalId: "t", text: "one\ntwo\n" },
    end,
    end,
  ]);
});

it("adds nothing where the agent tells the output itself", async () => {
  const events = [chunk("t", "one\n"), update("t", { exitStatus: {} }), update("u", { output: { data: base64("x") } })];
  const received = await lines([...events, update("u", { exitStatus: {} })].map((event) => ({ received: event })));
  expect(received.map(({ type }) => type)).not.toContain("client_terminal_output");
});

describe("defect P14: output of terminals", () => {
  const received = async (event: SessionEvent) => (await lines([{ received: event }]))[0];

  it("is text in every line", async () => {
    expect(await received(chunk("t", "zwölf\n\u0000"))).toEqual({
      ...{ type: "terminal_output_chunk", terminalId: "t", text: "zwölf\n\u0000" },
    });
    const whole = update("t", { output: { data: base64("\ufeff日本") }, exitStatus: { exitCode: 0 } });
    expect(await received(whole)).toEqual({
      ...{ type: "terminal_update", terminalId: "t", output: { text: "\ufeff日本" }, exitStatus: { exitCode: 0 } },
    });
    expect(await received(update("t", { output: null }))).toEqual(update("t", { output: null }));
  });

  it("stays as it is where it is not UTF-8, ends inside a character, or is not base64", async () => {
    const odd = [Buffer.from([0xff, 0xfe]), Buffer.from("日").subarray(0, 2)].map((bytes) => bytes.toString("base64"));
    for (const data of [...odd, "no base64"]) {
      const event: SessionEvent = { type: "terminal_output_chunk", terminalId: "t", data };
      expect(await received(event)).toEqual(event);
    }
  });
});

it("defect P64: a notice of the agent is a line on stderr beside the document", async () => {
  let stderr = "";
  const stream = { write: (text: string) => (stderr += text) } as unknown as NodeJS.WriteStream;
  const view = createJsonView({ stdout: stream, stderr: stream, env: {} });
  await view.event({ type: "notice", severity: "warning", title: "Trying again" }, createSessionState());
  expect(stderr).toBe("turnkit: Trying again\n");
});
