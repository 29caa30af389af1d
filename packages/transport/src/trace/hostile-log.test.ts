import { expect, test } from "vitest";
import { collect } from "../../test/channel-contract.js";
import type { Message } from "../channel.js";
import { readWireLog } from "./wire-log.js";
import { createWirePlayer, type PlayOptions } from "./wire-player.js";

const logOf = (...entries: readonly string[]) =>
  ['{"wire":1}', ...entries.map((entry) => `{"ms":0,${entry}}`), ""].join("\n");
const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const anything: PlayOptions = { fits: () => true };

/** Plays a log to a side that sends one message. Returns the end of the replay. */
async function endOf(log: string, message: unknown, options?: PlayOptions): Promise<string | undefined> {
  const player = createWirePlayer(log, options);
  collect(player);
  player.send(message as Message);
  return (await player.finished)?.message;
}

test("a message that no channel would parse, of more than 1 000 levels, is a broken line of a log", () => {
  const entry = (levels: number) => `"received":{"method":"a","params":${nested(levels)}}`;
  expect(readWireLog(logOf(entry(999)))).toHaveLength(1);
  const broken = expect.objectContaining({ code: "wire_log", message: expect.stringContaining("line 3") });
  expect(() => readWireLog(logOf(entry(999), entry(50_000)))).toThrow(broken);
});

test("a message of more than 32 MiB ends a replay with its name, and with no exception outside of it", async () => {
  const entry = `"received":{"method":"a","params":"${"x".repeat(33 * 1024 * 1024)}"}`;
  const log = logOf(`"sent":{"id":0,"method":"b"}`, entry);
  const end = await endOf(log, { jsonrpc: "2.0", id: 0, method: "b" }, anything);
  expect(end).toMatch(/^The notification a of the log cannot be replayed: \w/);
});

test.each([
  ["null", "null"],
  ["a list", "[]"],
  ["a method that is an object", '{"method":{"toString":1}}'],
  ["an id that is an object", '{"id":{"toString":1},"method":"b"}'],
  ["params of a cancel that are a text", '{"method":"$/cancel_request","params":"a"}'],
])("waits for a message that is %s, and says what it got instead", async (_, recorded) => {
  const end = await endOf(logOf(`"sent":${recorded}`), { jsonrpc: "2.0", method: "c" });
  expect(end).toMatch(/^The log has \w.* here, and the other side sent notification c/);
});

test.each([
  ["null", null],
  ["a method that is an object", { method: { toString: 1 } }],
  ["params of 50 000 levels", JSON.parse(`{"method":"b","params":${nested(50_000)}}`)],
])("ends a replay in which the other side sends %s", async (_, message) => {
  expect(await endOf(logOf(`"sent":{"method":"b","params":${nested(900)}}`), message)).toMatch(/./);
});
