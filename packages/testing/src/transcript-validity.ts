import { type Contract, type ContractRow, checkIncoming, type StandardSchemaV1 } from "@turnkit/transport";
import type { Frame } from "./frame.js";
import type { Side, TranscriptEntry } from "./transcript-entry.js";

/** Returns a description of the rule of the contract that an entry breaks, or `undefined` if the entry is valid. */
export function faultOf({ by, kind, method, frame }: TranscriptEntry, contract: Contract): string | undefined {
  if (kind === "invalid line" || kind === "broken") return "no JSON-RPC message";
  if ((frame as Frame).jsonrpc !== "2.0") return 'jsonrpc is not "2.0"';
  // Answers to unknown requests, extension methods and errors are not checked.
  if (method === undefined || method.startsWith("_") || kind === "error") return undefined;
  const row = Object.hasOwn(contract, method) ? contract[method] : undefined;
  if (row === undefined) return `no method ${method} in the contract`;
  return kind === "result" ? faultOfResult(row, frame as Frame) : faultOfCall(row, by, kind, frame as Frame);
}

function faultOfCall(row: ContractRow, by: Side, kind: "request" | "notification", frame: Frame): string | undefined {
  const other = row.notification;
  const mayTell = row.result === undefined ? row : other;
  const called = kind === "notification" ? mayTell : row.result === undefined ? undefined : row;
  if (called === undefined) return `no ${kind} in the contract`;
  if (called.from !== "both" && called.from !== by) return `the contract has the ${called.from} say it`;
  return issueOf(called.params, frame.params, "params");
}

function faultOfResult(row: ContractRow, { result }: Frame): string | undefined {
  return row.result === undefined ? "an answer to a notification" : issueOf(row.result, result, "result");
}

function issueOf(schema: StandardSchemaV1 | undefined, value: unknown, what: string): string | undefined {
  if (schema === undefined) return undefined;
  const checked = checkIncoming(schema, value);
  if ("value" in checked) return undefined;
  const [issue] = checked.issues;
  return `${[what, ...(issue?.path ?? [])].map(String).join(".")}: ${issue?.message ?? "not valid"}`;
}
