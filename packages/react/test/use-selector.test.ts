import { createSnapshot, type Entry, messageText, readSnapshot, type SessionState } from "@turnkit/session";
import { createElement, memo } from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { type SessionSource, useSelector } from "../src/index.js";
import { openSession, piece } from "./conversation.js";
import { drawnAfter, mount } from "./mounted.js";

/** A source of states whose subscribers a test can count. */
function sourceOf(first: SessionState) {
  const listeners = new Set<() => void>();
  const source = {
    state: first,
    subscribed: 0,
    subscribe(listener: () => void) {
      source.subscribed += 1;
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    listeners,
    set(state: SessionState) {
      source.state = state;
      for (const listener of [...listeners]) listener();
    },
  };
  return source;
}

const titleOf = (state: SessionState) => state.title ?? "untitled";
const Title = ({ session }: { session: SessionSource }) => useSelector(session, titleOf);

describe("a selector", () => {
  test("shows a part of the state, and its changes", async () => {
    const { agent, session } = await openSession();
    const { text } = await mount(Title, { session });
    expect(text()).toBe("untitled");
    await agent.update({ sessionUpdate: "session_info_update", title: "Parser" });
    expect(text()).toBe("Parser");
  });

  test("draws again only what changed: 50 pieces of the last of 100 messages", async () => {
    const { agent, session } = await openSession();
    for (let index = 0; index < 100; index++) {
      await agent.update({ ...piece(`${index}.`), messageId: `m-${index}` });
    }
    const drawings = { title: 0, list: 0, entries: new Map<string, number>() };
    const CountedTitle = () => {
      drawings.title += 1;
      return useSelector(session, titleOf);
    };
    const EntryView = memo(({ entry }: { entry: Entry }) => {
      drawings.entries.set(entry.key, (drawings.entries.get(entry.key) ?? 0) + 1);
      return entry.type === "message" ? messageText(entry) : null;
    });
    const List = () => {
      drawings.list += 1;
      const timeline = useSelector(session, (state) => state.timeline);
      return [...timeline].map((entry) => createElement(EntryView, { key: entry.key, entry }));
    };
    const Page = () => [createElement(CountedTitle, { key: "title" }), createElement(List, { key: "list" })];
    const { text } = await mount(Page, {}, { isStrict: false });
    for (let index = 0; index < 50; index++) await agent.update({ ...piece("x"), messageId: "m-99" });

    expect(text()).toBe(`untitled${Array.from({ length: 100 }, (_, index) => `${index}.`).join("")}${"x".repeat(50)}`);
    expect(drawings.title).toBe(1);
    expect(drawings.list).toBe(51);
    const counts = [...drawings.entries.values()];
    expect(counts).toEqual([...Array(99).fill(1), 51]);
  });

  test("pieces that arrive together are drawn once", async () => {
    const { agent, session } = await openSession();
    let drawings = 0;
    const Count = () => {
      drawings += 1;
      return useSelector(
        session,
        ({ timeline }) => timeline.at(0)?.type === "message" && messageText(timeline.at(0) as never),
      );
    };
    const { text } = await mount(Count, {}, { isStrict: false });
    await agent.say(...Array(20).fill("x"));
    expect(text()).toBe("x".repeat(20));
    expect(drawings).toBe(2);
  });

  test("that makes a new object draws again only if isEqual says so, and keeps the object", async () => {
    const { agent, session } = await openSession();
    const seen = new Set<object>();
    let drawings = 0;
    const Keys = () => {
      drawings += 1;
      const keys = useSelector(
        session,
        (state) => [...state.timeline].map(({ key }) => key), // another function at each drawing
        (before, now) => before.join() === now.join(),
      );
      seen.add(keys);
      return `${keys.length}`;
    };
    const { text, render } = await mount(Keys, {}, { isStrict: false });
    await agent.say("a");
    await agent.say("b");
    await agent.say("c");
    await render({});
    expect([text(), drawings, seen.size]).toEqual(["1", 3, 2]);
  });

  test("sees a change between its drawing and its effect", async () => {
    const { session } = await openSession();
    const Renaming = () => {
      const { length } = useSelector(session, (state) => state.timeline);
      if (length === 0) queueMicrotask(() => session.prompt("late").ended.catch(() => undefined));
      return `${length}`;
    };
    const { text } = await mount(Renaming, {}, { isStrict: false });
    expect(text()).toBe("1");
  });

  test("follows another session", async () => {
    const one = await openSession();
    const other = await openSession();
    await other.agent.update({ sessionUpdate: "session_info_update", title: "Other" });
    const { text, render } = await mount(Title, { session: one.session });
    await render({ session: other.session });
    expect(text()).toBe("Other");
    await one.agent.update({ sessionUpdate: "session_info_update", title: "One" });
    expect(text()).toBe("Other");
  });

  test("in StrictMode leaves no subscriber behind", async () => {
    const { session } = await openSession();
    const source = sourceOf(session.state);
    const { unmount } = await mount(Title, { session: source });
    expect([source.subscribed, source.listeners.size]).toEqual([2, 1]);
    await unmount();
    expect(source.listeners.size).toBe(0);
  });
});

test("a server draws the state it has, without a subscriber, and the page goes on from there", async () => {
  const { agent, session } = await openSession();
  await agent.update({ sessionUpdate: "session_info_update", title: "Stored" });
  const stored = readSnapshot(JSON.parse(JSON.stringify(createSnapshot(session.state))));
  const source = sourceOf(stored.state as SessionState);
  const html = renderToString(createElement(Title, { session: source }));
  expect([html, source.subscribed]).toEqual(["Stored", 0]);

  const { text, faults } = await mount(Title, { session: source }, { isStrict: false, html });
  expect([text(), faults]).toEqual(["Stored", []]);
  await drawnAfter(() => source.set({ ...source.state, title: "Live" }));
  expect(text()).toBe("Live");
});
