import type { Client } from "@turnkit/client";
import { createElement } from "react";
import { expect, it, onTestFinished, vi } from "vitest";
import { draw, drawnAfter } from "../test/page.js";
import { Workspace } from "./workspace.js";

vi.mock("./lazy-conversation.js", () => ({
  Conversation: ({ session }: { readonly session: { readonly id: string } }) => `Shown: ${session.id}`,
}));
vi.mock("./inspector/inspector-button.js", () => ({ InspectorButton: () => null }));

/** Client of sessions that a test deletes. `removed` ends the deletion. */
function clientOf(ids: readonly string[]) {
  let removed = (): void => undefined;
  const deletion = new Promise<void>((resolve) => {
    removed = resolve;
  });
  async function* listSessions() {
    yield* ids.map((sessionId) => ({ sessionId, cwd: "/work", title: sessionId }));
  }
  const session = (id: string) => ({ id, cwd: "/work", state: { closed: false }, subscribe: () => () => undefined });
  const client = {
    listSessions,
    newSession() {},
    restore: async (id: string) => ({ status: "restored", session: session(id) }),
    deleteSession: () => deletion,
    peer: { capabilities: { delete: true } },
  };
  return { client: client as unknown as Client, removed };
}

async function drawAt(hash: string, client: Client) {
  // The page of the tests has no events of its own.
  const target = new EventTarget();
  vi.stubGlobal("addEventListener", target.addEventListener.bind(target));
  vi.stubGlobal("removeEventListener", target.removeEventListener.bind(target));
  onTestFinished(() => void vi.unstubAllGlobals());
  const go = (next: string) =>
    drawnAfter(() => {
      location.hash = next;
      target.dispatchEvent(new Event("hashchange"));
    });
  location.hash = hash;
  const props = { client, isConnected: true, folder: undefined, folders: {} as never, kept: {} as never };
  const { element } = await draw(createElement(Workspace, props));
  const page = element as unknown as Element;
  const press = (button: Element | null | undefined) => drawnAfter(() => (button as HTMLElement).click());
  return { page, go, press, text: () => page.querySelector("main")?.textContent };
}

it("defect E28: a deletion that ends after another session was opened leaves this one open", async () => {
  const { client, removed } = clientOf(["one", "two"]);
  const { page, go, press, text } = await drawAt("#session=one&folder=%2Fwork", client);
  expect(text()).toContain("Shown: one");
  await press(page.querySelector("li:has([aria-current]) .delete"));
  await press(page.querySelector("[data-kind=reject_once]"));
  await go("#session=two&folder=%2Fwork");
  expect(text()).toContain("Shown: two");
  await drawnAfter(removed);
  expect(text()).toContain("Shown: two");
  expect(location.hash).toContain("session=two");
});

it("a session that is deleted while it is shown is no longer shown", async () => {
  const { client, removed } = clientOf(["one", "two"]);
  const { page, press, text } = await drawAt("#session=one&folder=%2Fwork", client);
  await press(page.querySelector("li:has([aria-current]) .delete"));
  await press(page.querySelector("[data-kind=reject_once]"));
  await drawnAfter(removed);
  expect(text()).toContain("Choose a session");
  expect(location.hash).toBe("");
});
