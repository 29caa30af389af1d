/// <reference lib="dom" />
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInChromium } from "./chromium.js";
import { createLongAgent, END } from "./figures/loads.js";
import { serveWeb } from "./web-server.js";

describeInChromium("earlier entries in the page", (openPage) => {
  /** Opens a conversation of which the page has the newest entries. The first request for all of them is refused. */
  async function openAndRefuse(): Promise<Page> {
    const { invite } = await serveWeb(createLongAgent(2_000).agent);
    const page = await openPage({ viewport: { width: 1000, height: 700 } });
    page.setDefaultTimeout(25_000);
    let isRefused = false;
    await page.routeWebSocket(/\/acp/, (socket) => {
      const server = socket.connectToServer();
      socket.onMessage((frame) => {
        const isWhole = `${frame}`.includes('"session/resume"') && !`${frame}`.includes("turnkit.newest");
        if (!isWhole || isRefused) return server.send(frame);
        isRefused = true;
        const { id } = JSON.parse(`${frame}`);
        socket.send(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32603, message: "Not now" } }));
      });
    });
    await page.goto(invite("Ann"));
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByLabel("Prompt").fill("Work.");
    await page.getByLabel("Prompt").press("Enter");
    await page.locator("output").getByText("Ready", { exact: true }).waitFor();
    await page.reload();
    await page.getByText(END).waitFor();
    return page;
  }
  const focused = (page: Page) =>
    page.evaluate(() => {
      const { activeElement: one } = document;
      return one?.getAttribute("aria-label") ?? one?.textContent;
    });

  it("defect E35: the button Try again keeps the focus while earlier entries are loaded, and then the conversation has it", async () => {
    const page = await openAndRefuse();
    await page.getByRole("region", { name: "Conversation" }).press("Home");
    await page.getByRole("alert").getByText("The earlier entries could not be loaded.").waitFor();
    await page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(globalThis, { seen });
      document.addEventListener("focusout", ({ relatedTarget }) => {
        const next = relatedTarget as Element | null;
        seen.push(next?.getAttribute("aria-label") ?? next?.textContent ?? "nothing");
      });
    });
    await page.getByRole("button", { name: "Try again" }).press("Enter");
    await page.locator(".earlier").waitFor({ state: "detached" });
    expect(await focused(page)).toBe("Conversation");
    expect(await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen)).toEqual([
      "Try again",
      "Conversation",
    ]);
  });
});
