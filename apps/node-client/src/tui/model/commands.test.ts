import { type AvailableCommand, createSessionState, reduce, type SessionEvent } from "@turnkit/session";
import { describe, expect, it } from "vitest";
import { sit } from "../../../test/keyboard.js";
import { commandsOf, readTyped } from "./commands.js";

const available: readonly AvailableCommand[] = [
  { type: "command", name: "review", description: "Review a file", input: { type: "text", hint: "file" } },
  { type: "command", name: "mode", description: "The agent's own" },
  { type: "command", name: "clear", description: "The agent's own" },
  { type: "command", name: "mcp:fetch", description: "A prompt of a server" },
];
const commands: SessionEvent = { type: "available_commands_update", availableCommands: available };
const state = reduce(createSessionState(), commands);

describe("a typed line", () => {
  it("defect P6: with a slash and an unknown name is refused, with the nearest name", () => {
    expect(readTyped("/reveiw a.ts", state)).toEqual({
      type: "refused",
      notice: "There is no command /reveiw. Do you mean /review? //reveiw sends it to the agent.",
    });
    const person = sit([commands]).press("'/nwe", "enter");
    expect(person.effects).toEqual([]);
    expect(person.ui).toMatchObject({ input: { text: "/nwe" }, notice: expect.stringContaining("Do you mean /new?") });
    expect(sit().press("'/xyzzy a", "enter").ui.notice).toContain("/help lists the commands");
  });

  it("goes to the agent if the agent offers the command, or if it is none", () => {
    for (const text of ["/review a.ts", "/mode x", "/mcp:fetch https://a.example", "/etc/hosts is wrong", " /x"]) {
      expect(readTyped(text, state)).toEqual({ type: "prompt", text });
    }
    expect(readTyped("//xyzzy a", state)).toEqual({ type: "prompt", text: "/xyzzy a" });
    expect(readTyped("//clear", state)).toEqual({ type: "prompt", text: "/clear" });
  });

  it("is a command of this program, which keeps its names for conversations", () => {
    expect(readTyped("/clear", state)).toEqual({ type: "own", name: "clear", rest: "" });
    expect(readTyped("/resume the bug", state)).toEqual({ type: "own", name: "resume", rest: "the bug" });
    expect(readTyped("/new fix it", state)).toEqual({ type: "refused", notice: "/new takes no text after it." });
    const names = commandsOf(state).map(({ name }) => name);
    expect(names).toHaveLength(new Set(names).size);
  });

  it.each(["mode", "model", "settings"])(
    "/%s opens the list of this program if the session has one, and // reaches the agent's command",
    (name) => {
      const own: SessionEvent = {
        type: "available_commands_update",
        availableCommands: [{ type: "command", name, description: "The agent's own" }],
      };
      const without = reduce(state, own);
      expect(readTyped(`/${name}`, without)).toEqual({ type: "prompt", text: `/${name}` });
      const options: SessionEvent = {
        type: "config_option_update",
        configOptions: [
          {
            type: "select",
            configId: "m",
            name: "Model",
            category: name === "mode" ? "mode" : "model",
            currentValue: "a",
            options: [
              { value: "a", name: "A" },
              { value: "b", name: "B" },
            ],
          },
        ],
      };
      const having = reduce(without, options);
      expect(readTyped(`/${name}`, having)).toEqual({ type: "own", name, rest: "" });
      expect(readTyped(`//${name} a`, having)).toEqual({ type: "prompt", text: `/${name} a` });
      expect(commandsOf(having).filter((command) => command.name === name)).toHaveLength(1);
      expect(sit([own, options]).press(`'/${name}`, "enter").ui.picker?.rows).not.toEqual([]);
    },
  );

  it("defect P6: with an exclamation mark is for the shell", () => {
    expect(readTyped("! ls -a", state)).toEqual({ type: "shell", command: "ls -a" });
    expect(readTyped("!", state).type).toBe("refused");
  });

  it("is read without delay, also if the agent offers any number of commands", () => {
    const many = Array.from({ length: 50_000 }, (_, n) => ({
      ...{ type: "command" as const, name: `command-${n}`.padEnd(60, "x"), description: "" },
    }));
    const offer: SessionEvent = { type: "available_commands_update", availableCommands: many };
    const start = process.cpuUsage().user / 1000;
    expect(readTyped(`/${"command".padEnd(60, "y")}`, reduce(state, offer)).type).toBe("refused");
    expect(process.cpuUsage().user / 1000 - start).toBeLessThan(5000);
  });
});
