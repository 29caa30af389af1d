import type { SessionEvent, TerminalPatch } from "../../event.js";
import { isObject, metaOrNull, text, textOrNull, type Wire, withMeta, without } from "../read.js";
import { controls } from "./tool-call.js";

/** A new terminal, or what changes of one. */
export function terminalUpdate(update: Wire): SessionEvent | string {
  const { terminalId, output, exitStatus, size, capabilities } = update;
  if (typeof terminalId !== "string") return "terminalId is no string";
  const event: { -readonly [K in keyof TerminalPatch]: TerminalPatch[K] } = { type: "terminal_update", terminalId };
  const command = textOrNull(update.command);
  if (command !== undefined) event.command = command;
  const cwd = textOrNull(update.cwd);
  if (cwd !== undefined) event.cwd = cwd;
  if (output === null || isOutput(output)) event.output = output;
  if (exitStatus === null) event.exitStatus = null;
  else if (isObject(exitStatus)) event.exitStatus = exitOf(exitStatus);
  if (size === null || isSize(size)) event.size = size;
  if (capabilities !== undefined) event.capabilities = controls(capabilities);
  const _meta = metaOrNull(update._meta);
  if (_meta !== undefined) event._meta = _meta;
  return event;
}

/** Bytes that a terminal put out. */
export function terminalChunk(update: Wire): SessionEvent | string {
  const { terminalId, data } = update;
  if (typeof terminalId !== "string") return "terminalId is no string";
  if (typeof data !== "string") return "data is no string";
  return withMeta<SessionEvent>({ type: "terminal_output_chunk", terminalId, data }, update);
}

const isOutput = (value: unknown): value is { readonly data: string } =>
  isObject(value) && text(value.data) !== undefined;

/** Even an empty object says that the process ended (V2-TERM-07). */
function exitOf(wire: Wire): NonNullable<TerminalPatch["exitStatus"]> {
  const drop: string[] = [];
  if (wire.exitCode != null && !Number.isInteger(wire.exitCode)) drop.push("exitCode");
  if (wire.signal != null && typeof wire.signal !== "string") drop.push("signal");
  return without(wire, drop);
}

function isSize(value: unknown): value is { readonly cols: number; readonly rows: number } {
  return isObject(value) && [value.cols, value.rows].every(isSide);
}

const isSide = (side: unknown): boolean =>
  Number.isInteger(side) && (side as number) >= 1 && (side as number) <= 0xffff;
