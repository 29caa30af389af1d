import { describe, expect, it, vi } from "vitest";
import {
  createByteStreamChannel,
  createMemoryPair,
  createMessageStreamChannel,
  createWebSocketChannel,
  pipeChannels,
  toMessageStream,
} from "../src/channels/index.js";
import { createConnection, createRoutes } from "../src/index.js";
import { createStdioChannel } from "../src/node/index.js";
import { readWireLog, recordChannel, tapChannel } from "../src/trace/index.js";

const [end] = createMemoryPair();

describe("defect N5: an argument of another type is refused in one sentence", () => {
  it.each<[string, (value: never) => unknown, string]>([
    ["createConnection", createConnection, "pass a channel"],
    ["toMessageStream", toMessageStream, "pass a channel"],
    ["tapChannel", (value) => tapChannel(value, () => undefined), "pass a channel"],
    ["tapChannel observe", (value) => tapChannel(end, value), "pass a function"],
    ["recordChannel", (value) => recordChannel(value, () => undefined), "pass a channel"],
    ["recordChannel write", (value) => recordChannel(end, value), "(line) => log.write(line)"],
    ["createByteStreamChannel", createByteStreamChannel, "pass { readable, writable }, two web streams"],
    ["createMessageStreamChannel", createMessageStreamChannel, "pass { readable, writable }, two web streams"],
    ["createWebSocketChannel", createWebSocketChannel, "pass a WebSocket, such as new WebSocket(url)"],
    ["createStdioChannel", createStdioChannel, "pass { input, output }, two Node streams"],
    ["createRoutes handlers", (value) => createRoutes({}, "agent", value), "pass a contract"],
    ["readWireLog", readWireLog, "pass the text of a log"],
    ["pipeChannels", (value) => pipeChannels(value, end), "pass two channels"],
    ["pipeChannels request", (value) => pipeChannels(end, end, { request: value }), "pass a function"],
  ])("%s", async (name, call, remedy) => {
    // An empty table of routes is sound.
    for (const value of name === "createRoutes handlers" ? [undefined, null, 5] : [null, 5, [], {}]) {
      const error: unknown = await (async () => call(value as never))().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(TypeError);
      expect((error as Error).message).toContain(`${name} got `);
      expect((error as Error).message).toContain(remedy);
    }
  });

  it("a promise of a channel is recognised", () => {
    expect(() => createConnection(Promise.resolve(end) as never)).toThrow("await the promise of the channel");
  });
});

it("defect N2: a misspelled function of a pipe is printed with the nearest name", () => {
  const spy = vi.spyOn(console, "error").mockImplementation(() => undefined);
  void pipeChannels(...createMemoryPair(), { notifications: () => undefined } as never);
  expect(spy.mock.calls.join()).toContain("The option notifications of pipeChannels is not used");
  expect(spy.mock.calls.join()).toContain("Do you mean notification?");
});
