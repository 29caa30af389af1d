import type { ContentBlock } from "@turnkit/session";
import {
  checkArgument,
  checkFunction,
  checkMembers,
  checkOptions as checkMembersOf,
  checkTypes,
  type Diagnostic,
  dataUrl,
  lostValue,
  refuseOption,
} from "@turnkit/transport";
import type { ClientOptions } from "./client-options.js";
import { HOSTS, OPTIONS, PROMPT, reportMembers } from "./unused-options.js";

export const isObjectOrList = (value: unknown): value is object => typeof value === "object" && value !== null;
const isText = (value: unknown): boolean => typeof value === "string";

/** @throws TypeError for a listener that is not a function */
export function checkListener(call: string, listener: unknown): void {
  checkFunction(call, listener);
}

/** @throws TypeError for a method that was taken out of its object, as in `const { prompt } = session` */
export function mustBeWhole(owner: unknown, object: "client" | "session", method: string): void {
  if (owner !== undefined) return;
  throw new TypeError(`${object}.${method} was called without its ${object}: call it as ${object}.${method}(…).`);
}

/** @throws TypeError for an id that is not text */
export function checkId(call: string, id: unknown): void {
  checkArgument(isText(id), call, { got: id, remedy: "pass the id as text" });
}

/**
 * Reports options of a prompt that do not exist.
 *
 * @throws TypeError for content or options of a prompt of another type
 */
export function checkPromptArguments(
  content: string | readonly ContentBlock[],
  options: unknown,
  report: (diagnostic: Diagnostic) => void,
): void {
  const remedy = 'pass text, or a list of content blocks such as [{ type: "text", text: "Hi" }]';
  const isBlock = (block: ContentBlock) => isObjectOrList(block) && isText(block.type);
  checkArgument(isText(content) || (Array.isArray(content) && content.every(isBlock)), "prompt", {
    got: content,
    remedy,
  });
  for (const { type, ...block } of isText(content) ? [] : (content as readonly ContentBlock[])) {
    const { data, resource } = block as { readonly data?: unknown; readonly resource?: { readonly blob?: unknown } };
    const mistakes = dataUrl(`a block of type ${type} in a prompt`, data ?? resource?.blob);
    for (const message of mistakes) report({ code: "unused_option", message });
  }
  const isOptions = isObjectOrList(options) && !("aborted" in options);
  checkArgument(isOptions, "prompt options", { got: options, remedy: "pass an object such as { signal }, or nothing" });
  checkSignal("prompt", options as object);
  checkTypes("prompt", options as object, PROMPT);
  reportMembers("prompt", options as object, report);
  const { _meta } = options as { readonly _meta?: unknown };
  for (const message of lostValue("_meta of a prompt", _meta)) report({ code: "unused_option", message });
}

/** @throws TypeError for a filter with other members, which would select all sessions, and for a signal of another type */
export function checkFilter(filter: object, signal: AbortSignal | undefined): void {
  const isFilter = isObjectOrList(filter) && !("aborted" in filter);
  checkArgument(isFilter, "listSessions", {
    got: filter,
    remedy: 'pass a filter such as { cwd: "/work" }, or nothing',
  });
  checkMembersOf("listSessions", filter, { cwd: "string" }, { unknown: refuseOption });
  if (signal !== undefined) checkSignal("listSessions", { signal });
}

/** @throws TypeError for a signal of another type */
export function checkSignal(call: string, { signal }: { readonly signal?: Partial<AbortSignal> }): void {
  checkArgument(signal === undefined || typeof signal?.addEventListener === "function", `${call} signal`, {
    ...{ got: signal, remedy: "pass the signal of an AbortController, controller.signal" },
  });
}

/** @throws TypeError for a method whose name does not begin with `_`, or for params that are not an object */
export function checkCustomCall(call: string, method: unknown, params: unknown): void {
  const isNamed = typeof method === "string" && method.startsWith("_");
  checkArgument(isNamed, `${call} method`, { got: method, remedy: 'names of custom methods begin with "_"' });
  checkArgument(isObjectOrList(params), `${call} params`, { got: params, remedy: "pass an object" });
}

type Members = { readonly [member: string]: unknown };

/**
 * Options of `connect` that a function of this package must make. Each row has a member by which the result of this
 * function is recognised.
 */
const MADE: readonly (readonly [option: string, member: string, remedy: string])[] = [
  ["files", "fileRoutes", "pass the result of createFileHandlers, or createLocalFileHost() of @turnkit/client/node"],
  [
    "terminals",
    "terminalRoutes",
    "pass the result of createTerminalHandlers, or createLocalTerminalHost() of @turnkit/client/node",
  ],
  ["elicitations", "routes", "pass the result of createElicitations"],
];

/** @throws TypeError for an option of another type */
export function checkOptions(options: ClientOptions): void {
  const members = options as unknown as Members;
  const { permissions } = options;
  const isPolicy = permissions === undefined || typeof permissions === "function";
  checkArgument(isPolicy, "connect permissions", { got: permissions, remedy: "pass a function, such as allowOnce" });
  checkTypes("connect", options, OPTIONS);
  for (const [name, member, remedy] of MADE) {
    const got = members[name] as Members | undefined;
    checkArgument(got === undefined || typeof got?.[member] === "function", `connect ${name}`, { got, remedy });
    if (got !== undefined && HOSTS[name] !== undefined) checkTypes(`connect ${name}`, got, HOSTS[name]);
  }
  const { terminals } = options;
  const hasCreate = terminals === undefined || terminals.create !== undefined;
  checkArgument(hasCreate, "connect terminals create", {
    got: undefined,
    remedy: "pass terminals with create, or none",
  });
  const { extensions = {} } = options;
  checkMembers("connect extensions", extensions, "function");
}
