import type { Message } from "@turnkit/transport";
import { expect, it } from "vitest";
import { insert } from "./cancel-first.js";

it("REM-35, REM-53: a cancel passes everything but the prompts of its session, and nothing else moves", () => {
  const list: { readonly message: Message; readonly sessionId: string }[] = [];
  const add = (method: string, sessionId: string) =>
    insert(list, { message: { jsonrpc: "2.0", method: `session/${method}` }, sessionId });
  for (const method of ["set_mode", "prompt", "set_mode"]) add(method, "a");
  add("prompt", "b");
  add("cancel", "a");
  add("cancel", "c");
  const shown = list.map(
    ({ message, sessionId }) => `${"method" in message ? message.method.slice(8) : ""} ${sessionId}`,
  );
  expect(shown).toEqual(["cancel c", "set_mode a", "prompt a", "cancel a", "set_mode a", "prompt b"]);
});
