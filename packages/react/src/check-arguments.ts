/** @throws TypeError for a value that is not a session, such as that of `useSession` while the session is opened */
export function checkSession(hook: string, got: unknown): void {
  const { state, subscribe } = (got ?? {}) as { readonly state?: unknown; readonly subscribe?: unknown };
  if (state !== undefined && typeof subscribe === "function") return;
  throw new TypeError(`${hook} got ${nameOf(got)}: ${adviceFor(got)}.`);
}

/** @throws TypeError for a value that is not a function */
export function checkSelect(got: unknown): void {
  if (typeof got === "function") return;
  throw new TypeError("useSelector got no selector: pass a function, such as (state) => state.title.");
}

/** @throws TypeError for a value that is not a client */
export function checkClient(hook: string, got: unknown, method: "closed" | "newSession"): void {
  if ((got as Readonly<Record<string, unknown>> | undefined)?.[method] !== undefined) return;
  throw new TypeError(`${hook} got ${nameOf(got)}: pass a client, such as await connect(channel, options).`);
}

/**
 * @throws TypeError for a target without a folder, and for the id of a session under another name, because the hook would open
 *   a new session
 */
export function checkTarget(got: unknown): void {
  if (typeof (got as { readonly cwd?: unknown } | undefined)?.cwd !== "string") {
    throw new TypeError('useSession got no target: pass an object such as { cwd: "/srv/project" }.');
  }
  const wrong = Object.keys(got as object).find(
    (name) => name !== "sessionId" && /^(?:session_?)?id$|^session$/i.test(name),
  );
  if (wrong === undefined) return;
  throw new TypeError(`useSession got ${wrong}: the member for the id of a session is sessionId.`);
}

function adviceFor(got: unknown): string {
  if (got == null) {
    return "useSession has no session while it opens one. Draw the component with this hook when there is a session";
  }
  if (isClient(got)) return "pass one of its sessions, such as that of useSession(client, { cwd })";
  return "pass a session, or an object with state and subscribe";
}

function nameOf(got: unknown): string {
  if (got == null) return String(got);
  if (isClient(got)) return "a client";
  if (typeof got !== "object") return `a ${typeof got}`;
  if ("timeline" in got) return "a state";
  return "subscribe" in got && "state" in got ? "a session" : "an object of another form";
}

const isClient = (got: unknown): boolean => typeof (got as { readonly newSession?: unknown }).newSession === "function";
