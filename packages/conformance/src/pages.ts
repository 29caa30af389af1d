import type { Report } from "./report/report.js";

/** Pages of the protocol by the area of a requirement. */
const pages: Readonly<Record<string, string>> = {
  "V1-RPC": "v1/overview",
  "V1-LEN": "v1/extensibility",
  "V1-STDIO": "v1/transports",
  "V1-INIT": "v1/initialization",
  "V1-AUTH": "v1/authentication",
  "V1-SESS": "v1/session-setup",
  "V1-PROMPT": "v1/prompt-turn",
  "V1-UPD": "v1/prompt-turn",
  "V1-TOOL": "v1/tool-calls",
  "V1-PERM": "v1/tool-calls",
  "V1-CANCEL": "v1/cancellation",
  "V1-FS": "v1/file-system",
  "V1-TERM": "v1/terminals",
  "V1-MODE": "v1/session-modes",
  "V1-CFG": "v1/session-config-options",
  "V1-ELIC": "v1/elicitation",
  "V1-SLASH": "v1/slash-commands",
  "V1-CONT": "v1/content",
  "V1-EXT": "v1/extensibility",
  "V1-ERR": "v1/overview",
  "V2-ENV": "v2/overview",
  "V2-TRA": "v2/transports",
  "V2-DEC": "v2/extensibility",
  "V2-INIT": "v2/initialization",
  "V2-AUTH": "v2/authentication",
  "V2-SES": "v2/session-setup",
  "V2-PRM": "v2/prompt-lifecycle",
  "V2-BG": "v2/prompt-lifecycle",
  "V2-UPD": "v2/prompt-lifecycle",
  "V2-TOOL": "v2/tool-calls",
  "V2-DIFF": "v2/tool-calls",
  "V2-TERM": "v2/tool-calls",
  "V2-PERM": "v2/tool-calls",
  "V2-CAN": "v2/cancellation",
  "V2-CFG": "v2/session-config-options",
  "V2-CMD": "v2/slash-commands",
  "V2-CON": "v2/content",
  "V2-ELI": "v2/elicitation",
  "V2-MCP": "v2/session-setup",
  "V2-EXT": "v2/extensibility",
  "V2-ERR": "v2/overview",
  "V2-SEED": "v2/prompt-lifecycle",
  "P-REPLAY": "v2/session-setup",
  "P-IDEM": "v2/prompt-lifecycle",
  "P-SUB": "v2/subagents",
  "P-SUB1": "v1/subagents",
  "P-PLAN": "v2/agent-plan",
};

/** Returns the addresses of the protocol's pages for some requirements, each once. Pages of another version are left out. */
export function pagesOf(requirements: readonly string[], protocol: Report["protocol"]): readonly string[] {
  const all = requirements.flatMap((id) => pages[id.slice(0, id.lastIndexOf("-"))] ?? []);
  const own = all.filter((name) => name.startsWith(protocol === 1 ? "v1/" : "v2/"));
  return [...new Set(own.length > 0 ? own : all)].map((name) => `https://agentclientprotocol.com/protocol/${name}`);
}
