import { join } from "node:path";
import { expect, it } from "vitest";
import { configurationFolder } from "./user-folders.js";

it.each([
  [{ XDG_CONFIG_HOME: "/x", HOME: "/home/me" }, "linux", "/x/turnkit"],
  [{ XDG_CONFIG_HOME: "relative", HOME: "/home/me" }, "linux", "/home/me/.config/turnkit"],
  [{ XDG_CONFIG_HOME: "", HOME: "/home/me" }, "darwin", "/home/me/.config/turnkit"],
  [{ APPDATA: "C:\\Roaming" }, "win32", join("C:\\Roaming", "turnkit")],
  [{ APPDATA: "C:\\Roaming", HOME: "/home/me" }, "linux", "/home/me/.config/turnkit"],
] as const)("with %j on %s it is %s", (env, platform, folder) => {
  expect(configurationFolder(env, platform)).toBe(folder);
});
