import type { ListSessions, SessionInfo, SessionPage } from "@turnkit/session";
import { checkArgument, type InboundCall, type OptionTypes, unknownOptions } from "@turnkit/transport";
import { isAbsolute } from "./absolute-path.js";
import type { AgentHandlers } from "./agent-handlers.js";
import { checkPage } from "./check-values.js";
import { shortened } from "./cut-text.js";
import type { Persistence } from "./persistence.js";
import type { Hooks } from "./serve-options.js";
import { unlessError } from "./thrown-error.js";

type Asked = { readonly request: ListSessions; readonly call: InboundCall; readonly hooks: Hooks };

/**
 * Returns a page of the handler's list, or of the log's list. Returns `undefined` if the agent has neither. Reports members
 * of the handler's page that clients do not read or cannot use.
 *
 * @throws TypeError for a handler that returns nothing. An empty list would suggest that there are no sessions.
 * @throws TypeError for members of another type
 */
export async function pageOf<S>(
  handlers: Pick<AgentHandlers<S>, "listSessions">,
  persistence: Persistence<S> | undefined,
  { request, call, hooks }: Asked,
): Promise<SessionPage | undefined> {
  if (handlers.listSessions === undefined && persistence === undefined) return undefined;
  const page = await (handlers.listSessions ? handlers.listSessions(request, call.signal) : persistence?.list(request));
  checkPage(unlessError(page));
  // A log may keep members of its own beside those of the protocol.
  if (page === undefined || handlers.listSessions === undefined) return page;
  page.sessions.forEach(checkInfo);
  for (const message of mistakesOf(page)) hooks.report({ code: "unused_option", message });
  return page;
}

/** @throws TypeError for an optional member of another type, which a client would drop */
function checkInfo({ title, updatedAt, additionalDirectories: roots }: SessionInfo, at: number): void {
  const check = (name: string, isSound: boolean, got: unknown, remedy: string): void =>
    checkArgument(got == null || isSound, `The result of listSessions session ${at} ${name}`, { got, remedy });
  check("title", typeof title === "string", title, "return a text");
  check("updatedAt", typeof updatedAt === "string", updatedAt, "return date.toISOString()");
  const arePaths = Array.isArray(roots) && roots.every((root) => typeof root === "string");
  check("additionalDirectories", arePaths, roots, "return a list of paths");
}

const PAGE: OptionTypes<SessionPage> = { sessions: "list", nextCursor: "string", _meta: "any" };

const INFO: OptionTypes<SessionInfo> = {
  ...{ sessionId: "string", cwd: "string", additionalDirectories: "list", title: "string", updatedAt: "string" },
  _meta: "any",
};

/** Number of sessions of a page whose members are compared with the protocol. Sessions of one page have one form. */
const MAX_COMPARED = 100;

/** Maximum length of a value in a report, in characters. */
const MAX_SHOWN = 60;

/** Beginning of a time of RFC 3339. */
const TIME = /^\d{4}-\d\d-\d\dt/i;

/** Returns one sentence for each mistake that clients can still read. Each sentence occurs once. */
function mistakesOf(page: SessionPage): Iterable<string> {
  const compared = page.sessions.slice(0, MAX_COMPARED);
  const own = { known: INFO, otherwise: () => "Pass own members in _meta." };
  const wrong = (name: "cwd" | "updatedAt", isSound: (text: string) => boolean, remedy: string): readonly string[] =>
    compared
      .map((session) => session[name])
      .filter((text) => text != null && !isSound(text))
      .slice(0, 1)
      .map(
        (text) =>
          `The ${name} ${JSON.stringify(shortened(String(text), MAX_SHOWN))} of a session of listSessions is ${remedy}.`,
      );
  return new Set([
    ...unknownOptions("the result of listSessions", page, { known: PAGE }),
    ...compared.flatMap((session) => unknownOptions("a session of listSessions", session, own)),
    ...wrong("cwd", isAbsolute, "relative. Return an absolute path"),
    ...wrong("updatedAt", (text) => TIME.test(text), "not a time of RFC 3339. Return date.toISOString()"),
  ]);
}
