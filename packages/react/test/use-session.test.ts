import type { Client, Session } from "@turnkit/client";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { type OpenedSession, type SessionTarget, useSession } from "../src/index.js";
import { open, piece } from "./conversation.js";
import { drawnAfter, mount } from "./mounted.js";

type Props = { readonly client: Client | undefined; readonly target: SessionTarget };

const target = { cwd: "/work" };

/** A component that shows the result, and what it got at each drawing. */
function shower() {
  const seen: OpenedSession[] = [];
  const Shown = ({ client, target }: Props) => {
    const opened = useSession(client, { ...target });
    seen.push(opened);
    return `${opened.status} ${opened.session?.id ?? opened.error?.message ?? ""}`.trim();
  };
  return { Shown, seen, latest: () => seen.at(-1) as OpenedSession };
}

describe("a session", () => {
  test("is opened once, in StrictMode too, and stays the same object", async () => {
    const { agent, client } = await open();
    const { Shown, seen } = shower();
    const { text, render } = await mount(Shown, { client, target });
    expect(text()).toBe("opening");
    await agent.answer(await agent.call("session/new"), { sessionId: "s-1" });
    expect(text()).toBe("open s-1");
    await render({ client, target: { ...target } });
    await agent.say("not its part");
    expect(agent.count("session/new")).toBe(1);
    expect(new Set(seen.map(({ session }) => session)).size).toBe(2);
  });

  test("is opened when there is a client", async () => {
    const { agent, client } = await open();
    const { Shown } = shower();
    const { text, render } = await mount(Shown, { client: undefined as Client | undefined, target });
    expect(text()).toBe("opening");
    await render({ client, target });
    await agent.answer(await agent.call("session/new"), { sessionId: "s-1" });
    expect(text()).toBe("open s-1");
  });

  test("is shared by components with an equal target, and is there for a component that is mounted again", async () => {
    const { agent, client } = await open();
    const one = shower();
    const other = shower();
    const first = await mount(one.Shown, { client, target });
    await mount(other.Shown, { client, target });
    await agent.answer(await agent.call("session/new"), { sessionId: "s-1" });
    await first.unmount();
    const again = await mount(one.Shown, { client, target });
    expect(again.text()).toBe("open s-1");
    expect(one.latest().session).toBe(other.latest().session);
    expect(agent.count("session/new")).toBe(1);
  });

  test("differs by key, and sends neither key nor id", async () => {
    const { agent, client } = await open();
    const { Shown } = shower();
    const { text, render } = await mount(Shown, { client, target: { ...target, key: "1" } });
    await agent.answer(await agent.call("session/new"), { sessionId: "s-1" });
    await render({ client, target: { ...target, key: "2" } });
    expect(text()).toBe("opening");
    const { params, ...second } = await agent.call("session/new");
    expect(params).toEqual({ cwd: "/work", mcpServers: [] });
    await agent.answer(second, { sessionId: "s-2" });
    expect(text()).toBe("open s-2");
    await render({ client, target: { ...target, key: "1" } });
    expect(text()).toBe("open s-1");
  });

  test("that the agent has is restored", async () => {
    const { agent, client } = await open();
    const { Shown, latest } = shower();
    const { text } = await mount(Shown, { client, target: { ...target, sessionId: "old" } });
    const call = await agent.call("session/load");
    expect(call.params).toMatchObject({ sessionId: "old", cwd: "/work" });
    await agent.updateOf("old", piece("earlier"));
    await agent.answer(call, {});
    expect(text()).toBe("open old");
    expect(latest().session?.state.timeline.length).toBe(1);
  });

  test("that cannot be opened shows the error, and retry opens again, once", async () => {
    const { agent, client } = await open();
    const { Shown, latest } = shower();
    const { text } = await mount(Shown, { client, target });
    await agent.refuse(await agent.call("session/new"), -32000, "Log in first");
    expect(text()).toContain("failed");
    expect(latest().error).toMatchObject({ code: -32000 });
    const { retry } = latest() as { retry: () => void };
    await drawnAfter(retry);
    expect(text()).toBe("opening");
    await drawnAfter(retry);
    await agent.answer(await agent.call("session/new"), { sessionId: "s-1" });
    expect(text()).toBe("open s-1");
    expect(agent.count("session/new")).toBe(2);
  });

  test("that cannot be restored shows the error of the outcome", async () => {
    const { agent, client } = await open();
    const { Shown } = shower();
    const { text } = await mount(Shown, { client, target: { ...target, sessionId: "gone" } });
    await agent.refuse(await agent.call("session/load"), -32002, "No such session");
    expect(text()).toContain("No such session");
  });

  test("that has ended stays while it is shown, and the next mount opens another", async () => {
    const { agent, client } = await open();
    const { Shown, latest } = shower();
    const { text, unmount } = await mount(Shown, { client, target });
    await agent.answer(await agent.call("session/new"), { sessionId: "s-1" });
    await drawnAfter(() => (latest().session as Session).close());
    expect([text(), latest().session?.state.closed]).toEqual(["open s-1", true]);
    await unmount();
    const again = await mount(Shown, { client, target });
    expect(again.text()).toBe("opening");
    await agent.answer(await agent.call("session/new"), { sessionId: "s-2" });
    expect(again.text()).toBe("open s-2");
  });
});

test("a server opens nothing", async () => {
  const { agent, client } = await open();
  const { Shown } = shower();
  expect(renderToString(createElement(Shown, { client, target }))).toBe("opening");
  expect(agent.count("session/new")).toBe(0);
});
