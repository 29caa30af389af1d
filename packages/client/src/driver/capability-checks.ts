import type { AuthMethod, ContentBlock, SessionPlace } from "@turnkit/session";
import { CapabilityError } from "@turnkit/transport";
import type { Peer } from "./driver.js";

/** @throws CapabilityError for a block of a type that the agent did not say it takes (V1-PROMPT-03, V2-PRM-08) */
export function checkContent(peer: Peer, content: readonly ContentBlock[]): void {
  const { image, audio, embeddedContext: resource } = peer.capabilities.prompt;
  const refused = refusedType(content, { text: true, resource_link: true, image, audio, resource });
  checkOffered(peer, refused === undefined, `takes no ${refused} blocks in prompts`);
}

/**
 * @throws CapabilityError for directories (V1-SESS-07, V2-SES-06) or MCP servers (V1-SESS-16, V2-MCP-02) that the agent
 *   does not take, and where it has no sessions (V2-INIT-16)
 */
export function checkPlace(peer: Peer, { additionalDirectories = [], mcpServers = [] }: SessionPlace): void {
  const { sessions, additionalDirectories: takesMore, mcp } = peer.capabilities;
  checkOffered(peer, sessions !== false, "has no sessions");
  checkOffered(peer, takesMore || additionalDirectories.length === 0, "takes no additional directories");
  const refused = refusedType(mcpServers, mcp);
  checkOffered(peer, refused === undefined, `takes no MCP servers over ${refused}`);
}

/** The first type among these that is not taken. */
function refusedType(
  things: readonly { readonly type: string }[],
  taken: { readonly [type: string]: boolean | undefined },
): string | undefined {
  return things.find(({ type }) => taken[type] !== true)?.type;
}

/** @throws CapabilityError that says what the agent, by the name that is there to be shown, cannot do, unless it can */
export function checkOffered(peer: Peer, isOffered: false, otherwise: string): never;
export function checkOffered(peer: Peer, isOffered: boolean, otherwise: string): void;
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

/**
 * What is asked to be cancelled alone offers it, or does not, at this moment (V2-TOOL-11, V2-TERM-11).
 *
 * @throws CapabilityError unless it does
 */
export function checkCancels(peer: Peer, isOffered: boolean, what: string): void {
  checkOffered(peer, isOffered, `does not offer to cancel the ${what}`);
}
