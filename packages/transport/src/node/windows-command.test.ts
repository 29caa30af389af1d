import { describe, expect, test } from "vitest";
import { windowsCommand } from "./windows-command.js";

/** Finds a command on a Windows that has these files. */
const find = (
  command: readonly [string, ...string[]],
  files: readonly string[],
  env: Readonly<Record<string, string>> = {},
) =>
  windowsCommand(command, "PATH" in env ? env : { Path: "/one:/two", ...env }, "win32", (path) => files.includes(path));

test("other systems need nothing", () => {
  expect(windowsCommand(["npx", "a b"], {}, "linux")).toEqual({ file: "npx", args: ["a b"], verbatim: false });
});

describe("a program of Windows", () => {
  test.each([
    ["by its full path", "/bin/agent.exe", ["/bin/agent.exe"], {}, "/bin/agent.exe"],
    ["by its full path without an ending", "/bin/agent", ["/bin/agent.EXE"], {}, "/bin/agent.EXE"],
    ["by a relative path, which no PATH is asked for", "./agent", ["agent.EXE", "/one/agent.EXE"], {}, "agent.EXE"],
    ["in the first folder that has it", "agent", ["/two/agent.EXE", "/one/agent.EXE"], {}, "/one/agent.EXE"],
    [
      "in the order of PATHEXT",
      "agent",
      ["/one/agent.EXE", "/one/agent.COM"],
      { PATHEXT: ".EXE;.COM" },
      "/one/agent.EXE",
    ],
    ["without PATHEXT in the usual order", "agent", ["/one/agent.EXE", "/one/agent.COM"], {}, "/one/agent.COM"],
    ["by its ending as it stands first", "agent.js", ["/one/agent.js", "/one/agent.js.EXE"], {}, "/one/agent.js"],
    ["whose name has a dot", "agent.v2", ["/one/agent.v2.EXE"], {}, "/one/agent.v2.EXE"],
    ["with a PATH in other letters", "agent", ["/three/agent.EXE"], { PATH: "/three" }, "/three/agent.EXE"],
    ["with an end of PATHEXT that is none", "npx", ["/one/npx", "/one/npx.EXE"], { PATHEXT: ";.EXE;" }, "/one/npx.EXE"],
    ["in a folder in quotes", "agent", ["/a b/agent.EXE"], { PATH: '/one:"/a b"' }, "/a b/agent.EXE"],
    ["that is nowhere, as it was named", "agent", [], {}, "agent"],
    ["before a batch file of a later folder", "agent", ["/two/agent.CMD", "/one/agent.EXE"], {}, "/one/agent.EXE"],
  ])("is found %s, and run without a shell", (_, name, files, env, file) => {
    expect(find([name, "--acp", "a & b"], files, env)).toEqual({ file, args: ["--acp", "a & b"], verbatim: false });
  });
});

describe("a batch file, as npx is one", () => {
  test("is found by PATHEXT and goes through cmd.exe, by ComSpec if there is one", () => {
    const found = find(["npx", "agent"], ["/two/npx.CMD"], { comspec: "C:\\cmd.exe" });
    expect(found).toMatchObject({ file: "C:\\cmd.exe", verbatim: true });
    expect(found.args.slice(0, 3)).toEqual(["/d", "/s", "/c"]);
    expect(found.args[3]).toMatch(/^"\/two\/npx\.CMD .*"$/);
    expect(find(["npx"], ["/one/npx.CMD"]).file).toBe("cmd.exe");
  });

  test.each(["npx.cmd", "npx.CMD", "tool.bat"])("is one by its ending, also where that is named: %s", (name) => {
    expect(find([name], [`/one/${name}`]).file).toBe("cmd.exe");
  });

  /** Arguments of the batch file: cmd.exe removes one layer of carets at the call, and one at the line in the file. */
  const asSeen = (line: string): string => {
    const bare = (text: string) => text.replace(/\^(.)/gs, "$1");
    return bare(bare(line));
  };

  test.each([
    ["blanks", "a b  c"],
    ["quotes", 'say "hi"'],
    ["a backslash at the end", "C:\\work\\"],
    ["backslashes before a quote", 'a\\\\"b'],
    ["everything that cmd.exe acts on", "& | < > ( ) @ ^ ! %PATH% ; , ="],
    ["a way out of quotes", '" & calc.exe & "'],
    ["a variable", "%USERPROFILE%"],
    ["a late variable", "!USERPROFILE!"],
    ["nothing", ""],
  ])("gets its arguments as they are, with nothing for cmd.exe to act on: %s", (_, argument) => {
    const [, , , line = ""] = find(["npx", argument], ["/one/npx.CMD"]).args;
    const received = line.slice('"/one/npx.CMD '.length, -1);
    // Whatever cmd.exe would act on stands behind a caret, in both of its readings.
    expect(received.replace(/\^\^\^./gs, "")).not.toMatch(/[&|<>()^!%;,"]/);
    // And the program's own parser reads back what was said.
    const quoted = asSeen(received);
    expect(quoted.startsWith('"') && quoted.endsWith('"')).toBe(true);
    expect(quoted.slice(1, -1).replace(/(\\*)\\"/g, (_, slashes) => `${slashes.slice(slashes.length / 2)}"`)).toBe(
      argument.replace(/\\+$/, "$&$&"),
    );
  });

  test("with a line break in its arguments is refused: cmd.exe would end the line there", () => {
    for (const argument of ["a\nb", "a\r\nb", "a\0b"]) {
      expect(() => find(["npx", argument], ["/one/npx.CMD"])).toThrow(/npx.*line break/);
    }
  });
});
