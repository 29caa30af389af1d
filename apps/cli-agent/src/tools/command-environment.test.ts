import { expect, it } from "vitest";
import { commandEnvironment } from "./command-environment.js";

it("a command sees the environment without what is a secret by its name, its form or the configuration's word", () => {
  const env = {
    PATH: "/usr/bin",
    EDITOR: "vi",
    SSH_AUTH_SOCK: "/run/agent",
    MONKEY: "business",
    ANTHROPIC_API_KEY: "one",
    GITHUB_TOKEN: "two",
    LOCAL_KEY: "three",
    NOTES: "sk-proj-0123456789abcdef0123",
    MY_MODEL: "four",
  };
  expect(Object.keys(commandEnvironment(env, { secrets: ["MY_MODEL"], distrusted: [] }))).toEqual([
    "PATH",
    "EDITOR",
    "SSH_AUTH_SOCK",
    "MONKEY",
  ]);
});
