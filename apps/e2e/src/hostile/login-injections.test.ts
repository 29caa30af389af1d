import { access, chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { AuthMethod } from "@turnkit/client";
import { childEnvironment, loginOnTerminal } from "@turnkit/client/node";
import { describe, expect, it, vi } from "vitest";
import { createFolder } from "../interop/folder.js";
import { turnkit } from "../interop/programs.js";
import { PseudoTerminal } from "../tui/pseudo-terminal.js";
import { dictate } from "./dictation.js";
import { type LoginMethod, refusedLogins, shownLogins } from "./login-injections.js";

vi.setConfig({ testTimeout: 90_000 });

const files = {
  "evil.cjs": 'require("node:fs").writeFileSync(__dirname + "/CANARY", "");\n',
  "evil.sh": '#!/bin/sh\ntouch "$(dirname "$0")/CANARY"\n',
};

/** Login methods as they are on the wire. */
const onWire = (methods: readonly LoginMethod[], name: string) =>
  methods.map(({ env, ...more }, n) => ({
    ...{ id: `${name}-${n}`, type: "terminal", name: `${name} ${n}`, description: "Log in", ...more },
    ...(env && { env }),
  }));

const neutral = ({ args = [], env = {}, ...more }: LoginMethod): AuthMethod =>
  ({
    ...{ ...more, type: "terminal", methodId: "m", name: "N", args },
    env: Object.entries(env).map(([name, value]) => ({ name, value })),
  }) as AuthMethod;

async function project() {
  const cwd = await createFolder(files);
  await chmod(join(cwd, "evil.sh"), 0o755);
  return {
    cwd,
    attacked: () =>
      access(join(cwd, "CANARY")).then(
        () => true,
        () => false,
      ),
  };
}

describe("defect S6: a login on the terminal", () => {
  it.each(refusedLogins)("is not run: %j", async (method) => {
    const { cwd, attacked } = await project();
    const login = loginOnTerminal([process.execPath, "-e", "", "--"], {
      ...{ method: neutral(method), cwd, stdio: ["ignore", "ignore", "ignore"], env: childEnvironment() },
    });
    await expect(login).rejects.toMatchObject({ code: "login" });
    expect(await attacked()).toBe(false);
  });

  it.each(shownLogins)("runs the agent's own program alone: %j", async (method) => {
    const { cwd, attacked } = await project();
    const script = 'require("node:fs").writeFileSync("ARGV", JSON.stringify(process.argv.slice(1)))';
    await loginOnTerminal([process.execPath, "-e", script, "--"], {
      ...{ method: neutral(method), cwd, stdio: ["ignore", "ignore", "ignore"], env: childEnvironment() },
    });
    expect(JSON.parse(await readFile(join(cwd, "ARGV"), "utf8"))).toEqual(method.args ?? []);
    expect(await attacked()).toBe(false);
  });

  it("is shown whole by turnkit, and a refused one is not offered but named", async () => {
    const authMethods = [...onWire(refusedLogins, "Refused"), ...onWire(shownLogins, "Shown")];
    const dictated = await dictate({ steps: [], authMethods }, files);
    await using terminal = await PseudoTerminal.open({
      ...{ command: [...turnkit, "-p", "Go", "--", ...dictated.agent] as [string, ...string[]], cwd: dictated.cwd },
      ...{ columns: 1_000, rows: 200 },
    });
    await terminal.until(/Your choice/);
    const shown = terminal.transcript();
    for (const [n] of refusedLogins.entries()) {
      expect(shown).toContain(`The login "Refused ${n}" is not offered: `);
      expect(shown).not.toMatch(new RegExp(`\\) "Refused ${n}"`));
    }
    for (const [n, { args = [], env = {} }] of shownLogins.entries()) {
      const line = shown.split("\n").find((one) => one.includes(`) "Shown ${n}" `)) ?? "";
      const [program = "", ...rest] = dictated.agent;
      const words = [program, ...rest, ...args].map((one) => JSON.stringify(one));
      const variables = Object.entries(env).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
      expect(line).toMatch(/^ +\d+\) "Shown \d+" +runs /);
      expect(line).toContain([...variables, ...words].join(" "));
    }
    terminal.type("0\r");
    await terminal.exited;
  });
});
