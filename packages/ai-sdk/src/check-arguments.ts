type Members = Readonly<Record<string, unknown>>;

const isFunction = (value: unknown): boolean => typeof value === "function";

/**
 * @param call subject and verb of the error, such as `createChatTransport got`
 * @throws TypeError for a value that is not a session, such as a client or a state
 */
export function checkSession(call: string, got: unknown): void {
  const { state, prompt } = (got ?? {}) as Members;
  if (state !== undefined && isFunction(prompt)) return;
  const remedy = "pass a session of @turnkit/client, such as await client.newSession({ cwd })";
  throw new TypeError(`${call} ${nameOf(got)}: ${remedy}.`);
}

/** @throws TypeError for an option or a value that does not exist */
export function checkOptions(options: unknown): void {
  const call = "createChatTransport";
  const remedy = 'pass { whenAsked: "finish" } or { whenAsked: "wait" }';
  const isObject = typeof options === "object" && options !== null;
  if (!isObject) throw new TypeError(`${call} options got ${nameOf(options)}: ${remedy}.`);
  const { whenAsked = "finish", ...unknown } = options as Members;
  if (whenAsked !== "finish" && whenAsked !== "wait") {
    throw new TypeError(`${call} whenAsked got ${JSON.stringify(whenAsked)}: ${remedy}.`);
  }
  const [name] = Object.keys(unknown);
  if (name !== undefined) throw new TypeError(`${call} has no option ${name}: ${remedy}.`);
}

/** @throws TypeError for a value that is not a state, such as a session */
export function checkState(got: unknown): void {
  if ((got as Members | undefined)?.timeline !== undefined) return;
  throw new TypeError(`selectMessages got ${nameOf(got)}: pass a state, such as session.state.`);
}

function nameOf(got: unknown): string {
  if (got == null) return String(got);
  if (typeof got !== "object") return `a ${typeof got}`;
  const { newSession, prompt, timeline, then } = got as Members;
  if (isFunction(then)) return "a promise";
  if (isFunction(newSession)) return "a client";
  if (isFunction(prompt)) return "a session";
  return timeline === undefined ? "an object of another form" : "a state";
}
