import { checkArgument, checkFunctions } from "@turnkit/transport";

/** @throws TypeError for a value that is no list */
export function checkList(call: string, got: unknown): void {
  checkArgument(Array.isArray(got), call, { got, remedy: "pass a list" });
}

/** @throws TypeError for a value that is no object */
export function checkObject(call: string, got: unknown, remedy = "pass an object"): void {
  checkArgument(typeof got === "object" && got !== null, call, { got, remedy });
}

/** @throws TypeError for the start of a tool call without a title */
export function checkStart(start: { readonly title: string }): void {
  const remedy = 'pass a start with a title, such as { title: "Read a.ts", kind: "read" }';
  checkObject("toolCall", start, remedy);
  checkArgument(typeof start.title === "string", "toolCall title", { got: start.title, remedy });
}

type Fields = { readonly [name: string]: unknown };

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;
const isText = (value: unknown): boolean => typeof value === "string";

const FUNCTIONS = [
  ...["newSession", "restoreSession", "setConfigOption", "listSessions", "deleteSession", "closeSession"],
  ...["login", "logout", "fallback"],
];

/** @throws TypeError for handlers without a name or a prompt handler, and for handlers of another type */
export function checkHandlers(handlers: {
  readonly info: { readonly name: string };
  readonly prompt: unknown;
  readonly authMethods?: unknown;
  readonly extensions?: unknown;
}): void {
  const remedy = 'pass handlers such as { info: { name: "echo", version: "1.0.0" }, prompt(turn) {} }';
  checkObject("createAgent", handlers, remedy);
  checkArgument(typeof handlers.info?.name === "string", "createAgent info", { got: handlers.info, remedy });
  checkArgument(typeof handlers.prompt === "function", "createAgent prompt", { got: handlers.prompt, remedy });
  checkFunctions("createAgent", handlers as unknown as Fields, FUNCTIONS);
  for (const name of ["promptCapabilities", "mcpCapabilities", "sessionCapabilities", "log"]) {
    const got = (handlers as unknown as Fields)[name];
    if (got !== undefined) checkObject(`createAgent ${name}`, got);
  }
  const { extensions = {}, authMethods = [] } = handlers;
  checkObject("createAgent extensions", extensions, "pass an object of functions by method");
  checkFunctions("createAgent extensions", extensions as Fields, Object.keys(extensions as Fields));
  checkList("createAgent authMethods", authMethods);
  for (const method of authMethods as readonly unknown[]) checkAuthMethod(method);
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
