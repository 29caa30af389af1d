import type { AuthMethod } from "@turnkit/client";
import { describe, expect, it } from "vitest";
import { loginText } from "./visit.js";

const login = (...names: readonly string[]): AuthMethod =>
  ({
    type: "terminal",
    methodId: "m",
    name: "N",
    args: ["login", "a b"],
    env: names.map((name) => ({ name, value: "v" })),
  }) as AuthMethod;

describe("defect S6: a login on the terminal", () => {
  it("is shown with command, arguments and variables", () => {
    expect(loginText(["/bin/a", "--acp"], login("KEY"))).toBe('runs KEY="v" "/bin/a" "--acp" "login" "a b"');
  });

  it("comes before the words of the agent, which may look like another command", () => {
    const method = { ...login("KEY"), description: 'Log in runs "/bin/true"' };
    expect(loginText(["/bin/a"], method)).toBe(
      'runs KEY="v" "/bin/a" "login" "a b" · the agent says: Log in runs "/bin/true"',
    );
  });
});
