import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createFolder } from "../../test/turnkit.js";
import { showTrace } from "./show-trace.js";

const head = '{"wire":1,"at":"2026-11-21T08:00:00.000Z"}';
/** Lines of a log. Each message is JSON text, so that it can have names that an object literal cannot have. */
const received = (...messages: readonly string[]) => messages.map((json) => `{"ms":1,"received":${json}}`);
const sent = (...messages: readonly string[]) => messages.map((json) => `{"ms":1,"sent":${json}}`);

async function shown(lines: readonly string[], full = false): Promise<readonly string[]> {
  const path = join(createFolder(), "wire.jsonl");
  writeFileSync(path, [head, ...lines, ""].join("\n"));
  let drawn = "";
  const stdout = { write: (text: string) => (drawn += text) } as unknown as NodeJS.WriteStream;
  await showTrace(path, full, { stdout, env: {} });
  return drawn
    .split("\n")
    .slice(0, -1)
    .map((line) => line.slice(10));
}

const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
const update = (members: string) => `{"method":"session/update","params":{"sessionId":"s","update":${members}}}`;

describe("turnkit trace show, of a log whose messages are malformed", () => {
  it.each([
    ["a method that is a number", '{"id":1,"method":5}', "← a message whose method is not a text  id: 1, method: 5"],
    ["a method that is null", '{"method":null}', "← a message whose method is not a text  method: null"],
    [
      "a method that is an object",
      '{"method":{"toString":1}}',
      "← a message whose method is not a text  method: {toString}",
    ],
    ["params that are null", '{"method":"session/update","params":null}', "← session/update  null"],
    ["params that are a text", '{"method":"session/update","params":"a"}', '← session/update  "a"'],
    ["params that are a list", '{"method":"session/update","params":[1,[2]]}', "← session/update  0: 1, 1: [1]"],
    [
      "an id that is an object",
      '{"id":{"toString":1},"result":2}',
      '← an answer to no question (id {"toString":1})  2',
    ],
    ["an id that is a list", '{"id":[[]],"result":2}', "← an answer to no question (id [[]])  2"],
    [
      "an id of 20 digits",
      '{"id":12345678901234567890,"result":2}',
      "← an answer to no question (id 12345678901234567890)  2",
    ],
    ["no id", '{"result":2}', "← an answer to no question (no id)  2"],
    ["an error that is null", '{"id":1,"result":2,"error":null}', "← an answer to no question (id 1)  2"],
    ["an error that is a text", '{"id":1,"error":"no"}', '← an answer to no question (id 1)  error "no"'],
    [
      "a code and a message that are objects",
      '{"id":1,"error":{"code":{"toString":1},"message":[]}}',
      "← an answer to no question (id 1)  error code: {toString}, message: [0]",
    ],
    ["a member __proto__", '{"method":"_a","params":{"__proto__":{"a":1}}}', "← _a  __proto__: {a}"],
    ["a method __proto__", '{"method":"__proto__","params":{}}', "← __proto__"],
    [
      "a kind of an update that is an object",
      update('{"sessionUpdate":{"toString":1},"__proto__":1}'),
      '← session/update {"toString":1}  __proto__: 1',
    ],
    ["an update that is a list", update("[1]"), '← session/update  sessionId: "s", update: [1]'],
    ["a content that is null", update('{"sessionUpdate":"a","content":null}'), "← session/update a  content: null"],
    [
      "a child whose id is an object",
      '{"method":"session/update","params":{"sessionId":{"toString":1},"update":{"sessionUpdate":"subagent_update","sessionId":{"toString":2},"title":{}}}}',
      '← session/update subagent_update [{"toString":2}, a child of {"toString":1}]  sessionId: {toString}, title: {}',
    ],
    [
      "a message id that is an object",
      update('{"sessionUpdate":"a","messageId":{"toString":1},"content":{"text":"b"}}'),
      "← session/update a  b",
    ],
    ["an array", '[{"id":1}]', '← no message  [{"id":1}]'],
    ["a message that is null", "null", "← no message  null"],
  ])("shows %s as it is", async (_, message, line) => {
    expect(await shown(received(message))).toEqual([line]);
    expect(await shown(received(message), true)).toContain(line);
  });

  it("matches answers with questions by ids of any kind", async () => {
    const ids = ['{"toString":1}', '{"toString":2}', '"1"', "1", "12345678901234567890"];
    const lines = [
      ...sent(...ids.map((id, at) => `{"id":${id},"method":"_m${at}"}`)),
      ...received(...ids.map((id) => `{"id":${id},"result":null}`).reverse()),
    ];
    const answers = (await shown(lines)).slice(ids.length);
    expect(answers).toEqual([4, 3, 2, 1, 0].map((at) => `← _m${at} answered  after 0 ms  null`));
  });

  it.each([
    ["the params", `{"method":"_a","params":${deep}}`],
    ["the id", `{"id":${deep},"result":{}}`],
    ["an update", update(`{"sessionUpdate":${deep}}`)],
    ["the error", `{"id":1,"error":${deep}}`],
    ["the message", deep],
  ])("shows %s of 50 000 levels", async (_, message) => {
    expect(await shown(received(message))).toHaveLength(1);
    expect((await shown(received(message), true)).length).toBeGreaterThan(1);
  });

  it("calls a prompt a second attempt only if its session had the same key before", async () => {
    const prompt = (session: string, key: string) =>
      `{"id":1,"method":"session/prompt","params":{"sessionId":"${session}","idempotencyKey":${key}}}`;
    const prompts = [
      prompt("a", '"k"'),
      prompt("b", '"k"'),
      prompt("a", '"l"'),
      prompt("a", "5"),
      prompt("a", "5"),
      prompt("b", '"k"'),
    ];
    const notes = (await shown(sent(...prompts))).map((line) => /\[.*?\]/.exec(line)?.[0]);
    expect(notes).toEqual([undefined, undefined, undefined, undefined, undefined, "[again, as at 0.001]"]);
  });

  it("names the parents of children that are each other's parents, and cuts long names", async () => {
    const child = (id: string, parent: string) =>
      `{"method":"session/update","params":{"sessionId":"${parent}","update":{"sessionUpdate":"subagent_update","sessionId":"${id}"}}}`;
    const long = "x".repeat(5000);
    const lines = await shown(received(child("a", "b"), child("b", "a"), child("a", "a"), child("c", long)));
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatch(/^← session\/update subagent_update \[b(, a child of [ab]){16}\]/);
    expect(lines[3]).toContain(`[c, a child of ${"x".repeat(200)}…]`);
  });

  it.each([
    ["a time that is infinite", '{"ms":1e999,"received":{"method":"_a"}}', " Infinity ← _a"],
    [
      "an end of an unknown kind",
      '{"ms":1,"closed":{"kind":"x","message":"m","stderr":{"toString":1}}}',
      "    0.001 ■ closed  m",
    ],
  ])("shows %s", async (_, entry, line) => {
    const [found] = await shown([entry]);
    expect(found?.trim()).toBe(line.slice(10).trim());
  });
});
