import { expect, test } from "vitest";
import { windowsCommand } from "./windows-command.js";

test("other systems need nothing", () => {
  expect(windowsCommand(["npx", "a b"], {}, "linux")).toEqual({ file: "npx", args: ["a b"], verbatim: false });
});

test("a full path to a program is run as it is", () => {
  const found = windowsCommand(["/bin/agent.exe", "x"], {}, "win32", (path) => path === "/bin/agent.exe");
  expect(found).toEqual({ file: "/bin/agent.exe", args: ["x"], verbatim: false });
});

test("a batch file goes through cmd.exe, with nothing left for it to act on", () => {
  const env = { Path: "/tools", PATHEXT: ".EXE;.CMD", comspec: "C:\\cmd.exe" };
  const found = windowsCommand(["npx", 'a "b" & del *'], env, "win32", (path) => path === "/tools/npx.CMD");
  expect(found.file).toBe("C:\\cmd.exe");
  expect(found.verbatim).toBe(true);
  expect(found.args.slice(0, 3)).toEqual(["/d", "/s", "/c"]);
  expect(found.args[3]).toContain("/tools/npx.CMD");
  expect(found.args[3]?.replace(/\^\^?\^?./g, "")).not.toMatch(/[&*]/);
});
