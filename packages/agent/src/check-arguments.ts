import { checkArgument } from "@turnkit/transport";

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

/** @throws TypeError for handlers without a name or a prompt handler */
export function checkHandlers(handlers: { readonly info: { readonly name: string }; readonly prompt: unknown }): void {
  const remedy = 'pass handlers such as { info: { name: "echo", version: "1.0.0" }, prompt(turn) {} }';
  checkObject("createAgent", handlers, remedy);
  checkArgument(typeof handlers.info?.name === "string", "createAgent info", { got: handlers.info, remedy });
  checkArgument(typeof handlers.prompt === "function", "createAgent prompt", { got: handlers.prompt, remedy });
}
