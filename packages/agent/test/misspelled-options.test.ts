import { describe, expect, test, vi } from "vitest";
import { createMemoryLog } from "../src/index.js";
import { createLocalFiles, createLocalTerminals } from "../src/node/index.js";

function printed(call: () => unknown): string {
  const print = vi.spyOn(console, "error").mockImplementation(() => {});
  try {
    call();
    return print.mock.calls.join("\n");
  } finally {
    print.mockRestore();
  }
}

const terminal = () => ({ terminalId: "t", write: async () => {}, exit() {} });
const session = { cwd: "/", roots: ["/"], signal: new AbortController().signal, terminal } as never;

describe("defect N28: a misspelled option", () => {
  test("of createLocalFiles guards nothing, so it is refused", () => {
    const message =
      "The option hardlinks of createLocalFiles is not used: there is no such option. Do you mean hardLinks?";
    expect(() => createLocalFiles(["/tmp"], { hardlinks: "refuse" } as never)).toThrow(new TypeError(message));
  });

  test.each([
    ["createMemoryLog", () => createMemoryLog({ maxSession: 1 } as never), "Do you mean maxSessions?"],
    ["createLocalTerminals", () => createLocalTerminals(session, { signals: 1 } as never), "Do you mean signal?"],
  ])("of %s is printed with the name that it resembles", (name, call, hint) => {
    expect(printed(call)).toMatch(new RegExp(`^turnkit: The option \\w+ of ${name} is not used: .*`));
    expect(printed(call)).toContain(hint);
  });

  test.each([
    ["the folder", { dir: "/" }, "The option dir of terminals.create is not used: there is no such option."],
    ["the arguments", { arguments: ["-L"] }, "The option arguments of terminals.create is not used"],
  ])("of a command is refused, because the command would run otherwise: %s", async (_, members, message) => {
    const terminals = createLocalTerminals(session);
    await expect(terminals.create({ command: "pwd", ...members } as never)).rejects.toThrow(message);
  });
});

describe("defect N28: a value of another type is refused", () => {
  test.each([
    ["hardLinks", () => createLocalFiles(["/tmp"], { hardLinks: "refused" } as never), "pass follow or refuse."],
    [
      "an option as text",
      () => createLocalFiles(["/tmp"], "refuse" as never),
      'createLocalFiles got "refuse": pass an',
    ],
    [
      "a number of sessions",
      () => createMemoryLog({ maxSessions: "5" } as never),
      'maxSessions got "5": pass a number.',
    ],
    [
      "a time",
      () => createLocalTerminals(session, { graceMs: "2s" } as never),
      'graceMs got "2s": pass a number of mil',
    ],
    ["a signal", () => createLocalTerminals(session, { signal: {} } as never), "signal got an object of another form"],
  ])("%s", (_, call, message) => {
    expect(call).toThrow(message);
  });

  test.each([
    ["arguments as text", { command: "echo", args: "-n hello" }, 'terminals.create args got "-n hello": pass a list'],
    ["arguments that are no texts", { command: "echo", args: [1] }, "terminals.create args got a list: pass a list"],
    ["variables in a list", { command: "env", env: [{ name: "A", value: "1" }] }, 'pass an object such as { CI: "1" }'],
    ["a list as command", ["echo", "hi"], 'terminals.create got a list: pass a command such as { command: "npm"'],
  ])("in a command: %s", async (_, command, message) => {
    await expect(createLocalTerminals(session).create(command as never)).rejects.toThrow(message);
  });
});
