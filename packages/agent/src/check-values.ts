import type { ConfigOption } from "@turnkit/session";
import { checkArgument } from "@turnkit/transport";
import { isAbsolute } from "./absolute-path.js";
import type { SessionSetup } from "./agent-handlers.js";
import { checkList, checkObject, unknownTag } from "./check-arguments.js";
import { checkBlock, isBlockType } from "./check-blocks.js";
import { choicesOf, noSuchValue } from "./config-value.js";
import type { ToolCallFields } from "./tool-call.js";

type Fields = { readonly [name: string]: unknown };

const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
const areTexts = (...values: readonly unknown[]): boolean => values.every((value) => typeof value === "string");

const areTextsOrNone = (...values: readonly unknown[]): boolean =>
  values.every((value) => value == null || typeof value === "string");

const ENTRY = 'pass entries such as { content: "Run the tests", priority: "high", status: "pending" }';
const PRIORITIES = ["high", "medium", "low"];
const STATUSES = ["pending", "in_progress", "completed", "cancelled"];

/**
 * Returns one sentence for each unknown status and priority of a plan.
 *
 * @throws TypeError for entries without content, status or priority
 */
export function checkPlan(call: string, entries: unknown): readonly string[] {
  return checkRows(call, "entry", entries, ["content", "status", "priority"], ENTRY).flatMap(({ status, priority }) => [
    ...unknownTag("status of a plan entry", status, STATUSES),
    ...unknownTag("priority of a plan entry", priority, PRIORITIES),
  ]);
}

/** Checks that each row of a list has these texts. Returns the rows. */
function checkRows(
  call: string,
  row: string,
  rows: unknown,
  texts: readonly string[],
  remedy: string,
): readonly Fields[] {
  checkList(call, rows);
  return (rows as readonly unknown[]).map((got, at) => {
    const fields = fieldsOf(got);
    checkArgument(areTexts(...texts.map((name) => fields[name])), `${call} ${row} ${at}`, { got, remedy });
    return fields;
  });
}

const CHOICE = 'options: [{ value: "ask", name: "Ask" }]';
const OPTION = `pass options such as { configId: "mode", type: "select", name: "Mode", currentValue: "ask", ${CHOICE} }`;

/** @throws TypeError for options, or values of options, that no client can read */
function checkConfigOptions(call: string, options: unknown): void {
  checkList(call, options);
  for (const [at, got] of (options as readonly unknown[]).entries()) {
    const { configId, name, type, currentValue, options: choices } = fieldsOf(got);
    const remedy =
      configId === undefined && fieldsOf(got).id !== undefined ? `name its id configId; ${OPTION}` : OPTION;
    const isSound = type === "select" ? areTexts(currentValue) && Array.isArray(choices) : typeof type === "string";
    checkArgument(isSound && areTexts(configId, name), `${call} option ${at}`, { got, remedy });
    const isSet = type !== "boolean" || typeof currentValue === "boolean";
    checkArgument(isSet, `${call} option ${at} currentValue`, { got: currentValue, remedy: "pass true or false" });
    if (type === "select") checkChoices(`${call} option ${at} options`, choices as readonly unknown[]);
  }
}

/**
 * Returns one sentence for each unknown type of an option.
 *
 * @throws TypeError in the cases of {@link checkConfigOptions}, for two options of one id, and for a select whose value is
 *   not one of its own values
 */
export function checkOwnOptions(call: string, given: unknown): readonly string[] {
  checkConfigOptions(call, given);
  const options = given as readonly ConfigOption[];
  checkUnique(
    `${call}: two options have the configId`,
    options.map(({ configId }) => configId),
  );
  for (const option of options) {
    if (option.type !== "select" || !("currentValue" in option)) continue;
    const { configId, currentValue: value } = option;
    const known = choicesOf(option.options);
    // A select without values may get them later.
    if (known.length > 0 && !known.includes(value)) throw noSuchValue(call, { configId, value, known });
  }
  return options.flatMap(({ type }) => unknownTag("type of an option", type, ["select", "boolean"]));
}

/** @throws TypeError for the first name that the list has twice */
function checkUnique(mistake: string, names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new TypeError(`${mistake} ${JSON.stringify(twice)}. Pass each only once.`);
}

function checkChoices(call: string, choices: readonly unknown[]): void {
  for (const got of choices) {
    const { value, name, options } = fieldsOf(got);
    if (Array.isArray(options)) checkChoices(call, options);
    else checkArgument(areTexts(value, name), call, { got, remedy: `pass values such as ${CHOICE}` });
  }
}

const COMMAND = '{ name: "fix", description: "Fixes a bug", input: { hint: "what" } }';

/**
 * Returns one sentence for each unknown type of a command or its input.
 *
 * @throws TypeError for commands without a name or description, for an input of another form, and for two commands of one
 *   name
 * @throws TypeError for a name that no prompt would match: it begins with a slash, is empty, or contains white space
 */
export function checkOwnCommands(call: string, commands: unknown): readonly string[] {
  const rows = checkRows(call, "command", commands, ["name", "description"], `pass commands such as ${COMMAND}`);
  for (const [at, { input }] of rows.entries()) {
    const { type, hint } = fieldsOf(input);
    const isSound = input == null || (fieldsOf(input) === input && areTextsOrNone(type, hint));
    checkArgument(isSound, `${call} command ${at} input`, { got: input, remedy: "pass an input such as { hint }" });
  }
  for (const [at, { name }] of (rows as readonly Fields[] as readonly { readonly name: string }[]).entries()) {
    const remedy = `pass the name without the slash, ${JSON.stringify(name.replace(/^\/+/, ""))}`;
    checkArgument(!name.startsWith("/"), `${call} command ${at} name`, { got: name, remedy });
    const word = `pass a name without white space, such as "${name.trim().replace(/\s+/g, "-") || "fix"}"`;
    checkArgument(/^\S+$/.test(name), `${call} command ${at} name`, { got: name, remedy: word });
  }
  const names = (commands as readonly { readonly name: string }[]).map(({ name }) => name);
  checkUnique(`${call}: two commands have the name`, names);
  return rows.flatMap(({ type, input }) => [
    ...unknownTag("type of a command", type, ["command"]),
    ...unknownTag("type of the input of a command", fieldsOf(input).type, ["text"]),
  ]);
}

/**
 * Checks commands in the form of an update, which has the types.
 *
 * @throws TypeError for commands without a type, and in the cases of {@link checkOwnCommands}
 */
export function checkTypedCommands(call: string, commands: unknown): readonly string[] {
  const mistakes = checkOwnCommands(call, commands);
  for (const [at, { type, input }] of (commands as readonly Fields[]).entries()) {
    const isTyped = areTexts(type) && (input == null || areTexts(fieldsOf(input).type));
    const remedy = 'call session.setCommands, or pass type: "command" and, in the input, type: "text"';
    checkArgument(isTyped, `${call} command ${at}`, { got: commands, remedy });
  }
  return mistakes;
}

/** @throws TypeError for a result of `listSessions` that is not a page of sessions with `sessionId` and `cwd` */
export function checkPage(page: unknown): void {
  const remedy = "return { sessions: [{ sessionId, cwd }] }";
  checkObject("The result of listSessions", page, remedy);
  const { sessions, nextCursor } = fieldsOf(page);
  checkArgument(Array.isArray(sessions), "The result of listSessions", { got: page, remedy });
  checkRows("The result of listSessions", "session", sessions, ["sessionId", "cwd"], remedy);
  const isCursor = nextCursor == null || areTexts(nextCursor);
  checkArgument(isCursor, "The result of listSessions nextCursor", { got: nextCursor, remedy: "return a text" });
}

/** @throws TypeError for a title or options of another type, and for a relative folder */
export function checkChild({ title, description, cwd, cancel }: Fields): void {
  const check = (name: string, isSound: boolean, got: unknown, remedy: string): void =>
    checkArgument(isSound, `session.child ${name}`, { got, remedy });
  check("title", areTexts(title), title, "pass a title as text");
  check("description", description === undefined || areTexts(description), description, "pass a text");
  const isFolder = cwd === undefined || (typeof cwd === "string" && isAbsolute(cwd));
  check("cwd", isFolder, cwd, "pass the absolute path of a folder, or no cwd for the folder of the parent");
  check("cancel", cancel === undefined || typeof cancel === "boolean", cancel, "pass true or false");
}

/** Kinds of background work, with the member that has its id. */
const WORK: Fields = { subagent: "sessionId", tool_call: "toolCallId", terminal: "terminalId" };

/** @throws TypeError for an item that is not background work */
export function checkBackground(work: unknown): void {
  checkList("setBackground", work);
  for (const [at, got] of (work as readonly unknown[]).entries()) {
    const fields = fieldsOf(got);
    const { type } = fields;
    const isKnown = typeof type === "string" && Object.hasOwn(WORK, type);
    const isSound = isKnown ? areTexts(fields[WORK[type] as string]) : typeof type === "string" && type.startsWith("_");
    const kind = isKnown ? type : "subagent";
    const remedy = `pass work such as { type: "${kind}", ${WORK[kind] as string}: ${kind === "subagent" ? "child.id" : "id"} }`;
    checkArgument(isSound, `setBackground item ${at}`, { got, remedy });
  }
}

const SETUP = "The result of newSession or restoreSession";

/**
 * Returns one sentence for each unknown type in the lists.
 *
 * @throws TypeError for a result of `newSession` or `restoreSession` that is not an object, and for lists of another form
 */
export function checkSetup(setup: Partial<SessionSetup<unknown>>): readonly string[] {
  checkObject(SETUP, setup, "return an object such as { data }, or nothing");
  const { configOptions, availableCommands } = setup;
  return [
    ...(configOptions ? checkOwnOptions(SETUP, configOptions) : []),
    ...(availableCommands ? checkOwnCommands(SETUP, availableCommands) : []),
  ];
}

const CHANGES = 'changes: [{ operation: "modify", path, oldText, newText }]';

/** @throws TypeError for an item of a tool call's content that no client can read */
export function checkContent(call: string, got: unknown): void {
  const remedy = 'pass content such as { type: "content", content: { type: "text", text } }';
  const { type, content, changes, terminalId } = fieldsOf(got);
  checkArgument(typeof type === "string", call, { got, remedy });
  checkArgument(!isBlockType(type as string), `${call} of type ${type as string}`, { got, remedy });
  if (type === "content") {
    checkArgument(areTexts(fieldsOf(content).type), `${call} content`, { got: content, remedy });
    checkBlock(call, content);
  }
  if (type === "terminal") {
    const advice = 'pass { type: "terminal", terminalId }';
    checkArgument(areTexts(terminalId), `${call} terminalId`, { got: terminalId, remedy: advice });
  }
  checkLink(call, got);
  checkArgument(type !== "subagent", `${call} of type subagent`, { got, remedy: LINK });
  if (type !== "diff") return;
  const areSound = Array.isArray(changes) && changes.every((one) => areTexts(fieldsOf(one).path));
  const advice = `pass { type: "diff", ${CHANGES} }, because a diff of turnkit may have several files`;
  checkArgument(areSound, `${call} of type diff`, { got, remedy: advice });
  for (const { operation, oldPath } of (changes as readonly unknown[]).map(fieldsOf)) {
    const operations = "pass add, modify, delete, move or copy";
    checkArgument(areTexts(operation), `${call} operation`, { got: operation, remedy: operations });
    const needsPath = operation === "move" || operation === "copy";
    const before = `pass the path before the ${operation as string}`;
    checkArgument(!needsPath || areTexts(oldPath), `${call} oldPath`, { got: oldPath, remedy: before });
  }
}

const LINK = 'pass a link such as { type: "session", sessionId: child.id }';

/** @throws TypeError for a link to a session without an id of a session */
function checkLink(call: string, got: unknown): void {
  const { type, sessionId } = fieldsOf(got);
  checkArgument(type !== "session" || areTexts(sessionId), `${call} of type session`, { got, remedy: LINK });
}

/** @throws TypeError for content or locations of another form */
export function checkFields(call: string, { content, locations }: ToolCallFields): void {
  if (content != null) {
    checkList(`${call} content`, content);
    for (const item of content) checkContent(`${call} content`, item);
  }
  if (locations == null) return;
  checkList(`${call} locations`, locations);
  for (const got of locations) {
    const remedy = 'pass locations such as [{ path: "/src/a.ts", line: 3 }]';
    checkArgument(areTexts(fieldsOf(got).path), `${call} locations`, { got, remedy });
  }
}
