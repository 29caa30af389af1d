import type { Diagnostic } from "@turnkit/transport";
import { expect, test } from "vitest";
import { agentReports } from "./agent-reports.js";

function reader() {
  const received: string[] = [];
  return { received, read: agentReports(({ message }: Diagnostic) => received.push(message)) };
}

test("only lines of turnkit are reported, also when they arrive in pieces", () => {
  const { received, read } = reader();
  for (const piece of ["start\ntur", "nkit: first\r\nturnkit second\n  turnkit: indented\nturnkit: th", "ird\n"])
    read(piece);
  expect(received.filter((message) => message.includes("says"))).toEqual([
    "The agent says on stderr: first",
    "The agent says on stderr: third",
  ]);
});

test("defect S42: of other lines, only the first one is reported, without its text", () => {
  const { received, read } = reader();
  for (const piece of ["\n", "a sec", "ret\n", "another\n", "turnkit: first\n"]) read(piece);
  expect(received).toEqual([
    expect.stringMatching(/prints on stderr\. Pass onStderr/),
    "The agent says on stderr: first",
  ]);
  expect(received.join()).not.toContain("secret");
});

test("an agent that floods stderr is reported at most 20 times, with 500 characters of a line and without secrets", () => {
  const { received, read } = reader();
  read(`turnkit: the key sk-ant-api03-${"a1".repeat(40)} is wrong\n`);
  read(`turnkit: ${"x".repeat(10_000)}\n`);
  read("turnkit: again\n".repeat(1_000));
  read("y".repeat(1_000_000));
  expect(received).toHaveLength(20);
  expect(received[0]).not.toContain("a1a1");
  expect(received[1]?.length).toBeLessThan(600);
});
