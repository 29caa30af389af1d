import type { WireEntry } from "@turnkit/transport/trace";
import type { FrameNote } from "../link/kept-frames.js";

/** Frame of the connection as a row of the table. */
export type FrameRow = {
  readonly number: number;
  /** Time since the first frame in ms. */
  readonly ms: number;
  readonly direction: "sent" | "received" | "none";
  readonly kind: "request" | "answer" | "notification" | "other";
  /** Method of the message, or of the request that it answers. Other frames have a short description. */
  readonly method: string;
  /** Length of the frame as JSON without secrets, in characters. */
  readonly size: number;
  /** Time from a request to its answer in ms, in the rows of both. */
  readonly latency?: number;
  readonly payload: unknown;
  /** Sentences about what does not conform, or failed. */
  readonly hints: readonly string[];
};

type Added = {
  readonly entry: WireEntry;
  readonly size: number;
  readonly notes?: readonly FrameNote[];
};

/** Requests without an answer that are remembered. */
const MOST_OPEN = 10_000;

/**
 * Creates a reader of frames in their order. `add` returns the row of a frame, and for an answer also the new row of its
 * request. With `isWhole`, the first frame is that of the connection, so an answer without a request is a fault.
 */
export function createFrameReader(isWhole: boolean): { add(added: Added): readonly FrameRow[] } {
  const open = new Map<string, FrameRow>();
  let count = 0;

  const readMessage = (row: Begun, message: unknown): readonly FrameRow[] => {
    if (typeof message !== "object" || message === null || Array.isArray(message)) {
      return [{ ...row, kind: "other", method: "no message", hints: ["The frame is no JSON object.", ...row.hints] }];
    }
    const { id, method, error, jsonrpc } = message as Readonly<Record<string, unknown>>;
    const hints = jsonrpc === "2.0" ? [...row.hints] : ['The member jsonrpc is not "2.0".', ...row.hints];
    if (typeof method === "string") {
      if (!("id" in message)) return [{ ...row, kind: "notification", method, hints }];
      const key = keyOf(row.direction, id);
      if (open.has(key)) hints.unshift("An open request has the same id.");
      const request: FrameRow = { ...row, kind: "request", method, hints };
      if (open.size < MOST_OPEN) open.set(key, request);
      return [request];
    }
    const key = keyOf(row.direction === "sent" ? "received" : "sent", id);
    const request = open.get(key);
    open.delete(key);
    if (request === undefined && isWhole) hints.unshift("No open request has this id.");
    if (error !== undefined) hints.unshift(`The request failed: ${errorText(error)}`);
    const latency = request && row.ms - request.ms;
    const answer: FrameRow = { ...row, kind: "answer", method: request?.method ?? "unknown", latency, hints };
    return request === undefined ? [answer] : [{ ...request, latency }, answer];
  };

  return {
    add({ entry, size, notes = [] }) {
      const hints = notes.map(({ code, message }) => `${code}: ${message}`);
      const row: Begun = { number: count++, ms: entry.ms, direction: "none", size, payload: undefined, hints };
      const other = (method: string, payload: unknown, hint?: string): readonly FrameRow[] => [
        { ...row, kind: "other", method, payload, hints: hint === undefined ? hints : [hint, ...hints] },
      ];
      if ("sent" in entry) return readMessage({ ...row, direction: "sent", payload: entry.sent }, entry.sent);
      if ("received" in entry) {
        return readMessage({ ...row, direction: "received", payload: entry.received }, entry.received);
      }
      if ("invalidLine" in entry)
        return other("no JSON", entry.invalidLine, "The other side sent text that is not a message.");
      if ("leftOut" in entry) return other("left out", entry.leftOut, "The message could not be recorded.");
      return "full" in entry ? other("full", undefined, "Later messages are missing.") : other("closed", entry.closed);
    },
  };
}

type Begun = Omit<FrameRow, "kind" | "method">;

const keyOf = (asker: FrameRow["direction"], id: unknown): string => `${asker} ${typeof id} ${String(id)}`;

function errorText(error: unknown): string {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  return `${typeof message === "string" ? message : "no message"} (${typeof code === "number" ? code : "no code"})`;
}

/** Wishes of the person: frames must fit all of them. */
export type FrameFilter = {
  /** Text in the method or anywhere in the payload, without regard to case. */
  readonly text: string;
  readonly direction: "all" | "sent" | "received";
  /** A method, or an empty text for all. */
  readonly method: string;
  readonly onlyHints: boolean;
};

/** Returns the rows that a filter lets pass. */
export function filterRows(rows: readonly FrameRow[], filter: FrameFilter): readonly FrameRow[] {
  const text = filter.text.trim().toLowerCase();
  return rows.filter(
    (row) =>
      (filter.direction === "all" || row.direction === filter.direction) &&
      (filter.method === "" || row.method === filter.method) &&
      (!filter.onlyHints || row.hints.length > 0) &&
      (text === "" || row.method.toLowerCase().includes(text) || textOf(row).includes(text)),
  );
}

const texts = new WeakMap<object, string>();

function textOf({ payload }: FrameRow): string {
  if (typeof payload !== "object" || payload === null) return String(payload).toLowerCase();
  const known = texts.get(payload);
  if (known !== undefined) return known;
  const text = JSON.stringify(payload, (_, value) => (typeof value === "bigint" ? `${value}` : value)).toLowerCase();
  texts.set(payload, text);
  return text;
}
