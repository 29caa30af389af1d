import { describe, expect, it } from "vitest";
import type { AuthMethod } from "../index.js";
import { terminalLoginFault } from "./index.js";

const login = (env: readonly (readonly [string, string])[], args: readonly string[] = ["login"]): AuthMethod => ({
  ...{ type: "terminal", methodId: "m", name: "N", args },
  env: env.map(([name, value]) => ({ name, value })),
});

describe("defect S6: a login on the terminal", () => {
  it.each([
    ...[
      "PATH",
      "Path",
      "NODE_OPTIONS",
      "LD_PRELOAD",
      "DYLD_INSERT_LIBRARIES",
      "PYTHONSTARTUP",
      "HTTPS_PROXY",
      "all_proxy",
    ],
    ...[
      "DOCKER_HOST",
      "GIT_SSH_COMMAND",
      "BASH_ENV",
      "npm_config_registry",
      "NODE_EXTRA_CA_CERTS",
      "JAVA_TOOL_OPTIONS",
    ],
    ...["HOME", "XDG_CONFIG_HOME", "MANPAGER", "PROMPT_COMMAND", "GOFLAGS", "RUSTC_WRAPPER", "OPENSSL_CONF"],
    ...[
      "AWS_CONFIG_FILE",
      "ELECTRON_RUN_AS_NODE",
      "BUN_INSTALL",
      "TMPDIR",
      "GCONV_PATH",
      "LESSOPEN",
      "DOTNET_STARTUP_HOOKS",
    ],
  ])("is refused where it sets %s, and says so", (name) => {
    expect(
      terminalLoginFault(
        login([
          ["KEY", "v"],
          [name, "v"],
        ]),
      ),
    ).toBe(`it sets ${name}, which can start other programs`);
  });

  it.each([
    ...["MAKEFILES", "CC", "CXX", "NVM_DIR", "KUBE_EDITOR", "SUDO_ASKPASS", "RSYNC_RSH", "VIMINIT", "GTK_MODULES"],
    ...["QT_PLUGIN_PATH", "ERL_LIBS", "CLOUDSDK_PYTHON", "PSModulePath", "ANTHROPIC_BASE_URL", "ANYTHING_UNKNOWN"],
    ...["AWS_PROFILE", "PYENV_VERSION", "JUST_A_NAME", "TERMINFO", "SSH_KEY"],
  ])("is refused where it sets %s, which is not known to be data", (name) => {
    expect(terminalLoginFault(login([[name, "./v"]]))).toBe(`it sets ${name}, which can start other programs`);
  });

  it.each([
    ["TERM", "../v"],
    ["LC_ALL", "/v"],
    ["LANG", "..\u002fv"],
    ["TZ", ":/v"],
    ["CC", "1"],
  ])("is refused where %s has the value %s", (name, value) => {
    expect(terminalLoginFault(login([[name, value]]))).toBe(`it sets ${name}, which can start other programs`);
  });

  it.each([
    ["TZ", "Europe/Berlin"],
    ["LANG", "de_DE.UTF-8@euro"],
    ["LOGIN_TOKEN", "a/b+c=="],
    ["ANYTHING_UNKNOWN", "1"],
    ["ANYTHING_UNKNOWN", "true"],
    ["NO_COLOR", ""],
  ])("may set %s to %s, which is data", (name, value) => {
    expect(terminalLoginFault(login([[name, value]]))).toBeUndefined();
  });

  it.each<[string, AuthMethod, RegExp]>([
    ["too many arguments", login([], Array(33).fill("a")), /^it has more than 32 arguments$/],
    [
      "too many variables",
      login(Array.from({ length: 17 }, (_, n) => [`A${n}`, "v"])),
      /^it sets more than 16 variables$/,
    ],
    ["more text than a person reads", login([["A", "v".repeat(4_096)]]), /^its command has more than 4096 characters$/],
    ["a line break in an argument", login([], ["a\nb"]), /nobody sees$/],
    ["an escape sequence in a value", login([["A", "\u001b[2K"]]), /nobody sees$/],
    ["a mark of direction", login([], ["a\u202eb"]), /nobody sees$/],
    ["an empty pattern of Braille", login([], ["a\u2800b"]), /nobody sees$/],
    ["a character without width", login([["A", "a\u200bb"]]), /nobody sees$/],
    ["half a character", login([], ["\ud800"]), /nobody sees$/],
    ["a name with an equals sign", login([["A=B", "v"]]), /^the variable "A=B" cannot be set$/],
    ["a name of a function of a shell", login([["BASH_FUNC_git%%", "v"]]), /cannot be set$/],
    ["an empty name", login([["", "v"]]), /cannot be set$/],
    [
      "a variable twice",
      login([
        ["A", "1"],
        ["a", "2"],
      ]),
      /^it sets a twice$/,
    ],
  ])("is refused with %s", (_, method, fault) => expect(terminalLoginFault(method)).toMatch(fault));

  it("may set what concerns the agent alone", () => {
    expect(
      terminalLoginFault(
        login([
          ["MY_AGENT_LOGIN", "1"],
          ["TERM", "xterm"],
          ["MODEL", "a b"],
        ]),
      ),
    ).toBeUndefined();
    expect(terminalLoginFault({ type: "agent", methodId: "m", name: "N" })).toBeUndefined();
  });
});
