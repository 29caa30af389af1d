import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { useConnection } from "../src/index.js";
import { open } from "./conversation.js";
import { mount } from "./mounted.js";

type Props = { readonly client: Awaited<ReturnType<typeof open>>["client"] };

const Shown = ({ client }: Props) => {
  const { status, reason } = useConnection(client);
  return `${status} ${reason?.kind ?? ""}`.trim();
};

test("a connection is open, then closed with its reason, for every component", async () => {
  const { agent, client } = await open();
  const one = await mount(Shown, { client });
  const gone = await mount(Shown, { client });
  await gone.unmount();
  expect(one.text()).toBe("open");
  await agent.close();
  expect(one.text()).toBe("closed remote");
  const late = await mount(Shown, { client });
  expect(late.text()).toBe("closed remote");
});

test("a client that had closed before is shown as closed", async () => {
  const { client } = await open();
  await client.close();
  const { text } = await mount(Shown, { client });
  expect(text()).toBe("closed local");
});

test("the hook tells the client that somebody sees the end, so that the client does not report it", async () => {
  const codes: string[] = [];
  const { agent, client } = await open({ onDiagnostic: ({ code }) => void codes.push(code) });
  await mount(Shown, { client });
  await agent.close();
  expect(codes).not.toContain("connection_lost");
});

test("a server draws the status it knows", async () => {
  const { client } = await open();
  expect(renderToString(createElement(Shown, { client }))).toBe("open");
});
