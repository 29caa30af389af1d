import { realpath } from "node:fs/promises";
import { type Client, isRpcError, rpcErrorCode, type SessionInfo } from "@turnkit/client";
import { UsageError } from "../exit-code.js";
import type { SessionWish } from "../invocation.js";

/** Maximum number of sessions that are read. The pages of a faulty agent may never end. */
const MAX_SESSIONS = 10_000;
/** Maximum number of sessions in an error. */
const MAX_NAMED = 10;

/** Session of an agent. `info` is absent if the agent does not list it. */
export type FoundSession = { readonly sessionId: string; readonly info?: SessionInfo };

/**
 * Returns the sessions of the agent. The session that was used last is first. With `directory`, returns only the
 * sessions of this directory.
 *
 * @throws the errors of `listSessions`
 */
export async function listSessions(client: Client, directory?: string): Promise<readonly SessionInfo[]> {
  const listed: SessionInfo[] = [];
  for await (const info of client.listSessions(directory === undefined ? {} : { cwd: directory })) {
    listed.push(info);
    if (listed.length >= MAX_SESSIONS) break;
  }
  // Some agents ignore the directory of the request.
  const here = directory === undefined ? listed : await inDirectory(listed, directory);
  return [...here].sort((a, b) => timeOf(b) - timeOf(a));
}

/**
 * Finds the session that a user asks for: the latest one of the directory, or the one whose id begins with the given
 * text. A whole id is returned even if the agent does not list it, unless it must be listed.
 *
 * @throws UsageError if several ids begin with the text
 * @throws Error if the directory has no session, or if the session must be listed and no listed id begins with the text
 */
export async function findSession(
  client: Client,
  wish: SessionWish,
  { directory, mustBeListed = false }: { readonly directory: string; readonly mustBeListed?: boolean },
): Promise<FoundSession> {
  if (wish === "latest") {
    const [info] = await listSessions(client, directory);
    if (info === undefined) throw new Error(`The agent has no session of ${directory}, so none can be continued.`);
    return { sessionId: info.sessionId, info };
  }
  const { id } = wish;
  if (!client.peer.capabilities.list) return { sessionId: id };
  const all = await listSessions(client).catch((error: unknown) => {
    if (isRpcError(error, rpcErrorCode.authRequired)) throw error;
    return undefined; // a whole id needs no list
  });
  if (all === undefined) return { sessionId: id };
  const fitting = all.filter(({ sessionId }) => sessionId.startsWith(id));
  const info = fitting.find(({ sessionId }) => sessionId === id) ?? (fitting.length === 1 ? fitting[0] : undefined);
  if (info !== undefined) return { sessionId: info.sessionId, info };
  if (fitting.length === 0 && mustBeListed) {
    throw new Error(`The agent has no session ${id}. turnkit sessions list --all shows those that it has.`);
  }
  if (fitting.length === 0) return { sessionId: id };
  const named = fitting.slice(0, MAX_NAMED).map(({ sessionId, title }) => `  ${sessionId}${title ? `  ${title}` : ""}`);
  const more = fitting.length > MAX_NAMED ? [`  … ${fitting.length - MAX_NAMED} more`] : [];
  throw new UsageError(
    [`${fitting.length} sessions begin with ${id}. Give more of the id:`, ...named, ...more].join("\n"),
  );
}

function timeOf({ updatedAt }: SessionInfo): number {
  const time = Date.parse(updatedAt ?? "");
  return Number.isNaN(time) ? 0 : time;
}

async function inDirectory(listed: readonly SessionInfo[], directory: string): Promise<readonly SessionInfo[]> {
  const real = await realPath(directory);
  const paths = new Map<string, string>();
  for (const { cwd } of listed) if (!paths.has(cwd)) paths.set(cwd, cwd === directory ? real : await realPath(cwd));
  return listed.filter(({ cwd }) => paths.get(cwd) === real);
}

function realPath(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
