import { describe, expect, it } from "vitest";
import { changesNothing, commandsFor, expandCommand, helpText, isCompactCommand } from "./commands.js";

const text = (value: string) => ({ type: "text", text: value }) as const;
const namesFor = (model: string) =>
  commandsFor(model).map((command) => (command.type === "command" ? command.name : ""));

describe("slash commands", () => {
  it("are those that the model understands", () => {
    expect(namesFor("reviewer")).toEqual(["review", "diff", "undo", "help"]);
    expect(namesFor("openai/any")).toEqual(["review", "plan", "compact", "init", "diff", "undo", "help"]);
  });

  it("become what they stand for, with what follows them and what is attached", () => {
    const link = { type: "resource_link", uri: "file:///a.ts", name: "a.ts" } as const;
    const [first, second] = expandCommand([link, text("/plan  add a cart\nand a test ")]);
    expect(first).toBe(link);
    expect(second).toMatchObject({ text: expect.stringMatching(/^Plan this: add a cart\nand a test\n\n/) });
    expect(expandCommand([text("/review")])).toMatchObject([{ text: expect.stringContaining("not committed") }]);
    expect(expandCommand([text("/init in German")])).toMatchObject([
      { text: expect.stringMatching(/AGENTS\.md[\s\S]*in German$/) },
    ]);
  });

  it.each(["/etc/hosts is wrong", "/unknown", "what does /plan do?", "/constructor"])(
    "are nothing else: %s",
    (prompt) => {
      expect(expandCommand([text(prompt)])).toEqual([text(prompt)]);
    },
  );

  it("only look where they are told to plan or review", () => {
    expect(["plan", "review", "init", "help", undefined].map(changesNothing)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it("tell a compaction from a word that begins like it", () => {
    expect(isCompactCommand([text("/compact the tests")])).toBe(true);
    expect(isCompactCommand([text("/compaction")])).toBe(false);
  });

  it("are all in the help", () => {
    for (const name of namesFor("x")) expect(helpText("Some Model")).toContain(`\`/${name}\``);
  });
});
