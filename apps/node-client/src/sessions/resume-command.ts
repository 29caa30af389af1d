import type { RunInvocation } from "../invocation.js";
import { shellWord } from "../render/tool-input.js";

/**
 * Returns a command that continues a session with the same agent and options. It can be pasted into a shell. Returns a
 * hint if the id has characters that no terminal shows.
 */
export function resumeCommand(
  { agent, url, tokenFile, share, command, cwd, mcp, permissions, readOnly, noTerminals }: RunInvocation,
  sessionId: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const isDenied = permissions === "deny";
  const words = [
    ...["turnkit", "--session", sessionId],
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
  if (words.some((word) => unsafe.test(word))) return "turnkit --continue, with the same options";
  return words.map((word) => (isWindows ? windowsWord(word) : shellWord(word))).join(" ");
}

function windowsWord(word: string): string {
  return /^[\w:./\\-]+$/.test(word) ? word : `"${word}"`;
}
