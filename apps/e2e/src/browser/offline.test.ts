/// <reference lib="dom" />
import { createAgent, createMemoryLog } from "@turnkit/agent";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { type CutProxy, startCutProxy } from "../remote/cut-proxy.js";
import { violations } from "./axe-violations.js";
import { describeInChromium } from "./chromium.js";
import { createShowcase } from "./showcase.js";
import { type Kept, serveWeb } from "./web-server.js";

/** Agent that says each prompt, and what it got. */
function echo() {
  const got: string[] = [];
  const agent = createAgent({
    info: { name: "agent", version: "1.0.0" },
    log: createMemoryLog(),
    async prompt(turn) {
      const [block] = turn.prompt;
      const text = block?.type === "text" ? block.text : "";
      got.push(text);
      await turn.say(`The answer to ${text}`);
    },
  });
  return { agent, got };
}

type Visit = { readonly page: Page; readonly proxy: CutProxy; readonly port: number };

/** Connects at once, unless an attempt of the page that was under way has succeeded before. */
const connectNow = (page: Page): Promise<void> =>
  page
    .getByRole("button", { name: "Connect now" })
    .evaluateAll(([button]) => (button as HTMLElement | undefined)?.click());

describeInChromium("the page without its server", (openPage) => {
  /** Opens a new session through a port that can be cut. The page has a clock that the test can move. */
  async function begin(agent: ReturnType<typeof echo>["agent"], kept?: Kept): Promise<Visit> {
    const { invite, url } = await serveWeb(agent, kept);
    const port = Number(new URL(url).port);
    const proxy = await startCutProxy(port);
    const page = await openPage();
    page.setDefaultTimeout(25_000);
    await page.clock.install();
    await page.goto(invite("Ann").replace(`:${port}`, `:${proxy.port}`));
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByLabel("Prompt").waitFor();
    return { page, proxy, port };
  }
  const send = async (page: Page, text: string) => {
    await page.getByLabel("Prompt").fill(text);
    await page.getByLabel("Prompt").press("Enter");
  };
  const lost = async (page: Page) => {
    // Each attempt fails at once, and the next one waits for the clock.
    for (let minute = 0; minute < 30; minute++) {
      await page.clock.runFor(10_000);
      if (await page.getByText("The connection is lost.").isVisible()) return;
    }
    throw new Error("The connection is not lost after five minutes.");
  };

  it("defect E22: in a cut of 20 s, the page says so, and what is sent arrives once when the network is back", async () => {
    const { agent, got } = echo();
    const { page, proxy, port } = await begin(agent);
    await send(page, "one");
    await page.getByText("The answer to one").waitFor();
    proxy.cut();
    await page.getByText("The connection is interrupted. What you send waits.").waitFor();
    expect(await violations(page)).toEqual([]);
    await send(page, "two");
    await page.locator("output").getByText("Sent", { exact: true }).waitFor();
    await page.clock.runFor(20_000);
    proxy.lead(port);
    await page.clock.runFor(10_000);
    await page.getByText("The answer to two").waitFor();
    await page.getByText("The connection is interrupted.").waitFor({ state: "detached" });
    expect(got).toEqual(["one", "two"]);
    expect(await page.getByLabel("Prompt").inputValue()).toBe("");
  });

  it("defect E22: the page tells at once that the device has no network, before a connection can notice it", async () => {
    const { page } = await begin(echo().agent);
    await page.context().setOffline(true);
    await page.getByText("This device has no network.").waitFor();
    await page.context().setOffline(false);
    await page.getByText("This device has no network.").waitFor({ state: "detached" });
  });

  it("defect E22: after five minutes without a network, what was sent and what was typed is in the field again", async () => {
    const { agent, got } = echo();
    const { page, proxy, port } = await begin(agent);
    await send(page, "one");
    await page.getByText("The answer to one").waitFor();
    proxy.cut();
    await page.getByText("The connection is interrupted.").waitFor();
    await send(page, "two");
    await lost(page);
    await page.locator("output").getByText("Not connected").waitFor();
    await page.getByText("The answer to one").waitFor();
    await page.getByLabel("Prompt").fill("three");
    expect(await violations(page)).toEqual([]);
    proxy.lead(port);
    await connectNow(page);
    await page.getByRole("alert").getByText("may not have arrived").waitFor();
    expect(await page.getByLabel("Prompt").inputValue()).toBe("two\n\nthree");
    await page.reload();
    await page.getByLabel("Prompt").waitFor();
    expect(await page.getByLabel("Prompt").inputValue()).toBe("two\n\nthree");
    await page.getByLabel("Prompt").press("Enter");
    await page.getByText(/The answer to two/).waitFor();
    expect(got).toEqual(["one", "two\n\nthree"]);
  });

  it("defect E25: a prompt that was lost and sent again runs once more each time that the person sends the same words", async () => {
    const { agent, got } = echo();
    const { page, proxy, port } = await begin(agent);
    proxy.cut();
    await page.getByText("The connection is interrupted.").waitFor();
    await send(page, "go on");
    await lost(page);
    proxy.lead(port);
    await connectNow(page);
    await page.getByRole("alert").getByText("may not have arrived").waitFor();
    await page.getByLabel("Prompt").press("Enter");
    for (const count of [1, 2]) {
      await expect.poll(() => page.getByText("The answer to go on").count()).toBe(count);
      if (count === 1) await send(page, "go on");
    }
    expect(got).toEqual(["go on", "go on"]);
  });

  it("defect E22: a prompt that had arrived before the connection was lost is not in the field again", async () => {
    const { agent, got } = echo();
    const { page, proxy, port } = await begin(agent);
    await send(page, "same");
    await page.getByText("The answer to same").waitFor();
    await send(page, "same");
    await expect.poll(() => page.getByText("The answer to same").count()).toBe(2);
    proxy.cut();
    await lost(page);
    proxy.lead(port);
    await connectNow(page);
    await page.locator("output").getByText("Ready", { exact: true }).waitFor();
    expect(await page.getByLabel("Prompt").inputValue()).toBe("");
    expect(got).toEqual(["same", "same"]);
  });

  it("defect E22: after a restart of the server, the conversation, the draft and the list are there again", async () => {
    const { agent } = echo();
    const log = createMemoryLog();
    const kept: Kept = { log: () => log, cookies: new Map() };
    const first = await serveWeb(agent, kept);
    const port = Number(new URL(first.url).port);
    const proxy = await startCutProxy(port);
    const page = await openPage();
    page.setDefaultTimeout(25_000);
    await page.goto(first.invite("Ann").replace(`:${port}`, `:${proxy.port}`));
    await page.getByRole("button", { name: "New session" }).click();
    await send(page, "one");
    await page.getByText("The answer to one").waitFor();
    await page.getByLabel("Prompt").fill("half a prompt");
    proxy.cut();
    await page.getByText("The connection is").waitFor();
    await first.gateway.close();
    const second = await serveWeb(agent, kept);
    proxy.lead(Number(new URL(second.url).port));
    await page.getByText("The connection is").waitFor({ state: "detached" });
    await page.getByText("The answer to one").waitFor();
    expect(await page.getByLabel("Prompt").inputValue()).toBe("half a prompt");
    await page.getByLabel("Prompt").press("Enter");
    await page.getByText("The answer to half a prompt").waitFor();
  });

  it("defect E22: a form that was filled in before the connection was lost is filled in when it is asked again", async () => {
    const { page, proxy, port } = await begin(createShowcase());
    await send(page, "Fill in.");
    await page.getByLabel("Version").fill("1.2.3");
    proxy.cut();
    await lost(page);
    proxy.lead(port);
    await connectNow(page);
    await page.getByText("The connection is lost.").waitFor({ state: "detached" });
    await page.getByLabel("Version").waitFor();
    expect(await page.getByLabel("Version").inputValue()).toBe("1.2.3");
  });
});
