import type { Client, SessionInfo } from "@turnkit/client";
import { createElement } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { draw, drawnAfter } from "../../test/page.js";
import { SessionList } from "./session-list.js";

afterEach(() => void vi.useRealTimers());

const info = (sessionId: string, others: Partial<SessionInfo> = {}): SessionInfo => ({
  sessionId,
  cwd: "/work",
  ...others,
});

/** Client whose list a test sets. */
function listing(read: () => readonly SessionInfo[]): Client {
  async function* listSessions() {
    yield* read();
  }
  return { listSessions, peer: { capabilities: { delete: true } } } as unknown as Client;
}

async function drawList(client: Client, props: Partial<Parameters<typeof SessionList>[0]> = {}) {
  const begun: string[] = [];
  const onNew = async (cwd: string) => {
    begun.push(cwd);
    return begun.length > 1 ? `There is no folder ${cwd}` : undefined;
  };
  const { element } = await draw(
    createElement(SessionList, {
      client,
      current: undefined,
      folder: undefined,
      onNew,
      onDelete() {},
      onAsking() {},
      ...props,
    }),
  );
  return { element, begun };
}
const texts = (element: Element | unknown, selector: string) =>
  [...(element as Element).querySelectorAll(selector)].map((one) => one.textContent);

it("the newest session is the first, with its title, folder and age, and its address opens it elsewhere", async () => {
  vi.useFakeTimers({ now: Date.parse("2026-11-20T10:00:00Z"), toFake: ["Date", "setInterval", "clearInterval"] });
  const { element } = await drawList(
    listing(() => [
      info("old", { updatedAt: "2026-11-19T10:00:00Z", title: "The old one" }),
      info("never"),
      info("new", { updatedAt: "2026-11-20T09:55:00Z", cwd: "/else where" }),
    ]),
  );
  expect(texts(element, "li .title")).toEqual(["Without a title", "The old one", "Without a title"]);
  expect(texts(element, "li .quiet")).toEqual(["/else where 5 min", "/work 1 d", "/work "]);
  const [first] = (element as unknown as Element).querySelectorAll("li a");
  expect(first?.getAttribute("href")).toBe("#session=new&folder=%2Felse+where");
});

it("at most 300 sessions are listed, and an empty list says so", async () => {
  const many = Array.from({ length: 400 }, (_, index) => info(`${index}`));
  const { element } = await drawList(listing(() => many));
  expect(texts(element, "li")).toHaveLength(300);
  const { element: empty } = await drawList(listing(() => []));
  expect(texts(empty, "p")).toContain("There are no sessions yet.");
});

it("the list is read again every 20 seconds, and a failure keeps the old list with the reason", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  let answer: () => readonly SessionInfo[] = () => [info("one", { title: "One" })];
  const { element } = await drawList(listing(() => answer()));
  answer = () => [info("one", { title: "One" }), info("two", { title: "Two" })];
  await drawnAfter(() => vi.advanceTimersByTime(19_000));
  expect(texts(element, "li .title")).toEqual(["One"]);
  await drawnAfter(() => vi.advanceTimersByTime(1_000));
  expect(texts(element, "li .title")).toEqual(["One", "Two"]);
  answer = () => {
    throw new Error("The agent is away.");
  };
  await drawnAfter(() => vi.advanceTimersByTime(20_000));
  expect(texts(element, "li .title")).toEqual(["One", "Two"]);
  expect(texts(element, "[role=alert]")).toEqual(["The agent is away."]);
});

it("a new session begins in the folder of the server, or that of the newest session", async () => {
  const submit = async (element: unknown) =>
    drawnAfter(() => {
      const form = (element as Element).querySelector("form");
      form?.dispatchEvent(
        new (globalThis as never as { window: Window & typeof globalThis }).window.Event("submit", {
          bubbles: true,
          cancelable: true,
        }),
      );
    });
  const served = await drawList(
    listing(() => []),
    { folder: "/served" },
  );
  await submit(served.element);
  const listed = await drawList(listing(() => [info("one", { cwd: "/listed" })]));
  await submit(listed.element);
  const unknown = await drawList(listing(() => []));
  await submit(unknown.element);
  expect([served.begun, listed.begun, unknown.begun]).toEqual([["/served"], ["/listed"], []]);
});

it("defect E27: a title of a million characters is cut, and the button that deletes names its hidden characters", async () => {
  const { element } = await drawList(listing(() => [info("long", { title: `\u202e<b>${"t".repeat(1_000_000)}` })]));
  expect(texts(element, "li .title")).toEqual([`\u202e<b>${"t".repeat(196)}…`]);
  expect(texts(element, "li .unseen")).toEqual([`Delete ⟨U+202E⟩<b>${"t".repeat(196)}…`]);
  const half = await drawList(listing(() => [info("half", { title: `${"t".repeat(199)}\u{1f600}t` })]));
  expect(texts(half.element, "li .title")).toEqual([`${"t".repeat(199)}…`]);
});
