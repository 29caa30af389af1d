import { homedir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { stateFolder } from "./config/folders.js";
import { titleOf } from "./session-options.js";

it("the agent keeps its state where the platform keeps state", () => {
  const end = join("turnkit", "agent");
  expect(stateFolder({}, "linux")).toBe(join(homedir(), ".local", "state", end));
  expect(stateFolder({ XDG_STATE_HOME: "/state", LOCALAPPDATA: "C:\\x" }, "linux")).toBe(join("/state", end));
  expect(stateFolder({ XDG_STATE_HOME: "relative" }, "linux")).toBe(join(homedir(), ".local", "state", end));
  expect(stateFolder({ LOCALAPPDATA: "local" }, "win32")).toBe(join("local", end));
});

it("a session is called after the first line of its first prompt, or after what is attached to it", () => {
  const text = (value: string) => [{ type: "text", text: value } as const];
  expect(titleOf(text("\n  Fix   the cart\nplease"))).toBe("Fix the cart");
  expect(titleOf(text("x".repeat(200)))).toHaveLength(80);
  const link = { type: "resource_link", uri: "file:///a.ts", name: "a.ts" } as const;
  expect(titleOf([link])).toBe("a.ts");
  expect(titleOf([link, ...text("Why?")])).toBe("Why?");
  expect(titleOf(text(" "))).toBeUndefined();
});
