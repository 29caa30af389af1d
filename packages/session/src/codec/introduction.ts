import type { AgentCapabilities, ClientCapabilities, Implementation } from "../call.js";
import { compact, isMarked, mark, part, text, type Wire } from "./read.js";
import { record } from "./shape.js";

/** Name and version that are assumed for a program that did not send them. */
export const UNKNOWN: Implementation = { name: "unknown", version: "unknown" };

/** Reader of a name and a version. The result is `undefined` if one of them is missing. */
export const implementation = /* @__PURE__ */ record<Implementation>({
  required: { name: text, version: text },
  nullable: { title: text },
});

/** Reads a version. An absent version reads as 0. */
export const version = (value: unknown): number => (typeof value === "number" ? value : 0);

/** Modes of elicitation. */
export const MODES = ["form", "url"] as const;

/** Encodes the capabilities that are `true` as markers. */
export function writeMarks<K extends string>(
  capabilities: { readonly [N in K]: boolean },
  names: readonly K[],
): { readonly [N in K]?: object } {
  return compact(Object.fromEntries(names.map((name) => [name, mark(capabilities[name])])) as { [N in K]?: object });
}

/** Returns capabilities that all have the value `isOffered`. */
export function allMarks<K extends string>(names: readonly K[], isOffered: boolean): { readonly [N in K]: boolean } {
  return Object.fromEntries(names.map((name) => [name, isOffered])) as { [N in K]: boolean };
}

/** Reads capabilities from their markers. */
export function readMarks<K extends string>(wire: Wire, names: readonly K[]): { readonly [N in K]: boolean } {
  return Object.fromEntries(names.map((name) => [name, isMarked(wire[name])])) as { [N in K]: boolean };
}

/** Encodes the capabilities of a client in the form of version 1. A version 2 client sends them in addition. */
// V2-INIT-18
export function encodeClientCapabilities(capabilities: ClientCapabilities): object {
  const { files, terminals, terminalLogin, elicitation, notices, compaction, booleanOptions, subagents, plans, _meta } =
    capabilities;
  const session = compact({
    compaction: mark(compaction),
    configOptions: booleanOptions ? { boolean: {} } : undefined,
    notices: mark(notices),
  });
  const asks = writeMarks(elicitation, MODES);
  return compact({
    fs: { readTextFile: files.read, writeTextFile: files.write },
    terminal: terminals,
    auth: { terminal: terminalLogin },
    session: Object.keys(session).length > 0 ? session : undefined,
    elicitation: Object.keys(asks).length > 0 ? asks : undefined,
    // P-CAP-03
    subagents: mark(subagents),
    plan: mark(plans),
    _meta,
  });
}

/** Reads the modes of elicitation that a client supports. */
export function elicitationModes(wire: Wire): ClientCapabilities["elicitation"] {
  return readMarks(part(wire, "elicitation"), MODES);
}

/** Reads the support for system prompts from the capabilities of sessions. */
// P-SYS-01
export function readSystemPrompt(session: Wire): AgentCapabilities["systemPrompt"] {
  if (!isMarked(session.systemPrompt)) return undefined;
  return { override: isMarked(part(part(session, "systemPrompt"), "mode").override) };
}

/** Encodes the support for system prompts. */
export function writeSystemPrompt({ systemPrompt }: AgentCapabilities): object {
  if (systemPrompt === undefined) return {};
  return { systemPrompt: systemPrompt.override ? { mode: { override: {} } } : {} };
}
