import type { PermissionRequest } from "@turnkit/client";
import { expect, it, vi } from "vitest";
import { createPermissionPolicy } from "./permission-policy.js";
import type { View } from "./view.js";

const request = {
  requestId: "1",
  title: "Edit a.ts",
  options: [
    { optionId: "always", name: "Always", kind: "allow_always" },
    { optionId: "yes", name: "Yes", kind: "allow_once" },
    { optionId: "no", name: "No", kind: "reject_once" },
  ],
} as unknown as PermissionRequest;
const { signal } = new AbortController();

function viewWith(ask?: View["ask"]) {
  const note = vi.fn<View["note"]>();
  return { note, event: () => {}, failure: () => {}, ...(ask === undefined ? {} : { ask }) };
}

it("allow and deny answer without asking, as the user set it (V2-PERM-13)", async () => {
  const ask = vi.fn<NonNullable<View["ask"]>>();
  expect(await createPermissionPolicy("allow", viewWith(ask))(request, signal)).toEqual({ select: "yes" });
  expect(await createPermissionPolicy("deny", viewWith(ask))(request, signal)).toEqual({ select: "no" });
  expect(ask).not.toHaveBeenCalled();
});

it("ask asks the person", async () => {
  const ask = vi.fn<NonNullable<View["ask"]>>(async () => ({ select: "always" }));
  expect(await createPermissionPolicy("ask", viewWith(ask))(request, signal)).toEqual({ select: "always" });
  expect(ask).toHaveBeenCalledWith(request, signal);
});

it("ask without anybody to ask cancels, and says so", async () => {
  const view = viewWith();
  expect(await createPermissionPolicy("ask", view)(request, signal)).toEqual({ cancel: true });
  expect(view.note).toHaveBeenCalledWith(expect.stringContaining("no terminal"));
});
