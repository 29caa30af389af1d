import { isPromise } from "./waiting.js";

/** Maximum length of a value in a message, in characters. */
const MAX_SHOWN = 60;

/**
 * Throws a `TypeError` for an argument of a wrong type. Only callers in JavaScript can pass such a value. The message
 * contains the failure, its object, and the correct argument.
 *
 * @param call name of the function, followed by a space and the name of the argument
 * @param remedy end of the sentence, which begins with the failure
 */
export function checkArgument(
  isSound: boolean,
  call: string,
  { got, remedy }: { readonly got: unknown; readonly remedy: string },
): void {
  if (!isSound) throw new TypeError(`${call} got ${shown(got)}: ${remedy}.`);
}

/** @throws TypeError for a value that is not a function, and for a generator function, whose body nothing runs */
export function checkFunction(call: string, got: unknown, remedy = "pass a function"): void {
  checkArgument(typeof got === "function", call, { got, remedy });
  const advice = "pass a function without `*`, because nothing runs the body of a generator";
  checkArgument(!isGeneratorFunction(got), call, { got, remedy: advice });
}

/**
 * Checks a path for the traces of a shell or a template.
 *
 * @throws TypeError for a path that begins with `~`, which only a shell replaces
 * @throws TypeError for a path with a part such as `undefined`, which a variable without a value leaves
 */
export function checkPath(call: string, path: string): void {
  const shell = "only a shell replaces `~`: use join(homedir(), …)";
  checkArgument(!path.startsWith("~"), call, { got: path, remedy: shell });
  const part = path.split(/[\\/]/).find((one) => /^(?:undefined|null|NaN|\[object .*\])$/.test(one));
  const remedy = `its part ${part} comes from a variable without a text: set the variable`;
  checkArgument(part === undefined, call, { got: path, remedy });
}

/**
 * @param remedy advice for a value that is not a channel
 * @throws TypeError for a value that is not a channel
 */
export function checkChannel(
  call: string,
  got: unknown,
  remedy = "pass a channel, for example the result of createWebSocketChannel",
): void {
  const { start, send } = (got ?? {}) as { readonly start?: unknown; readonly send?: unknown };
  const isChannel = typeof start === "function" && typeof send === "function";
  checkArgument(isChannel, call, {
    got,
    remedy: isPromise(got) ? `await the promise of the channel; otherwise ${remedy}` : remedy,
  });
}

/** @throws TypeError for a value without readable and writable web streams, and for streams that have a reader or writer */
export function checkStreams(call: string, got: unknown): void {
  const { readable, writable } = (got ?? {}) as Partial<{ readable: ReadableStream; writable: WritableStream }>;
  const isSound = typeof readable?.getReader === "function" && typeof writable?.getWriter === "function";
  const remedy =
    "pass { readable, writable }, two web streams; Readable.toWeb and Writable.toWeb of node:stream make them";
  checkArgument(isSound, call, { got, remedy });
  const isLocked = (readable as ReadableStream).locked || (writable as WritableStream).locked;
  if (isLocked)
    throw new TypeError(`${call} got locked streams: something else reads or writes them. Use that channel.`);
}

/** Returns a short description of a value, for a message. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.slice(0, MAX_SHOWN));
  if (typeof value === "function") return isGeneratorFunction(value) ? "a generator function" : "a function";
  if (Array.isArray(value)) return "a list";
  if (isPromise(value)) return "a promise";
  return typeof value === "object" && value !== null ? "an object of another form" : String(value);
}

const isGeneratorFunction = (value: unknown): boolean =>
  typeof value === "function" && /Generator/.test(Object.prototype.toString.call(value));
