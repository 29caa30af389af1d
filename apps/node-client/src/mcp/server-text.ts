import type { NamedValue } from "@turnkit/session";
import { redactSecrets } from "@turnkit/transport/trace";
import { safeJson } from "../output/safe-json.js";
import type { WrittenServer } from "./read-servers.js";

/**
 * Returns everything that a server of a project starts or sends, as its file contains it. Nothing is cut or hidden,
 * because a decision of the person depends on it. A word with a special character is in quotes, so no text looks like
 * another line.
 */
export function wholeText(server: WrittenServer): string {
  return textOf(
    server,
    (words) => words,
    ({ name, value }) => `${word(name)}=${word(value)}`,
  );
}

/** Returns a server without the secrets that its file may contain. References such as `${TOKEN}` are shown. */
export function listText(server: WrittenServer): string {
  const end = server.isDisabled ? " (disabled)" : "";
  const isReference = (value: string) => /^(?:\w{1,20} )?(?:\$\{\w{1,200}\})+$/.test(value);
  const text = textOf(
    server,
    (words) => redactSecrets(words) as readonly string[],
    ({ name, value }) => `${word(name)}=${isReference(value) ? value : "•••"}`,
  );
  return text + end;
}

function textOf(
  server: WrittenServer,
  seen: (words: readonly string[]) => readonly string[],
  pairText: (pair: NamedValue) => string,
): string {
  const name = word(server.name);
  if (server.type === "stdio") {
    const command = seen([server.command, ...(server.args ?? [])]).map(word);
    return [`${name}: $`, ...(server.env ?? []).map(pairText), ...command].join(" ");
  }
  const [url = ""] = seen([server.url]);
  const headers = (server.headers ?? []).map(pairText);
  return [`${name}: ${server.type}`, word(url), ...(headers.length > 0 ? ["with", ...headers] : [])].join(" ");
}

function word(text: string): string {
  return /^[\w@%+=:,./?&#${}~-]+$/.test(text) ? text : safeJson(text);
}
