import type { WireEvent } from "@turnkit/session";
import { splitEvent } from "@turnkit/session/codec";
import { fitsSurely, MAX_UPDATE_BYTES } from "./update-size.js";

/** Largest part, in bytes of JSON. A multiple of four, as base64 needs. */
const PART_BYTES = 16 * 1024 * 1024;

/** Returns an event in parts that are small enough to be sent, where its values allow that. */
export function eventParts(event: WireEvent): readonly WireEvent[] {
  if (fitsSurely(event)) return [event];
  if (event.type === "terminal_update") return terminalParts(event);
  // Version 1 repeats the content of a tool call with each part of it.
  const most = event.type === "tool_call_update" ? MAX_UPDATE_BYTES : PART_BYTES;
  return splitEvent(event, most) as readonly WireEvent[];
}

type TerminalUpdate = WireEvent & { readonly type: "terminal_update" };

/** Returns the parts of a snapshot of a terminal: the start, the output, then the exit. */
function terminalParts({ output, exitStatus, ...start }: TerminalUpdate): readonly WireEvent[] {
  const { type, terminalId } = start;
  const events = [...(splitEvent(start, PART_BYTES) as readonly WireEvent[])];
  const data = output?.data ?? "";
  for (let from = 0; from < data.length; from += PART_BYTES) {
    events.push({ type: "terminal_output_chunk", terminalId, data: data.slice(from, from + PART_BYTES) });
  }
  if (exitStatus !== undefined) events.push({ type, terminalId, exitStatus });
  return events;
}
