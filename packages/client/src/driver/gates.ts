import type { AuthMethod, ContentBlock, SessionPlace, SessionState } from "@turnkit/session";
import { CapabilityError } from "@turnkit/transport";
import type { Peer } from "./driver.js";

/** @throws CapabilityError for a block of a type that the agent did not say it takes (V1-PROMPT-03, V2-PRM-08) */
export function checkContent(peer: Peer, content: readonly ContentBlock[]): void {
  const { image, audio, embeddedContext } = peer.capabilities.prompt;
  const gates = new Map([
    ["text", true],
    ["resource_link", true],
    ["image", image],
    ["audio", audio],
    ["resource", embeddedContext],
  ]);
  const refused = content.find(({ type }) => gates.get(type) !== true);
  checkOffered(peer, refused === undefined, `takes no ${refused?.type} blocks in prompts`);
}

/**
 * @throws CapabilityError for directories (V1-SESS-07, V2-SES-06) or MCP servers (V1-SESS-16, V2-MCP-02) that the agent
 *   does not take, and where it has no sessions (V2-INIT-16)
 */
export function checkPlace(peer: Peer, place: SessionPlace): void {
  const { capabilities } = peer;
  checkOffered(peer, capabilities.sessions !== false, "has no sessions");
  const directories = place.additionalDirectories?.length ?? 0;
  checkOffered(peer, directories === 0 || capabilities.additionalDirectories, "takes no additional directories");
  const { stdio, http, sse } = capabilities.mcp;
  const gates = new Map([
    ["stdio", stdio],
    ["http", http],
    ["sse", sse],
  ]);
  const refused = place.mcpServers?.find(({ type }) => gates.get(type) !== true);
  checkOffered(peer, refused === undefined, `takes no MCP servers over ${refused?.type}`);
}

/** @throws CapabilityError that says what the agent, by the name that is there to be shown, cannot do, unless it can */
export function checkOffered({ info }: Peer, isOffered: boolean, otherwise: string): void {
  if (!isOffered) throw new CapabilityError(`${info.title ?? info.name} ${otherwise}.`);
}

/**
 * What the agent runs itself when asked to (V1-AUTH-06, V2-AUTH-04, V2-AUTH-06).
 *
 * @throws CapabilityError for a method that it did not offer, and for one of another type
 */
export function checkLogin(peer: Peer, methodId: string): void {
  const method: AuthMethod | undefined = peer.authMethods.find((candidate) => candidate.methodId === methodId);
  checkOffered(peer, method?.type === "agent", `offers no login ${methodId} that it runs itself`);
}

/** @throws CapabilityError for a tool call that does not offer to be cancelled at this moment (V2-TOOL-11) */
export function checkCancelsToolCall(peer: Peer, state: SessionState, toolCallId: string): void {
  const entry = state.timeline.get(`tool_call:${toolCallId}`);
  const isOffered = entry?.type === "tool_call" && entry.capabilities?.cancel != null;
  checkOffered(peer, isOffered, `does not offer to cancel the tool call ${toolCallId}`);
}

/** @throws CapabilityError for a terminal that does not offer to be cancelled at this moment (V2-TERM-11) */
export function checkCancelsTerminal(peer: Peer, state: SessionState, terminalId: string): void {
  const isOffered = state.terminals.get(terminalId)?.capabilities?.cancel != null;
  checkOffered(peer, isOffered, `does not offer to cancel the terminal ${terminalId}`);
}
