import type { ListSessions, SessionInfo, SessionPage } from "@turnkit/session";
import { RpcError } from "@turnkit/transport";
import { folderOf } from "./absolute-path.js";

/** Number of sessions on each page. */
const PAGE = 100;

type Listed = {
  /** Serial number of the session in its connection. */
  readonly number: number;
  readonly cwd: string;
  describe(): SessionInfo;
};

/**
 * Returns a page of the open sessions of a connection, the oldest first. Cursors are serial numbers, so a cursor stays
 * valid after the end of its session.
 *
 * @param newest serial number of the newest session
 * @throws RpcError `-32602` for a cursor that this connection did not return
 */
export function pageOfOpen(open: readonly Listed[], newest: number, { cwd, cursor }: ListSessions): SessionPage {
  const last = cursor == null ? 0 : /^[1-9]\d{0,14}$/.test(cursor) ? Number(cursor) : Number.POSITIVE_INFINITY;
  if (last > newest) throw RpcError.invalidParams("the cursor is unknown; begin the list again without a cursor");
  const listed = open
    .filter((session) => session.number > last && (cwd == null || folderOf(session.cwd) === folderOf(cwd)))
    .sort((one, other) => one.number - other.number);
  const page = listed.slice(0, PAGE);
  const end = page.at(-1);
  return {
    sessions: page.map((session) => session.describe()),
    ...(end !== undefined && listed.length > PAGE && { nextCursor: String(end.number) }),
  };
}
