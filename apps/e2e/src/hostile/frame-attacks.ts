import { expect } from "vitest";
import type { Attack } from "./attack.js";
import type { Attacked } from "./attacked.js";
import { target } from "./hostile-frames.js";

const both = ["agent", "client"] as const;
const codes = (attacked: Attacked) =>
  attacked.wire.frames.flatMap(({ id, error }) => (error && id === null ? [error.code] : []));
const reported = ({ diagnostics }: Attacked) => diagnostics.map(({ code }) => code);
const echo = (id: unknown) => ({ id, method: "_example/echo", params: {} });

/** Writes lines; each of them is answered with `-32600` and `id: null`, and none of it is done. */
async function allInvalid(attacked: Attacked, lines: readonly string[]): Promise<void> {
  const before = attacked.wire.frames.length;
  attacked.wire.write(lines.map((line) => `${line}\n`).join(""));
  await attacked.wire.handled();
  const answers = attacked.wire.frames.slice(before, -1);
  expect(answers.map(({ id, error }) => [id, error?.code])).toEqual(lines.map(() => [null, -32600]));
}

/** One request with that id comes back with it, as it is. */
async function comesBack(attacked: Attacked, ids: readonly string[]): Promise<void> {
  const lines = ids.map((id) => `{"jsonrpc":"2.0","id":${id},"method":"_example/echo","params":{}}\n`);
  const before = attacked.wire.frames.length;
  attacked.wire.write(lines.join(""));
  await attacked.wire.handled();
  const answers = attacked.wire.frames.slice(before, -1);
  expect(answers.map(({ id }) => JSON.stringify(id))).toEqual(ids);
  expect(answers.every(({ result }) => result !== undefined)).toBe(true);
}

/** Checks that a request of our client fails by an answer that is not well formed, and by nothing else. */
async function failsOwnCall(attacked: Attacked, answers: readonly object[], code: string | number): Promise<void> {
  const { wire, mine } = attacked;
  for (const answer of answers) {
    const before = wire.frames.length;
    const asked = mine?.ask();
    const refused = expect(asked).rejects.toMatchObject({ code });
    const { id } = await wire.next((frame) => wire.frames.indexOf(frame) >= before && frame.method === "_example/ask");
    wire.send({ id, ...answer });
    await refused;
  }
}

/** Faults of a line, or of one message. */
export const frameAttacks: readonly Attack[] = [
  {
    it: "a line that is not JSON",
    against: both,
    attack: async (attacked) => {
      attacked.wire.write("npm warn deprecated\n{\n\u001b[31mError\n");
      await attacked.wire.handled();
      expect(reported(attacked)).toEqual(["invalid_line", "invalid_line", "invalid_line"]);
      // Who was launched answers; who launched it does not answer what libraries print.
      expect(codes(attacked)).toEqual(attacked.mine ? [] : [-32700, -32700, -32700]);
    },
  },
  {
    it: "more than 1 000 lists or objects inside of each other, or more than 200 000 values",
    against: both,
    attack: async (attacked) => {
      const count = 2_000_000;
      const params = ["[".repeat(count) + "]".repeat(count), `[${"[],".repeat(count)}0]`];
      for (const [id, value] of params.entries())
        attacked.wire.write(`{"jsonrpc":"2.0","id":${id},"params":${value}}\n`);
      await attacked.wire.handled();
      expect(reported(attacked)).toEqual(["invalid_line", "invalid_line"]);
      expect(codes(attacked)).toEqual(attacked.mine ? [] : [-32700, -32700]);
    },
  },
  {
    it: "bytes that are not UTF-8",
    against: both,
    attack: async (attacked) => {
      attacked.wire.write(Buffer.from([0xff, 0xfe, 0x80, 0x0a]));
      attacked.wire.write('{"jsonrpc":"2.0","id":"u","method":"_example/echo","params":{"text":"');
      attacked.wire.write(Buffer.from([0xe2, 0x82]));
      attacked.wire.write('"}}\n');
      const { result } = await attacked.wire.answerTo("u");
      expect(result.params.text).toMatch(/^\ufffd+$/);
      expect(reported(attacked)).toEqual(["invalid_line"]);
    },
  },
  {
    it: "CR before the line end, blank lines, spaces around a message",
    against: both,
    attack: async (attacked) => {
      attacked.wire.write(`\r\n\n  \n${JSON.stringify({ jsonrpc: "2.0", ...echo("crlf") })}\r\n`);
      attacked.wire.write(`\t ${JSON.stringify({ jsonrpc: "2.0", ...echo("blanks") })}  \n`);
      await Promise.all([attacked.wire.answerTo("crlf"), attacked.wire.answerTo("blanks")]);
      expect(reported(attacked)).toEqual([]);
    },
  },
  {
    it: "a last line without its end",
    against: both,
    ends: "remote",
    attack: async (attacked) => {
      attacked.wire.write(JSON.stringify({ jsonrpc: "2.0", ...echo("last") }));
      attacked.wire.input.end();
      expect((await attacked.wire.answerTo("last")).result).toEqual({ params: {} });
    },
  },
  {
    it: "an array",
    against: both,
    attack: (attacked) =>
      allInvalid(attacked, [
        "[]",
        "[1]",
        JSON.stringify([{ jsonrpc: "2.0", ...echo(1) }]),
        `[${"[],".repeat(5000)}[]]`,
      ]),
  },
  {
    it: "the id `null`",
    against: both,
    attack: (attacked) => comesBack(attacked, ["null"]),
  },
  {
    it: "the id 0, a negative one, an empty or a long text",
    against: both,
    attack: (attacked) => comesBack(attacked, ["0", "-1", '""', '"0"', JSON.stringify("x".repeat(10_000))]),
  },
  {
    it: "a scalar; an object that is not a message; an id that is not a string or integer",
    against: both,
    attack: (attacked) =>
      allInvalid(attacked, [
        "null",
        "true",
        "42",
        '"text"',
        "{}",
        '{"jsonrpc":"2.0"}',
        ...["1.5", "true", "[1]", "{}", "1e400"].map((id) => `{"jsonrpc":"2.0","id":${id},"method":"_example/echo"}`),
        '{"jsonrpc":"2.0","id":1,"method":7}',
      ]),
  },
  {
    it: "an id that is still open",
    against: both,
    attack: async (attacked) => {
      const wait = JSON.stringify({ jsonrpc: "2.0", id: "open", method: "_example/wait" });
      attacked.wire.write(`${wait}\n`);
      await allInvalid(attacked, [wait, wait]);
      attacked.wire.send({ method: "$/cancel_request", params: { requestId: "open" } });
      expect((await attacked.wire.answerTo("open")).error.code).toBe(-32800);
    },
  },
  {
    it: "an integer id beyond 2^53",
    against: both,
    attack: async (attacked) => {
      const lines: string[] = [];
      const { output } = attacked.wire;
      const { _write: write } = output;
      output._write = (chunk, encoding, done) => {
        lines.push(String(chunk));
        write.call(output, chunk, encoding, done);
      };
      attacked.wire.write('{"jsonrpc":"2.0","id":12345678901234567890123,"method":"_example/echo","params":{}}\n');
      await attacked.wire.handled();
      expect(lines.join("")).toContain('"id":12345678901234567890123,');
    },
  },
  {
    it: "an answer without a request, a second answer, an answer or an error without `id`",
    against: both,
    attack: async (attacked) => {
      const { wire, mine } = attacked;
      const before = wire.frames.length;
      wire.send({ id: 999, result: {} }, { id: "never", error: { code: 1, message: "" } }, { result: {} });
      wire.send({ error: { code: -32603, message: "lost" } }, { id: null, error: { code: -32700, message: "what?" } });
      await wire.handled();
      expect(wire.frames.slice(before, -1)).toEqual([]);
      expect(reported(attacked).length).toBeGreaterThanOrEqual(4);
      if (mine === undefined) return;
      const asked = mine.ask();
      const { id } = await wire.next(({ method }) => method === "_example/ask");
      wire.send({ id, result: { first: true } }, { id, result: { first: false } }, { id: String(id), result: 1 });
      expect(await asked).toEqual({ first: true });
      await wire.handled();
    },
  },
  {
    it: "an answer with both or neither of `result` and `error`, or a result of the wrong shape",
    against: ["client"],
    talks: true,
    attack: async (attacked) => {
      const { wire, mine } = attacked;
      const both = { result: {}, error: { code: 1, message: "" } };
      await failsOwnCall(attacked, [both, {}, { error: "no" }, { error: { code: "1" } }], "invalid_message");
      const turn = mine?.session.prompt("wrong");
      const { id } = await wire.next(({ method }) => method === "session/prompt");
      wire.send({ id, result: { stopReason: 7 } });
      await expect(turn?.ended).rejects.toMatchObject({ code: "invalid_message", method: "session/prompt" });
    },
  },
  {
    it: "params that break their schema",
    against: both,
    attack: async (attacked) => {
      const request = attacked.mine
        ? { method: "session/request_permission", params: { sessionId: target, options: "yes" } }
        : { method: "session/prompt", params: { sessionId: 7 } };
      const note = attacked.mine
        ? { method: "session/update", params: { sessionId: [], update: 1 } }
        : { method: "session/cancel", params: "now" };
      attacked.wire.send({ id: "bad", ...request }, note);
      expect((await attacked.wire.answerTo("bad")).error.code).toBe(-32602);
      await attacked.wire.handled();
      expect(reported(attacked).length).toBeGreaterThanOrEqual(1);
    },
  },
  {
    it: "a request without an `id`",
    against: both,
    attack: async (attacked) => {
      const before = attacked.wire.frames.length;
      attacked.wire.send({ method: "_example/echo", params: {} }, { method: "_example/none" }, { method: "$/unknown" });
      await attacked.wire.handled();
      expect(attacked.wire.frames.slice(before, -1)).toEqual([]);
    },
  },
];
