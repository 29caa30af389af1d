import { userInfo } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { configurationFolder, replaceRelativeHome, statePath } from "./user-folders.js";

it.each([
  [{ XDG_CONFIG_HOME: "/x", HOME: "/home/me" }, "linux", "/x/turnkit"],
  [{ XDG_CONFIG_HOME: "relative", HOME: "/home/me" }, "linux", "/home/me/.config/turnkit"],
  [{ XDG_CONFIG_HOME: "", HOME: "/home/me" }, "darwin", "/home/me/.config/turnkit"],
  [{ APPDATA: "C:\\Roaming" }, "win32", join("C:\\Roaming", "turnkit")],
  [{ APPDATA: "C:\\Roaming", HOME: "/home/me" }, "linux", "/home/me/.config/turnkit"],
] as const)("with %j on %s it is %s", (env, platform, folder) => {
  expect(configurationFolder(env, platform)).toBe(folder);
});

it.each(["", "relative"])("defect P58: HOME %j leads to no folder of the project", (HOME) => {
  const { homedir } = userInfo();
  expect(configurationFolder({ HOME }, "linux")).toBe(join(homedir, ".config", "turnkit"));
  expect(statePath({ HOME }, "history.jsonl")).toBe(join(homedir, ".local", "state", "turnkit", "history.jsonl"));
  const env: NodeJS.ProcessEnv = { HOME };
  expect(replaceRelativeHome(env)).toMatch(/^HOME is .*, so \/.* is used\.$/);
  expect(env.HOME).toBe(homedir);
});

it("an absolute HOME stays, and a missing one too", () => {
  for (const env of [{ HOME: "/home/me" }, {}]) {
    const before = { ...env };
    expect(replaceRelativeHome(env)).toBeUndefined();
    expect(env).toEqual(before);
  }
});
