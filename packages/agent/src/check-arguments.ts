import type { ToolCallContent } from "@turnkit/session";
import { checkArgument, checkMembers, checkTypes, lostValue, unknownOptions } from "@turnkit/transport";
import { isAbsolute } from "./absolute-path.js";
import { blockMistakes } from "./check-blocks.js";
import { shortened } from "./cut-text.js";
import type { ServeOptions } from "./serve-options.js";
import type { SessionLog } from "./session-log.js";
import type { ToolCallFields, ToolCallStart } from "./tool-call.js";
import { CAPABILITY_GROUPS, HANDLERS, OPTIONS, unknownMembers } from "./unused-options.js";

/** @throws TypeError for a value that is not a list */
export function checkList(call: string, got: unknown): void {
  checkArgument(Array.isArray(got), call, { got, remedy: "pass a list" });
}

/** @throws TypeError for a value that is not an object */
export function checkObject(call: string, got: unknown, remedy = "pass an object"): void {
  checkArgument(typeof got === "object" && got !== null, call, { got, remedy });
}

const KINDS = ["read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"];
const OPERATIONS = ["add", "modify", "delete", "move", "copy"];
const STATUSES = ["pending", "in_progress", "completed", "failed", "cancelled"];

/** Maximum length of a path in a report, in characters. */
const MAX_PATH = 200;

/**
 * Returns one sentence for each unknown member in the start of a tool call. The client still gets them unchanged.
 *
 * @throws TypeError for a start without a title
 */
export function checkToolCallStart(start: ToolCallStart): readonly string[] {
  const remedy = 'pass a start with a title, such as { title: "Read a.ts", kind: "read" }';
  checkObject("toolCall", start, remedy);
  checkArgument(typeof start.title === "string", "toolCall title", { got: start.title, remedy });
  return unknownMembers("toolCall", start);
}

/**
 * Returns one sentence for each kind, status and operation of a change that the protocol does not have, for values that JSON
 * loses, and for the first relative path.
 */
// V2-ENV-11
export function callMistakes(fields: ToolCallFields): readonly string[] {
  const { kind, status, locations, content, rawInput, rawOutput, _meta } = fields;
  const changes = (content ?? []).flatMap(changesOf);
  const paths = [...(locations ?? []), ...changes].map(({ path }) => path);
  return [
    ...unknownTag("kind of a tool call", kind, KINDS),
    ...unknownTag("status of a tool call", status, STATUSES),
    ...lostValue("rawInput of a tool call", rawInput),
    ...lostValue("rawOutput of a tool call", rawOutput),
    ...lostValue("_meta of a tool call", _meta),
    ...(content ?? []).flatMap(unknownInBlock),
    ...changes.flatMap(({ operation }) => unknownTag("operation of a change", operation, OPERATIONS)),
    ...paths
      .filter((path) => !isAbsolute(path))
      .slice(0, 1)
      .map(relativePath),
  ];
}

/** Returns one sentence for each relative path of an item of a tool call's content. */
export const contentMistakes = (item: ToolCallContent): readonly string[] => callMistakes({ content: [item] });

const changesOf = (item: ToolCallContent): readonly { readonly path: string; readonly operation: string }[] =>
  item.type === "diff" && "changes" in item ? item.changes : [];

const unknownInBlock = (item: ToolCallContent): readonly string[] =>
  item.type === "content" && "content" in item ? blockMistakes("the content of a tool call", item.content) : [];

const relativePath = (path: string): string =>
  `The path ${JSON.stringify(shortened(path, MAX_PATH))} of a tool call is relative, and clients have no folder for it. Pass an absolute path.`;

/** Returns one sentence for a value that the protocol does not have. Own values begin with `_`. */
export function unknownTag(name: string, got: unknown, known: readonly string[]): readonly string[] {
  if (got == null || known.includes(got as string) || String(got).startsWith("_")) return [];
  return [`The ${name} is ${JSON.stringify(got)}. It can be ${known.join(", ")}.`];
}

type Fields = { readonly [name: string]: unknown };

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const isText = (value: unknown): boolean => typeof value === "string";

/** @throws TypeError for options of a connection of another type */
export function checkServeOptions(options: ServeOptions): void {
  checkTypes("serve", options, OPTIONS);
}

/** @throws TypeError for handlers without a name or a prompt handler, and for handlers of another type */
export function checkHandlers(handlers: { readonly info: { readonly name: string }; readonly prompt: unknown }): void {
  const remedy = 'pass handlers such as { info: { name: "echo", version: "1.0.0" }, prompt(turn) {} }';
  checkObject("createAgent", handlers, remedy);
  const fields: Fields = handlers;
  // A misspelled name is reported first, because it may be the cause of a missing handler.
  const [misspelled] = unknownOptions("createAgent", handlers, { known: HANDLERS });
  const advice = misspelled === undefined ? remedy : `${misspelled} P${remedy.slice(1)}`;
  checkArgument(typeof handlers.info?.name === "string", "createAgent info", { got: handlers.info, remedy: advice });
  const { version } = handlers.info as { readonly version?: unknown };
  checkArgument(isText(version), "createAgent info version", { got: version, remedy: advice });
  checkArgument(typeof handlers.prompt === "function", "createAgent prompt", { got: handlers.prompt, remedy: advice });
  checkTypes("createAgent", fields, HANDLERS);
  checkMembers("createAgent extensions", (fields.extensions ?? {}) as Fields, "function");
  for (const name of Object.keys((fields.customCapabilities ?? {}) as Fields)) {
    const domain = `name your domain, as in customCapabilities: { "example.com": { ${name}: true } }`;
    checkArgument(name.includes("."), "createAgent customCapabilities", { got: name, remedy: domain });
  }
  for (const method of (fields.authMethods ?? []) as readonly unknown[]) checkAuthMethod(method);
  for (const [group, types] of Object.entries(CAPABILITY_GROUPS))
    checkTypes(group, (fields[group] ?? {}) as Fields, types);
}

/** @throws TypeError for a log without one of its members */
export function checkLog(log: SessionLog): void {
  checkObject("createAgent log", log, "pass a log, such as createFileLog(folder) of @turnkit/agent/node");
  const methods = ["open", "read", "list", "delete"] as const;
  const missing = methods.find((name) => typeof log[name] !== "function");
  const remedy = `pass a log with open, read, list and delete, such as createFileLog(folder) of @turnkit/agent/node`;
  checkArgument(missing === undefined, `createAgent log ${missing}`, { got: missing && log[missing], remedy });
  const keep = "set it to keepSessions of @turnkit/agent";
  checkArgument(log.keep !== undefined, "createAgent log keep", { got: log.keep, remedy: keep });
}

const NAMED = '{ type: "agent", methodId: "login", name: "Log in" }';
const ARGS = 'pass the arguments as a list of texts, such as args: ["login"], or args: []';
const ENV = 'pass the variables as a list, such as env: [{ name: "LOGIN", value: "1" }], or env: []';

function checkAuthMethod(method: unknown): void {
  const { type, methodId, name, args, env }: Fields = isObject(method) ? method : {};
  const isNamed = isText(type) && isText(methodId) && isText(name);
  checkArgument(isNamed, "createAgent authMethods", { got: method, remedy: `pass methods such as ${NAMED}` });
  if (type !== "terminal") return;
  const call = `createAgent authMethods "${methodId}"`;
  checkArgument(Array.isArray(args) && args.every(isText), `${call} args`, { got: args, remedy: ARGS });
  const isVariable = (one: unknown): boolean => isObject(one) && isText(one.name) && isText(one.value);
  checkArgument(Array.isArray(env) && env.every(isVariable), `${call} env`, { got: env, remedy: ENV });
}
