import { expect, test } from "vitest";
import type { Turn } from "../src/index.js";
import { open } from "./raw-client.js";

/** All members of a turn: those of its type, and the names that throw. */
const MEMBERS = [
  ...["ask", "command", "elicit", "emit", "endMessage", "files", "plan", "prompt", "requestPermission", "say"],
  ...["session", "signal", "terminals", "think", "toolCall", "_meta", "params", "sessionId", "constructor"],
];

function namesOf(value: object): readonly string[] {
  const names = new Set<string>();
  for (let one: object = value; one !== Object.prototype; one = Object.getPrototypeOf(one) as object)
    for (const name of Object.getOwnPropertyNames(one)) names.add(name);
  return [...names];
}

test("defect N119: the handler of a prompt reaches only the members of Turn", async () => {
  let names: readonly string[] = [];
  const { client, sessionId } = await open({
    prompt(turn) {
      names = namesOf(turn);
    },
  });
  await client.ask(sessionId);
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !MEMBERS.includes(name))).toEqual([]);
});

test.each(["end", "drain", "leaveStreams", "watch"])("defect N119: %s of a turn is no function", async (name) => {
  const { client, sessionId } = await open({
    async prompt(turn) {
      (turn as Turn as unknown as Record<string, (reason: string) => void>)[name]?.("end_turn");
      await turn.say("after");
      return "max_tokens" as const;
    },
  });
  expect((await client.ask(sessionId)).result?.stopReason).toBe("max_tokens");
  expect(client.text).toBe("after");
});
