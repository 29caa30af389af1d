import { expect, test } from "vitest";
import { collect } from "../../test/channel-contract.js";
import type { Message } from "../channel.js";
import { createWirePlayer, type PlayOptions } from "./wire-player.js";

const logOf = (...entries: readonly string[]) =>
  ['{"wire":1}', ...entries.map((entry) => `{"ms":0,${entry}}`), ""].join("\n");
const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
const anything: PlayOptions = { fits: () => true };

/** Plays a log to a side that sends one message. Returns the end of the replay. */
async function endOf(log: string, message: unknown, options?: PlayOptions): Promise<string | undefined> {
  const player = createWirePlayer(log, options);
  collect(player);
  player.send(message as Message);
  return (await player.finished)?.message;
}

test.each([
  ["a message of 50 000 levels", `"received":{"method":"a","params":${deep}}`],
  ["a message of more than 32 MiB", `"received":{"method":"a","params":"${"x".repeat(33 * 1024 * 1024)}"}`],
])("%s ends a replay with its name, and with no exception outside of it", async (_, entry) => {
  const end = await endOf(
    logOf(`"sent":{"id":0,"method":"b"}`, entry),
    { jsonrpc: "2.0", id: 0, method: "b" },
    anything,
  );
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
  ["params of 50 000 levels", JSON.parse(`{"method":"b","params":${deep}}`)],
])("ends a replay in which the other side sends %s", async (_, message) => {
  expect(await endOf(logOf(`"sent":{"method":"b","params":${deep}}`), message)).toMatch(/./);
});
