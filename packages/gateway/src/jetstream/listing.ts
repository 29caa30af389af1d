import { SessionLogError } from "@turnkit/agent";
import type { ListSessions, SessionInfo, SessionPage } from "@turnkit/session";
import { isSameFolder } from "../same-folder.js";
import { manifestOf } from "./manifest.js";
import type { StoredValue } from "./store.js";

type Listed = { readonly revision: number; readonly info: SessionInfo };

/**
 * Returns a page of sessions. The session that changed last is first. A cursor is the revision of the last session of a
 * page. Only the sessions of one page are in memory.
 *
 * @throws SessionLogError `cursor`
 */
export async function pageOf(
  manifests: AsyncIterable<StoredValue>,
  { cwd, cursor }: ListSessions,
  pageSize: number,
): Promise<SessionPage> {
  const before = cursor == null ? Number.POSITIVE_INFINITY : readCursor(cursor);
  const newest: Listed[] = [];
  for await (const manifest of manifests) {
    const info = manifest.revision < before ? manifestOf(manifest)?.info : undefined;
    if (info === undefined || (cwd != null && !isSameFolder(info.cwd, cwd))) continue;
    insert(newest, { revision: manifest.revision, info });
    if (newest.length > pageSize + 1) newest.pop();
  }
  const page = newest.slice(0, pageSize);
  const last = page.at(-1);
  return {
    sessions: page.map(({ info }) => info),
    ...(last !== undefined && newest.length > pageSize && { nextCursor: String(last.revision) }),
  };
}

/** Inserts a session into a list whose largest revision is first. */
function insert(list: Listed[], listed: Listed): void {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle] as Listed).revision > listed.revision) low = middle + 1;
    else high = middle;
  }
  list.splice(low, 0, listed);
}

function readCursor(cursor: string): number {
  if (/^[1-9]\d{0,14}$/.test(cursor)) return Number(cursor);
  throw new SessionLogError("cursor", "The cursor is unknown. Begin the list again without a cursor.");
}
