import type { ContentBlock, SessionPlace } from "@turnkit/session";
import { CapabilityError } from "@turnkit/transport";
import type { Peer } from "./driver.js";

/** @throws CapabilityError for a block of a type that the agent did not say it takes (V1-PROMPT-03) */
export function checkContent({ info, capabilities }: Peer, content: readonly ContentBlock[]): void {
  const { image, audio, embeddedContext } = capabilities.prompt;
  const gates = new Map([
    ["text", true],
    ["resource_link", true],
    ["image", image],
    ["audio", audio],
    ["resource", embeddedContext],
  ]);
  const refused = content.find(({ type }) => gates.get(type) !== true);
  if (refused !== undefined) throw new CapabilityError(`${info.name} takes no ${refused.type} blocks in prompts.`);
}

/** @throws CapabilityError for directories (V1-SESS-07) or MCP servers (V1-SESS-16) that the agent does not take */
export function checkPlace({ info, capabilities }: Peer, place: SessionPlace): void {
  if ((place.additionalDirectories?.length ?? 0) > 0 && !capabilities.additionalDirectories) {
    throw new CapabilityError(`${info.name} takes no additional directories.`);
  }
  const { stdio, http, sse } = capabilities.mcp;
  const gates = new Map([
    ["stdio", stdio],
    ["http", http],
    ["sse", sse],
  ]);
  const refused = place.mcpServers?.find(({ type }) => gates.get(type) !== true);
  if (refused !== undefined) throw new CapabilityError(`${info.name} takes no MCP servers over ${refused.type}.`);
}
