import type { AgentChoice, RunInvocation } from "../invocation.js";
import { shellWord } from "../render/tool-input.js";

/**
 * Returns a command that continues a session with the same agent and options. It can be pasted into a shell. Returns a
 * hint if the id has characters that no terminal shows.
 */
export function resumeCommand(run: RunInvocation, sessionId: string, platform?: NodeJS.Platform): string {
  const command = turnkitCommand(["--session", sessionId], run, platform);
  return command ?? "turnkit --continue, with the same options";
}

/** Returns a command that shows a session of the same agent, without options that only prompts have. */
export function showCommand(choice: AgentChoice, sessionId: string): string {
  const { agent, url, tokenFile, command, cwd } = choice;
  const words = turnkitCommand(["sessions", "show", sessionId], { agent, url, tokenFile, command, cwd });
  return words ?? "turnkit sessions show, with the same options";
}

/** Returns a command that begins a new session with the same agent and options. */
export const newSessionCommand = (choice: AgentChoice): string =>
  turnkitCommand([], choice) ?? "turnkit, with the same options";

/** Returns a command that can be pasted into a shell. Returns `undefined` if a word has characters that no shell keeps. */
function turnkitCommand(
  words: readonly string[],
  choice: Partial<RunInvocation>,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const { agent, url, tokenFile, share, command, cwd, mcp = [], permissions = "ask", readOnly, noTerminals } = choice;
  const isDenied = permissions === "deny";
  const all = [
    ...["turnkit", ...words],
    ...(agent === undefined ? [] : ["--agent", agent]),
    ...(url === undefined ? [] : ["--url", url]),
    ...(tokenFile === undefined ? [] : ["--token-file", tokenFile]),
    ...(share === true ? ["--share"] : []),
    ...(cwd === undefined ? [] : ["--cwd", cwd]),
    ...mcp.flatMap((file) => ["--mcp", file]),
    ...(permissions === "ask" ? [] : ["--permissions", permissions]),
    ...(readOnly === true && !isDenied ? ["--read-only"] : []),
    ...(noTerminals === true && !isDenied ? ["--no-terminals"] : []),
    ...(command === undefined ? [] : ["--", ...command]),
  ];
  const isWindows = platform === "win32";
  // The shells of Windows replace some characters inside of quotes, in different ways.
  const unsafe = isWindows ? /[\p{C}\p{Zl}\p{Zp}%$`!"]/u : /[\p{C}\p{Zl}\p{Zp}]/u;
  if (all.some((word) => unsafe.test(word))) return undefined;
  return all.map((word) => (isWindows ? windowsWord(word) : shellWord(word))).join(" ");
}

function windowsWord(word: string): string {
  return /^[\w:./\\-]+$/.test(word) ? word : `"${word}"`;
}
