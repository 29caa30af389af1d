import type { SessionInfo } from "@turnkit/client";
import { ageText } from "@turnkit/web/age";
import { oneLine } from "../../sanitise.js";
import type { Picker, PickerRow } from "./ui.js";

/** Session that is open, and the moment at which ages are shown. */
export type SessionPlace = { readonly sessionId: string; readonly cwd: string; readonly now: number };

export function openSessionPicker(filter: string): Picker {
  return { title: "Conversations", rows: [], selected: 0, filter, kind: "sessions", isLoading: true };
}

/** Returns the list with the sessions that are known so far. The chosen session stays chosen. */
export function withSessions(picker: Picker, sessions: readonly SessionInfo[], place: SessionPlace): Picker {
  const chosen = picker.rows[picker.selected];
  const rows = sessionRows(sessions, place);
  const same = rows.findIndex((row) => "session" in row && row.session.sessionId === idOf(chosen));
  return { ...picker, rows, selected: picker.filter === "" ? Math.max(0, same) : picker.selected };
}

function idOf(row: PickerRow | undefined): string | undefined {
  return row !== undefined && "session" in row ? row.session.sessionId : undefined;
}

/**
 * Returns a row for each session. Sessions of the current directory are first, then the others. The newest session of
 * each group is first.
 */
function sessionRows(sessions: readonly SessionInfo[], { sessionId, cwd, now }: SessionPlace): readonly PickerRow[] {
  const rank = (info: SessionInfo) => (info.cwd === cwd ? 0 : 1);
  const sorted = sessions.toSorted((a, b) => rank(a) - rank(b) || timeOf(b) - timeOf(a));
  return sorted.map((info) => {
    const title = oneLine(info.title ?? "").trim() || "(no title)";
    return {
      name: `${ageText(info.updatedAt, now).padStart(10)}  ${title}`,
      description: info.cwd === cwd ? undefined : info.cwd,
      isCurrent: info.sessionId === sessionId,
      searched: `${title} ${info.cwd} ${info.sessionId}`,
      session: { sessionId: info.sessionId, cwd: info.cwd },
    };
  });
}

function timeOf({ updatedAt }: SessionInfo): number {
  const time = Date.parse(updatedAt ?? "");
  return Number.isNaN(time) ? 0 : time;
}
