import { PassThrough } from "node:stream";
import { describe, expect, test, vi } from "vitest";
import { createByteStreamChannel, createMemoryPair, createWebSocketChannel } from "../src/channels/index.js";
import { createConnection, unknownOptions } from "../src/index.js";
import { createStdioChannel, spawnChannel } from "../src/node/index.js";

/** A socket that is closed as soon as somebody closes it. */
const socket = () => ({
  readyState: 1,
  bufferedAmount: 0,
  send() {},
  close() {
    this.readyState = 3;
  },
  addEventListener() {},
  removeEventListener() {},
});
const pipe = () => ({ input: new PassThrough(), output: new PassThrough() });
const cat = [process.execPath, "-e", "process.stdin.resume()"] as const;

/** Calls a function as a caller without types does, and returns what was printed. */
async function printed(call: () => unknown): Promise<string> {
  const print = vi.spyOn(console, "error").mockImplementation(() => {});
  try {
    const channel = (await call()) as { close?(): Promise<void> };
    await channel.close?.();
    // A test before this one in the same worker may still print.
    return print.mock.calls.filter(([text]) => String(text).startsWith("turnkit: The option")).join("\n");
  } finally {
    print.mockRestore();
  }
}

describe("defect N28: a misspelled option is printed with the name that it resembles", () => {
  test.each<[string, () => unknown, string]>([
    ["workdir of spawnChannel", () => spawnChannel(cat, { workdir: "/tmp" } as never), "The options are cwd, env,"],
    ["environment of spawnChannel", () => spawnChannel(cat, { environment: {} } as never), "Do you mean env?"],
    [
      "frames of spawnChannel limits",
      () => spawnChannel(cat, { limits: { frames: 1 } } as never),
      "Do you mean frame?",
    ],
    [
      "routes of createConnection",
      () => createConnection(createMemoryPair()[0], { routes: {} } as never),
      "Do you mean route?",
    ],
    ["flush of createStdioChannel", () => createStdioChannel({ ...pipe(), flush: 5 } as never), "Do you mean flushMs?"],
    [
      "unreads of createWebSocketChannel limits",
      () => createWebSocketChannel(socket(), { unreads: 5 } as never),
      "Do you mean unread?",
    ],
    [
      "frames of createByteStreamChannel limits",
      () => createByteStreamChannel(new TransformStream(), { frames: 5 } as never),
      "Do you mean frame?",
    ],
  ])("%s", async (name, call, hint) => {
    expect(await printed(call)).toMatch(
      new RegExp(`^turnkit: The option ${name} is not used: there is no such option. ${hint.replace("?", "\\?$")}`),
    );
  });
});

describe("defect N90: a name that resembles no option leads to the list of options, and nobody is told to remove it", () => {
  const server = { agent: 1, open: 1, authorize: 1, hosts: 1, origins: 1 };
  test.each<[string, object, string]>([
    ["auth", server, "Do you mean authorize?"],
    ["allowedOrigins", server, "Do you mean origins?"],
    ["accessControl", server, "The options are agent, open, authorize, hosts, origins."],
    ["sandbox", server, "The options are agent, open, authorize, hosts, origins."],
    ["maxOutput", { maxOutputBytes: 1 }, "Do you mean maxOutputBytes?"],
    ["input", { title: 1, rawInput: 1 }, "Do you mean rawInput?"],
    ["readOnly", { roots: 1, hardLinks: 1 }, "The options are roots, hardLinks."],
  ])("%s", (name, known, advice) => {
    expect(unknownOptions("it", { [name]: 1 }, { known })[0]).toBe(
      `The option ${name} of it is not used: there is no such option. ${advice}`,
    );
  });
});

describe("defect N28: a value of another type is refused at once", () => {
  test.each<[string, () => unknown, string]>([
    ["onStderr", () => spawnChannel(cat, { onStderr: "inherit" } as never), 'onStderr got "inherit": pass a function.'],
    [
      "graceMs",
      () => spawnChannel(cat, { graceMs: "2s" } as never),
      'graceMs got "2s": pass a number of milliseconds.',
    ],
    [
      "a bound",
      () => spawnChannel(cat, { limits: { frame: "1MB" } } as never),
      'limits frame got "1MB": pass a number',
    ],
    ["flushMs", () => createStdioChannel({ ...pipe(), flushMs: "5s" } as never), 'flushMs got "5s": pass a number of'],
    [
      "unread",
      () => createWebSocketChannel(socket(), { unread: "5" } as never),
      'limits unread got "5": pass a number.',
    ],
    [
      "no bounds",
      () => createWebSocketChannel(socket(), 5 as never),
      "createWebSocketChannel limits got 5: pass an object",
    ],
  ])("%s", async (_, call, message) => {
    await expect((async () => call())()).rejects.toThrow(message);
  });
});

test("defect N28: the bounds of a process are checked before it starts", async () => {
  const marker = "turnkit-never-started";
  const options = { limits: { frame: "1MB" } } as never;
  await expect(spawnChannel([marker], options)).rejects.toThrow('spawnChannel limits frame got "1MB"');
});

test("defect N28: a bound that is undefined has its default", async () => {
  const { input, output } = pipe();
  const channel = createStdioChannel({ input, output, limits: { highWater: undefined } });
  const room = channel.send({ jsonrpc: "2.0", method: "_large", params: { text: "x".repeat(300_000) } });
  expect(room).toBeInstanceOf(Promise);
  output.resume();
  await channel.close();
});
