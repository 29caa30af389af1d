import type { AuthMethod, ContentBlock, SessionWorkspace } from "@turnkit/session";
import { type Calls, neededCapability } from "@turnkit/session/codec";
import { CapabilityError, InvalidMessageError } from "@turnkit/transport";
import type { Driver, Peer } from "./driver.js";

/** Phrases for calls that an agent does not have. Calls without a phrase are shown by their names. */
const refusals: { readonly [K in keyof Calls]?: string } = {
  listSessions: "cannot list sessions",
  deleteSession: "cannot delete sessions",
};

/** Checks of parameters that need a capability of the agent. A restore checks its workspace in `restore.ts`. */
const checks: { readonly [K in keyof Calls]?: (peer: Peer, params: Calls[K]["params"]) => void } = {
  newSession: checkWorkspace,
  login: checkLogin,
};

/** @throws CapabilityError if the agent does not have the call, or does not accept these parameters */
export function checkCall<K extends keyof Calls>(peer: Peer, name: K, params: Calls[K]["params"]): void {
  // A call that needs no capability has no row in the table, and passes.
  const needed = neededCapability[name as keyof typeof neededCapability];
  checkOffered(peer, peer.capabilities[needed] !== false, refusals[name] ?? `offers no ${name}`);
  checks[name]?.(peer, params);
}

/**
 * @throws CapabilityError for a block of a type that the agent does not accept
 * @throws InvalidMessageError for a prompt without blocks, which version 2 does not allow
 */
// V1-PROMPT-03, V2-PRM-08
export function checkPrompt({ peer, dialect }: Driver, content: readonly ContentBlock[]): void {
  if (content.length === 0 && !dialect.emptyPrompts) {
    const issues = [{ path: ["prompt"], message: "expected at least one block" }];
    throw new InvalidMessageError("session/prompt", "params", issues);
  }
  const { image, audio, embeddedContext: resource } = peer.capabilities.prompt;
  const refused = refusedType(content, { text: true, resource_link: true, image, audio, resource });
  checkOffered(peer, refused === undefined, `takes no ${refused} blocks in prompts: send text or links in their place`);
}

/** @throws CapabilityError if the agent has no sessions, or does not accept a member of the workspace */
// V1-SESS-07, V1-SESS-16, V2-SES-06, V2-MCP-02, V2-INIT-16, P-SYS-01
export function checkWorkspace(peer: Peer, workspace: SessionWorkspace): void {
  const { additionalDirectories = [], mcpServers = [], systemPrompt } = workspace;
  const { sessions, additionalDirectories: takesMore, mcp, systemPrompt: prompts } = peer.capabilities;
  checkOffered(peer, sessions !== false, "has no sessions");
  checkOffered(peer, takesMore || additionalDirectories.length === 0, "takes no additional directories");
  const refused = refusedType(mcpServers, mcp);
  checkOffered(peer, refused === undefined, `takes no MCP servers over ${refused}`);
  if (systemPrompt == null) return;
  const { mode } = systemPrompt;
  const takesMode = prompts !== undefined && (mode === "append" || (mode === "override" && prompts.override));
  checkOffered(peer, takesMode, `takes no system prompts of the mode ${mode}`);
}

/** @throws CapabilityError if the tool call, terminal or child session does not offer a cancel */
// V2-TOOL-11, V2-TERM-11, P-SUB-09
export function checkCancel(
  peer: Peer,
  work: { readonly capabilities?: { readonly cancel?: unknown } | null } | undefined,
  what: string,
): void {
  checkOffered(peer, work?.capabilities?.cancel != null, `does not offer to cancel the ${what}`);
}

/** Returns the first type that the agent does not accept. */
function refusedType(
  things: readonly { readonly type: string }[],
  taken: { readonly [type: string]: boolean | undefined },
): string | undefined {
  return things.find(({ type }) => taken[type] !== true)?.type;
}

/** @throws CapabilityError if `isOffered` is false. The message is the agent's name, followed by `otherwise` */
export function checkOffered(peer: Peer, isOffered: false, otherwise: string): never;
export function checkOffered(peer: Peer, isOffered: boolean, otherwise: string): void;
export function checkOffered({ info }: Peer, isOffered: boolean, otherwise: string): void {
  if (!isOffered) throw new CapabilityError(`${nameOf(info)} ${otherwise}.`);
}

/** Returns the agent's name to show to people. An agent without a name is called `The agent`. */
function nameOf({ title, name }: Peer["info"]): string {
  return title ?? (name === "unknown" ? "The agent" : name);
}

/** @throws CapabilityError for a login method that the agent did not offer, or that this call cannot run */
// V1-AUTH-06, V2-AUTH-04, V2-AUTH-06
function checkLogin(peer: Peer, { methodId }: Calls["login"]["params"]): void {
  const method: AuthMethod | undefined = peer.authMethods.find((candidate) => candidate.methodId === methodId);
  checkOffered(peer, method?.type === "agent", `offers no login ${methodId} that it runs itself`);
}
