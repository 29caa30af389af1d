import type { WireEvent } from "@turnkit/session";
import { checkArgument } from "@turnkit/transport";
import { shortened } from "./cut-text.js";
import { MAX_TITLE_LENGTH } from "./session.js";

/**
 * Returns the update that sets a title. A long title is cut.
 *
 * @throws TypeError for a title that is neither a text nor `null`
 */
export function titleUpdate(title: string | null): WireEvent {
  const isSound = title === null || typeof title === "string";
  checkArgument(isSound, "setTitle", { got: title, remedy: "pass a text, or null to remove the title" });
  const isLong = title !== null && title.length > MAX_TITLE_LENGTH;
  return { type: "session_info_update", title: isLong ? shortened(title, MAX_TITLE_LENGTH - 1) : title };
}
