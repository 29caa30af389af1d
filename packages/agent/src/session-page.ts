import type { ListSessions, SessionPage } from "@turnkit/session";
import type { AgentHandlers } from "./agent-handlers.js";
import { checkPage } from "./check-values.js";
import type { Persistence } from "./persistence.js";

import { unlessError } from "./thrown-error.js";

/**
 * Returns a page of the handler's list, or of the log's list. Returns `undefined` if the agent has neither.
 *
 * @throws TypeError for a handler that returns nothing. An empty list would suggest that there are no sessions.
 */
export async function pageOf<S>(
  handlers: Pick<AgentHandlers<S>, "listSessions">,
  persistence: Persistence<S> | undefined,
  { request, signal }: { readonly request: ListSessions; readonly signal: AbortSignal },
): Promise<SessionPage | undefined> {
  if (handlers.listSessions === undefined && persistence === undefined) return undefined;
  const page = await (handlers.listSessions ? handlers.listSessions(request, signal) : persistence?.list(request));
  checkPage(unlessError(page));
  return page;
}
