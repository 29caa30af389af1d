import { expect, test } from "vitest";
import { collect, note } from "../../test/channel-contract.js";
import type { Channel } from "../channel.js";
import { createMemoryPair } from "../channels/memory.js";
import { REDACTED } from "./redact.js";
import { type RecordOptions, readWireLog, recordChannel } from "./wire-log.js";

function record(options: RecordOptions = {}) {
  const [one, two] = createMemoryPair();
  const lines: string[] = [];
  const recorded = recordChannel(one, (line) => lines.push(line), { now: () => 0, ...options });
  const near = collect(recorded);
  return { recorded, far: two, peer: collect(two), near, lines, log: () => readWireLog(lines.join("")) };
}

const request = (id: unknown, params: object = {}) => ({ jsonrpc: "2.0", id, method: "a", params }) as never;

test("every message is a line, in order and direction, and so is the end", async () => {
  let time = 1_000;
  const { recorded, far, peer, near, lines, log } = record({ now: () => time });
  recorded.send(note(1));
  await peer.messages.atLeast(1);
  time += 250;
  far.send(note(2));
  await near.messages.atLeast(1);
  await far.close();
  await recorded.closed;
  expect(lines[0]).toBe('{"wire":1,"at":"1970-01-01T00:00:01.000Z"}\n');
  expect(lines.every((line) => line.indexOf("\n") === line.length - 1)).toBe(true);
  expect(log()).toEqual([
    { ms: 0, sent: note(1) },
    { ms: 250, received: note(2) },
    { ms: 250, closed: { kind: "remote", message: expect.any(String) } },
  ]);
});

test("secrets are in no line of it, and in what goes on as before", async () => {
  const secret = "hunter2-correct-horse";
  const [one, two] = createMemoryPair();
  const noisy: Channel = {
    ...one,
    start: (receiver) => receiver.invalidLine(`TOKEN=${secret}`),
    send: (message) => one.send(message),
    closed: Promise.resolve({
      kind: "exit",
      message: `agent --token ${secret}`,
      stderr: `I know ${secret}`,
      exitCode: 1,
    }),
  };
  const lines: string[] = [];
  const recorded = recordChannel(noisy, (line) => lines.push(line), { secrets: [secret] });
  const peer = collect(two);
  recorded.start({ message: () => undefined, invalidLine: () => undefined });
  recorded.send(request(1, { env: { A: secret }, text: `it is ${secret}` }));
  await peer.messages.atLeast(1);
  await recorded.closed;
  await Promise.resolve();
  expect(peer.messages.items).toEqual([request(1, { env: { A: secret }, text: `it is ${secret}` })]);
  expect(lines).toHaveLength(4);
  expect(lines.join("")).not.toContain(secret);
  expect(readWireLog(lines.join(""))).toMatchObject([
    { invalidLine: `TOKEN=${REDACTED}` },
    { sent: { params: { env: { A: REDACTED } } } },
    { closed: { kind: "exit", exitCode: 1, stderr: `I know ${REDACTED}` } },
  ]);
});

test("a redaction of one's own takes the place of the usual one", () => {
  const { recorded, log } = record({ redact: () => ({ jsonrpc: "2.0", method: "hidden" }) });
  recorded.send(note(1));
  expect(log()).toMatchObject([{ sent: { method: "hidden" } }]);
});

test("ids keep their digits, and what is no message is there as it came", async () => {
  const { recorded, far, near, log } = record();
  recorded.send(request(9007199254740993n));
  for (const odd of [7, null, "text", [request(9007199254740995n)]]) far.send(odd as never);
  await near.messages.atLeast(4);
  expect(log().map((entry) => ("sent" in entry ? entry.sent : "received" in entry && entry.received))).toEqual([
    request(9007199254740993n),
    7,
    null,
    "text",
    [request(9007199254740995n)],
  ]);
});

test("at its limit the log says so, once, and the connection goes on", async () => {
  const { recorded, peer, lines, log } = record({ limit: 300 });
  for (let n = 0; n < 20; n++) recorded.send(note(n));
  await peer.messages.atLeast(20);
  expect(lines.join("").length).toBeLessThan(500);
  expect(log().filter((entry) => "full" in entry)).toHaveLength(1);
  expect(log().at(-1)).toEqual({ ms: 0, full: true });
});

test("a writer that throws, or a message that JSON cannot express, disturbs nothing", async () => {
  const [one, two] = createMemoryPair();
  let calls = 0;
  const recorded = recordChannel(one, () => {
    if (calls++ > 0) throw new Error("disk full");
  });
  const peer = collect(two);
  recorded.send(note(1));
  recorded.send(request({ cycle: 1n }));
  expect(await peer.messages.atLeast(2)).toHaveLength(2);
  await recorded.close();
  await recorded.closed;
});

test.each([
  ["an empty text", "", 1],
  ["another version", '{"wire":2}\n', 1],
  ["no JSON in the middle", '{"wire":1}\nx\n{"ms":1,"sent":{}}\n', 2],
  ["an entry of nothing", '{"wire":1}\n{"ms":1}\n', 2],
  ["an entry without a time", '{"wire":1}\n{"sent":{}}\n', 2],
  ["an end without words", '{"wire":1}\n{"ms":1,"sent":1}\n{"ms":1,"closed":{}}\n', 3],
])("%s is no log: the error names the line", (_, text, line) => {
  expect(() => readWireLog(text)).toThrow(
    expect.objectContaining({ code: "wire_log", message: expect.stringContaining(`line ${line}:`) }),
  );
});

test("members of an end that have another type than a recorder writes are left out", () => {
  const closed = '{"kind":"exit","message":"m","stderr":{"toString":1},"exitCode":"1","signal":[],"cause":{}}';
  expect(readWireLog(`{"wire":1}\n{"ms":1,"closed":${closed}}\n`)).toEqual([
    { ms: 1, closed: { kind: "exit", message: "m" } },
  ]);
  const ended = { kind: "exit", message: "m", stderr: "e", exitCode: null, signal: "SIGTERM" };
  expect(readWireLog(`{"wire":1}\n${JSON.stringify({ ms: 1, closed: ended })}\n`)).toEqual([{ ms: 1, closed: ended }]);
});

test("a last line that was cut short is left out", () => {
  const whole = '{"wire":1}\n{"ms":1,"sent":{"a":1}}\n{"ms":2,"sent":{"b":1}}\n';
  expect(readWireLog(whole)).toHaveLength(2);
  for (let cut = 1; cut < 24; cut++) expect(readWireLog(whole.slice(0, -cut))).toHaveLength(cut === 1 ? 2 : 1);
});

test("a log that another tool wrote anew is read all the same", () => {
  const text = '{ "wire": 1 }\n{ "received": { "id": 1 }, "ms": 3 }\n';
  expect(readWireLog(text)).toEqual([{ ms: 3, received: { id: 1 } }]);
});

test.each([
  ["with the line ends of Windows, as out of a checkout", (log: string) => log.replaceAll("\n", "\r\n")],
  ["with a remark that somebody put into it", (log: string) => log.replaceAll("}\n", ',"remark":"here"}\n')],
  ["with blanks at the ends of its lines", (log: string) => log.replaceAll("\n", " \n")],
])("a log %s is read all the same", (_, change) => {
  const { recorded, lines, log } = record();
  recorded.send(request(7));
  recorded.send(note(1));
  expect(readWireLog(change(lines.join("")))).toEqual(log());
});

test.each([
  ["throws on the first line", (at: number) => at === 0 && fail()],
  ["throws on every line", fail],
  ["rejects", () => Promise.reject(new Error("disk full"))],
])("defect B12: a recorder whose write %s disturbs nothing", async (_, broken) => {
  const [one, two] = createMemoryPair();
  let lines = 0;
  const recorded = recordChannel(one, () => broken(lines++) as unknown as undefined, { now: () => Number.NaN });
  const near = collect(recorded);
  const far = collect(two);
  recorded.send(note(1));
  two.send(note(2));
  await Promise.all([far.messages.atLeast(1), near.messages.atLeast(1)]);
  await two.close();
  expect(await recorded.closed).toMatchObject({ kind: "remote" });
  expect(lines).toBe(4);
});

function fail(): never {
  throw new Error("disk full");
}

test("a message that cannot be redacted leaves a line with the reason, which a reader understands", async () => {
  const [one, two] = createMemoryPair();
  const lines: string[] = [];
  const redact = (message: unknown) => {
    if ((message as { id?: unknown }).id === 1) throw new RangeError("too deep, token=hunter22-secret");
    return message;
  };
  const recorded = recordChannel(one, (line) => void lines.push(line), { redact, secrets: [] });
  recorded.start({ message: () => {}, invalidLine: () => {} });
  for (const id of [0, 1, 2]) recorded.send({ jsonrpc: "2.0", id, method: "m" });
  await two.close();
  await recorded.close();
  const entries = readWireLog(lines.join(""));
  expect(entries.slice(0, 3)).toMatchObject([
    { sent: { id: 0 } },
    { leftOut: expect.stringMatching(/^sent: .*RangeError: too deep/) },
    { sent: { id: 2 } },
  ]);
});
