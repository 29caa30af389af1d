import type { Session } from "@turnkit/client";
import type { SessionEvent } from "@turnkit/session";
import { childName } from "../child-sessions.js";
import { shortened } from "../render/line.js";
import { noticeText } from "../render/remark.js";
import type { View } from "../view.js";

/** Number of the latest notices that are not shown again. */
const REMEMBERED = 1000;

/**
 * Creates a function that shows notices of the agent as notes of one line, for views whose stdout does not contain them.
 * A notice that was shown before is not repeated.
 */
export function createNoticeNotes(note: View["note"]): (event: SessionEvent, child?: Session) => void {
  const shown = new Set<string>();
  return (event, child) => {
    const text = noticeText(event);
    if (text === undefined) return;
    const line = shortened(child === undefined ? text : `${childName(child)}: ${text}`);
    if (!shown.has(line)) note(line);
    shown.delete(line);
    shown.add(line);
    const [oldest] = shown;
    if (oldest !== undefined && shown.size > REMEMBERED) shown.delete(oldest);
  };
}
