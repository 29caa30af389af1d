type Members = Readonly<Record<string, unknown>>;

/**
 * @param call subject and verb of the error, such as `createChatTransport got`
 * @throws TypeError for a value that is not a session, such as a client or a state
 */
export function checkSession(call: string, got: unknown): void {
  const { state, prompt } = Object(got) as Members;
  if (state && prompt) return;
  throw new TypeError(
    `${call} ${nameOf(got)}: pass a session of @turnkit/client, such as await client.newSession({ cwd }).`,
  );
}

/** @throws TypeError for an option or a value that does not exist */
export function checkOptions(options: object): void {
  const { whenAsked = "finish", ...others } = Object(options) as Members;
  const [unknown] = Object.keys(others);
  const isKnown = whenAsked === "finish" || whenAsked === "wait";
  if (options && isKnown && unknown === undefined) return;
  const fault = unknown ? `has no option ${unknown}` : `whenAsked got ${JSON.stringify(whenAsked)}`;
  const what = options ? fault : `options got ${options}`;
  throw new TypeError(`createChatTransport ${what}: pass { whenAsked: "finish" } or { whenAsked: "wait" }.`);
}

/** @throws TypeError for a value that is not a state, such as a session */
export function checkState(got: unknown): void {
  if ((Object(got) as Members).timeline) return;
  throw new TypeError(`selectMessages got ${nameOf(got)}: pass a state, such as session.state.`);
}

/** Names of values by a member that only they have. */
const names: readonly (readonly [member: string, name: string])[] = [
  ["then", "a promise"],
  ["newSession", "a client"],
  ["prompt", "a session"],
  ["timeline", "a state"],
];

function nameOf(got: unknown): string {
  if (got == null) return `${got}`;
  if (typeof got !== "object") return `a ${typeof got}`;
  return names.find(([member]) => member in got)?.[1] ?? "an object of another form";
}
