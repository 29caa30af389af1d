import { describe, expect, it } from "vitest";
import { configFolder } from "./config-folder.js";
import { readFlags } from "./flags.js";

describe("the command line", () => {
  it("serves unless it says otherwise", () => {
    expect(readFlags([])).toMatchObject({ command: "serve" });
    expect(
      readFlags(["--model", "ollama/qwen3", "--mode", "auto", "--max-requests", "7", "--effort", "low"]),
    ).toMatchObject({
      command: "serve",
      model: "ollama/qwen3",
      mode: "auto",
      maxRequests: 7,
      effort: "low",
    });
  });

  it("may name a command, also behind options: clients append it to how they start the agent", () => {
    expect(readFlags(["--model", "openai/gpt-5", "login", "openai"])).toMatchObject({
      command: "login",
      target: "openai",
    });
    expect(readFlags(["login"])).toMatchObject({ command: "login" });
    expect(readFlags(["models"])).toMatchObject({ command: "models" });
  });

  it.each([
    [["serve"], "There is no command `serve`; there are login, logout, models."],
    [["login", "openai", "sk-1"], "`login` takes no `sk-1`."],
    [["--mode", "yolo"], "--mode is one of ask, accept-edits, review, auto, not `yolo`."],
    [
      ["--base-url", "localhost:11434"],
      "--base-url is a URL such as http://127.0.0.1:11434/v1, not `localhost:11434`.",
    ],
    [["--max-requests", "many"], "--max-requests is a number from 1 on, not `many`."],
  ])("%j is refused", (args, message) => {
    expect(() => readFlags(args)).toThrow(message);
  });
});

describe("the configuration folder", () => {
  it("is where the platform has such things", () => {
    expect(configFolder({ XDG_CONFIG_HOME: "/xdg" }, "linux")).toBe("/xdg/turnkit");
    expect(configFolder({}, "darwin")).toMatch(/\/\.config\/turnkit$/);
    expect(configFolder({ APPDATA: "/roaming" }, "win32")).toBe("/roaming/turnkit");
    expect(configFolder({ APPDATA: "/roaming" }, "linux")).toMatch(/\/\.config\/turnkit$/);
  });
});
