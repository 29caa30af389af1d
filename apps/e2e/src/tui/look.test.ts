import { hostname } from "node:os";
import { pathToFileURL } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { expect, it, vi } from "vitest";
import { createFolder } from "../interop/folder.js";
import { dailyAgent, openInteractive } from "./interactive.js";
import { keys, type PseudoTerminal } from "./pseudo-terminal.js";

// Each starts two programs from their sources, at least.
vi.setConfig({ testTimeout: 90_000 });

const MAGENTA = 5;
const GREEN = 2;
const BLUE = 4;

/** Returns the colours of the characters at the beginnings of texts, in the last line that contains the first of them. */
function coloursOf(
  { terminal }: PseudoTerminal,
  ...texts: readonly [string, ...string[]]
): readonly (number | undefined)[] {
  const { active } = terminal.buffer;
  for (let y = active.length - 1; y >= 0; y -= 1) {
    const line = active.getLine(y);
    const text = line?.translateToString(true) ?? "";
    if (!text.includes(texts[0])) continue;
    return texts.map((one) => {
      const cell = line?.getCell(text.indexOf(one));
      return cell?.isFgPalette() ? cell.getFgColor() : undefined;
    });
  }
  return [];
}

const code = "look\n```ts\nconst a = 'b';\n```\n";

it.each<[string, Record<string, string>, readonly (number | undefined)[]]>([
  ["has the colours of its language", {}, [MAGENTA, BLUE, GREEN]],
  ["has no colours with NO_COLOR", { NO_COLOR: "1" }, [undefined, undefined, undefined]],
])("P16: code %s", async (_, env, colours) => {
  await using client = await openInteractive({ agent: dailyAgent, cwd: await createFolder(), env });
  const { terminal } = client;
  terminal.type(`\u001b[200~${code}\u001b[201~${keys.enter}`);
  await terminal.until(/^Heard: look\n\n {2}ts\n {2}const a = 'b';$/m);
  // The end of a growing answer gets its colours when it is printed.
  const shown = () => [...coloursOf(terminal, "const a"), ...coloursOf(terminal, "  const a", "a =", "'b'").slice(1)];
  await terminal.until(() => isDeepStrictEqual(shown(), colours));
});

it.each<[string, Record<string, string>, boolean]>([
  ["are links of a terminal with links", { FORCE_HYPERLINK: "1" }, true],
  ["are text with TURNKIT_LINKS=0", { FORCE_HYPERLINK: "1", TURNKIT_LINKS: "0" }, false],
  ["are text on an unknown terminal", {}, false],
])("P16: addresses and places in an answer %s", async (_, env, hasLinks) => {
  const cwd = await createFolder({ "a.ts": "", "run.command": "" });
  await using client = await openInteractive({ agent: dailyAgent, cwd, env });
  const { terminal } = client;
  const prompt =
    "[docs](https://docs.example/a) `a.ts:3` run.command /etc/passwd [https://bank.example](https://bank.example@evil.example/)";
  terminal.type(`\u001b[200~${prompt}\u001b[201~${keys.enter}`);
  await terminal.until(
    (screen) =>
      /Heard: docs \(https:\/\/docs\.example\/a\) `a\.ts:3` run\.command/.test(screen) &&
      /evil\.example\/\)/.test(screen) &&
      !screen.includes("Working"),
  );
  const file = pathToFileURL(`${cwd}/a.ts`).href.replace("file://", `file://${hostname()}`);
  expect(new Set(terminal.links)).toEqual(new Set(hasLinks ? ["https://docs.example/a", file] : []));
});
