import type { AuthMethod } from "@turnkit/client";
import { describe, expect, it } from "vitest";
import { loginText, refusedVariables } from "./visit.js";

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

  it.each([
    "PATH",
    "Path",
    "NODE_OPTIONS",
    "LD_PRELOAD",
    "DYLD_INSERT_LIBRARIES",
    "PYTHONSTARTUP",
    "HTTPS_PROXY",
    "DOCKER_HOST",
    "GIT_SSH_COMMAND",
    "BASH_ENV",
    "npm_config_registry",
    "NODE_EXTRA_CA_CERTS",
    "JAVA_TOOL_OPTIONS",
    "HOME",
  ])("is refused where it sets %s", (name) => expect(refusedVariables(login("KEY", name))).toEqual([name]));

  it("may set others", () => {
    expect(refusedVariables(login("MY_AGENT_LOGIN", "TERM", "MODEL"))).toEqual([]);
  });
});
