import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";
import { createStdioChannel } from "../node/stdio.js";
import { createByteStreamChannel } from "./byte-stream.js";
import { LineReader } from "./line-reader.js";

function read(text: string): { readonly messages: unknown[]; readonly invalid: string[] } {
  const [messages, invalid]: [unknown[], string[]] = [[], []];
  const arrivals = new LineReader(1_000_000);
  arrivals.push(new TextEncoder().encode(text));
  const receiver = {
    message: (message: unknown) => messages.push(message),
    invalidLine: (line: string) => invalid.push(line),
  };
  while (arrivals.deliverNext(receiver));
  return { messages, invalid };
}

test("blank lines and lines that cannot be JSON are recognised without a parser", () => {
  const parse = vi.spyOn(JSON, "parse");
  const junk = ["npm warn x", "x", "]", "}", "true story", "1 file", "- a", '"open', "null.", "nothing"];
  const { messages, invalid } = read([...junk, "", " ", "\r", "\ufeff", "\t"].map((line) => `${line}\n`).join(""));
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
  expect({ messages, invalid }).toEqual({ messages: [], invalid: junk });
});

test("every JSON value is a message, with blanks and a byte order mark before it", () => {
  const texts = ["{}", "[]", "1", "-1.5e+3", "true", "false", "null", '"a \\u2028 b"', '{"a":[1]}'];
  const lines = texts.flatMap((text) => [text, ` \t${text} \r`, `\ufeff${text}`]);
  expect(read(`${lines.join("\n")}\n`)).toEqual({
    messages: texts.flatMap((text) => Array(3).fill(JSON.parse(text))),
    invalid: [],
  });
});

const kinds = {
  stdio: (chunks: Uint8Array[]) => {
    const input = new PassThrough({ highWaterMark: 1 << 24 });
    for (const chunk of chunks) input.write(chunk);
    input.end();
    return createStdioChannel({ input, output: new PassThrough() });
  },
  "byte stream": (chunks: Uint8Array[]) =>
    createByteStreamChannel({
      readable: new ReadableStream({
        start(controller) {
          for (const chunk of chunks) controller.enqueue(chunk);
          controller.close();
        },
      }),
      writable: new WritableStream(),
    }),
};

test.each(
  (["stdio", "byte stream"] as const).flatMap((kind) =>
    [
      ["blank lines", "\n"],
      ["junk", "x\n"],
      ["messages", "{}\n"],
    ].map(([name, line]) => [kind, name, line] as const),
  ),
)("%s: the event loop has a turn at least every 4 096 lines, also while %s arrive", async (kind, name, line) => {
  const COUNT = 20_000;
  const lines = new TextEncoder().encode((line as string).repeat(COUNT));
  const channel = kinds[kind]([lines, lines, new TextEncoder().encode('{"end":1}\n')]);
  let [turns, delivered] = [0, 0];
  const count = () => {
    turns += 1;
    timer = setTimeout(count, 0);
  };
  let timer = setTimeout(count, 0);
  const last: unknown[] = [];
  channel.start({
    message: (message) => {
      delivered += 1;
      last[0] = message;
    },
    invalidLine: () => {
      delivered += 1;
    },
  });
  expect((await channel.closed).kind).toBe("remote");
  clearTimeout(timer);
  expect(turns).toBeGreaterThanOrEqual(Math.floor((2 * COUNT) / 4096));
  expect(last).toEqual([{ end: 1 }]);
  expect(delivered).toBe(name === "blank lines" ? 1 : 2 * COUNT + 1);
});
