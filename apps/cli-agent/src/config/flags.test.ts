import { configurationFolder } from "@turnkit/node-client/user-folders";
import { describe, expect, it } from "vitest";
import { ConfigError } from "../errors.js";
import { readFlags } from "./flags.js";

describe("the command line", () => {
  it("serves unless it says otherwise", () => {
    expect(readFlags([])).not.toHaveProperty("command", expect.anything());
    expect(readFlags(["serve"])).toMatchObject({ command: "serve" });
    expect(
      readFlags(["--model", "ollama/qwen3", "--mode", "auto", "--max-requests", "7", "--effort", "low"]),
    ).toMatchObject({
      command: undefined,
      model: "ollama/qwen3",
      mode: "auto",
      maxRequests: 7,
      effort: "low",
    });
  });

  it("chooses the sandbox of commands, and their network", () => {
    expect(readFlags(["--sandbox", "require", "--network"])).toMatchObject({ sandbox: "require", network: true });
    expect(readFlags([])).toMatchObject({ sandbox: undefined, network: undefined });
  });

  it("may name a command, also behind options: clients append it to how they start the agent", () => {
    expect(readFlags(["--model", "openai/gpt-5", "login", "openai"])).toMatchObject({
      command: "login",
      target: "openai",
    });
    expect(readFlags(["serve", "--model", "openai/gpt-5", "login", "openai"])).toMatchObject({
      command: "login",
      target: "openai",
    });
    expect(readFlags(["login"])).toMatchObject({ command: "login" });
    expect(readFlags(["models"])).toMatchObject({ command: "models" });
  });

  it.each([
    [["fix the tests"], "fix the tests"],
    [["fix", "the", "tests"], "fix the tests"],
    [["review"], "review"],
    [["-p", "login"], "login"],
    [["--prompt=--version is wrong"], "--version is wrong"],
  ])("defect P15: %j is a task, which turnkit runs", (args, prompt) => {
    const flags = readFlags(["-m", "ollama/qwen3", "--trust", "--output=json", "--permissions", "deny", ...args]);
    expect(flags).toMatchObject({
      command: undefined,
      prompt,
      agentWords: ["--model=ollama/qwen3", "--trust"],
      clientWords: ["--output=json", "--permissions=deny"],
    });
  });

  it("takes a port with its token: of a file, none, or by itself", () => {
    const listens = [["[::1]:0"], ["localhost:8040", "--no-token"], ["127.0.0.1:1", "--token-file", "t"]].map(
      ([address = "", ...rest]) => readFlags(["serve", "--listen", address, ...rest]).listen,
    );
    expect(listens).toEqual([
      { host: "::1", port: 0, token: undefined },
      { host: "localhost", port: 8040, token: false },
      { host: "127.0.0.1", port: 1, token: "t" },
    ]);
  });

  it.each([
    [["logni"], "There is no command `logni`. Do you mean `login`? For a prompt of one word, use --prompt."],
    [["model"], "There is no command `model`. Do you mean `models`? For a prompt of one word, use --prompt."],
    [["-p", "one", "two"], "Give the prompt once: with --prompt, or as `two`."],
    [["-p", " "], "The prompt is empty. Give the task of the agent."],
    [["--output", "json"], "--output needs a prompt: see turnkit-agent --help."],
    [["login", "openai", "sk-1"], "`login` takes no `sk-1`."],
    [["--mode", "yolo"], "--mode is one of ask, accept-edits, review, auto, not `yolo`."],
    [
      ["--base-url", "localhost:11434"],
      "--base-url is a URL such as http://127.0.0.1:11434/v1, not `localhost:11434`.",
    ],
    [["--sandbox", "yes"], "--sandbox is one of require, auto, off, not `yes`."],
    [["--listen", "8040"], "--listen is a host and a port, such as 127.0.0.1:0 or [::1]:8040, not `8040`."],
    [
      ["--listen", "[::1]:65536"],
      "--listen is a host and a port, such as 127.0.0.1:0 or [::1]:8040, not `[::1]:65536`.",
    ],
    [["--listen", "::1:80"], "--listen is a host and a port, such as 127.0.0.1:0 or [::1]:8040, not `::1:80`."],
    [["--listen", "localhost:0", "fix", "it"], "--listen serves clients, so it takes no prompt and no other command."],
    [["models", "--listen", "localhost:0"], "--listen serves clients, so it takes no prompt and no other command."],
    [["--token-file", "t"], "--token-file needs --listen, as in --listen 127.0.0.1:0."],
    [["--listen=[::1]:0", "--token-file=t", "--no-token"], "Give either --token-file or --no-token, not both."],
    [["--modle", "x"], "Unknown option '--modle': see turnkit-agent --help."],
    [["--mode", "--effort"], "Option '--mode' argument is ambiguous: see turnkit-agent --help."],
    [["--sessions", "/tmp", "--no-sessions"], "Give either --sessions or --no-sessions, not both."],
    [["--max-requests", "many"], "--max-requests is a number from 1 on, not `many`."],
  ])("%j is refused", (args, message) => {
    expect(() => readFlags(args)).toThrow(new ConfigError(message));
  });

  it.each([
    [["--model=", "hi"], "--model is empty. Give it a value, or leave it out."],
    [["--effort", " "], "--effort is empty. Give it a value, or leave it out."],
    [["--config=", "models"], "--config is empty. Give it a value, or leave it out."],
  ])("defect P62: %j is refused, and chooses nothing else", (args, message) => {
    expect(() => readFlags(args)).toThrow(new ConfigError(message));
  });

  it("defect P63: version is refused, since it is no prompt", () => {
    expect(() => readFlags(["version"])).toThrow(
      "There is no command `version`. Do you mean `--version`? For a prompt of one word, use --prompt.",
    );
  });
});

describe("the configuration folder", () => {
  it("is where the platform has such things", () => {
    expect(configurationFolder({ XDG_CONFIG_HOME: "/xdg" }, "linux")).toBe("/xdg/turnkit");
    expect(configurationFolder({}, "darwin")).toMatch(/\/\.config\/turnkit$/);
    expect(configurationFolder({ APPDATA: "/roaming" }, "win32")).toBe("/roaming/turnkit");
    expect(configurationFolder({ APPDATA: "/roaming" }, "linux")).toMatch(/\/\.config\/turnkit$/);
    // XDG ignores relative paths, and `turnkit` does the same.
    expect(configurationFolder({ XDG_CONFIG_HOME: "relative" }, "linux")).toMatch(/\/\.config\/turnkit$/);
  });
});
