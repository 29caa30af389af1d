/// <reference lib="dom" />
import { createAgent } from "@turnkit/agent";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInChromium } from "./chromium.js";
import { createLongAgent, END } from "./figures/loads.js";
import { serveWeb } from "./web-server.js";

/** Rounds of a thought, a tool call and an answer. */
const ROUNDS = 40;
const ENTRIES = 3 * ROUNDS + 1;
/** Number of entries with which the page opens a stored session. */
const NEWEST = 100;

describeInChromium("a long conversation in the page", (openPage) => {
  async function openLong(): Promise<Page> {
    const { invite } = await serveWeb(createLongAgent(50 * ROUNDS).agent);
    const page = await openPage({ viewport: { width: 1000, height: 700 } });
    await page.goto(invite("Ann"));
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByLabel("Prompt").fill("Work.");
    await page.getByLabel("Prompt").press("Enter");
    await page.locator("output").getByText("Ready", { exact: true }).waitFor();
    return page;
  }
  const rows = (page: Page) =>
    page.locator("[data-row]").evaluateAll((all) => all.map((row) => Number((row as HTMLElement).dataset.row)));

  it("SHARE-13: only what is near the view has elements, the prompt box stays in view, and a reload shows the end", async () => {
    const page = await openLong();
    for (const visit of ["at the end of the turn", "after a reload"]) {
      await page.getByText(END).waitFor();
      expect(
        await page
          .getByText(END)
          .boundingBox()
          .then((box) => (box?.y ?? 9_999) < 700),
        visit,
      ).toBe(true);
      const drawn = await rows(page);
      // A reload opens the newest entries.
      expect(Math.max(...drawn)).toBe(visit === "after a reload" ? NEWEST - 1 : ENTRIES - 1);
      expect(drawn.length).toBeLessThan(40);
      const box = await page.getByLabel("Prompt").boundingBox();
      expect((box?.y ?? 9_999) + (box?.height ?? 0), visit).toBeLessThanOrEqual(700);
      await page.reload();
    }
  });

  it("SHARE-13: a person scrolls to the first entry by keyboard, and what was opened there is open after scrolling away", async () => {
    const page = await openLong();
    const view = page.getByRole("region", { name: "Conversation" });
    await view.press("Home");
    await page.getByText("Work.", { exact: true }).waitFor();
    const thought = page.locator("details.thought").first();
    await thought.locator("summary").click();
    await thought.getByText("The parser reads").last().waitFor();
    const text = await thought.textContent();
    await view.press("End");
    await page.getByText(END).waitFor();
    await view.press("Home");
    await page.getByText("Work.", { exact: true }).waitFor();
    expect(await page.locator("details.thought").first().textContent()).toBe(text);
  });

  it("SHARE-13, defect E29: a long session opens with its newest entries, and the earlier ones come above what is in view when a person scrolls up", async () => {
    const page = await openLong();
    await page.reload();
    await page.getByText(END).waitFor();
    expect(Math.max(...(await rows(page)))).toBe(NEWEST - 1);
    const view = page.getByRole("region", { name: "Conversation" });
    await view.press("Home");
    // The entry that was the first one is in view still.
    const oldest = page.locator(`[data-row="${ENTRIES - NEWEST}"]`);
    await expect.poll(async () => (await oldest.boundingBox())?.y).toBeGreaterThanOrEqual(0);
    expect((await oldest.boundingBox())?.y).toBeLessThan(300);
    await view.press("Home");
    await page.locator('[data-row="0"]').getByText("Work.", { exact: true }).waitFor();
    expect(await page.locator(".earlier").count()).toBe(0);
  });

  /** Requests that the page sends to restore a session, from now on. */
  const restoresOf = (page: Page) => {
    const restores: string[] = [];
    page.on("websocket", (socket) =>
      socket.on("framesent", ({ payload }) => {
        if (`${payload}`.includes('"session/resume"')) restores.push(`${payload}`);
      }),
    );
    return restores;
  };
  const twoFrames = (page: Page) =>
    page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));

  it("defect E31: on a phone, the list of sessions in place of a conversation does not load the earlier entries", async () => {
    const page = await openLong();
    await page.setViewportSize({ width: 400, height: 700 });
    const restores = restoresOf(page);
    await page.reload();
    await page.getByText(END).waitFor();
    for (const state of ["hidden", "visible"] as const) {
      await page.locator(".list-button").click();
      await page.locator(".timeline").waitFor({ state });
      await twoFrames(page);
    }
    expect(restores).toEqual([expect.stringContaining("turnkit.newest")]);
  });

  it("defect E33: while a question is open, earlier entries are loaded only by their button", async () => {
    const agent = createAgent({
      info: { name: "agent", version: "1.0.0" },
      newSession() {},
      async prompt(turn) {
        for (let at = 0; at < 60; at++) {
          turn.toolCall({ title: `Change file ${at}` }).finish();
          await turn.say(`text ${at}`);
        }
        await turn.toolCall({ title: "Delete all" }).ask();
      },
    });
    const { invite } = await serveWeb(agent);
    const ann = await openPage();
    await ann.goto(invite("Ann"));
    await ann.getByRole("button", { name: "New session" }).click();
    await ann.getByLabel("Prompt").fill("Work.");
    await ann.getByLabel("Prompt").press("Enter");
    await ann.getByRole("button", { name: "Allow" }).first().waitFor();
    const ben = await openPage();
    await ben.goto(invite("Ben"));
    await ben.locator("#sessions li a").first().click();
    await ben.getByRole("button", { name: "Allow" }).first().waitFor();
    await ben.getByRole("region", { name: "Conversation" }).press("Home");
    await ben.getByRole("button", { name: /^Load \d+ earlier entries$/ }).click();
    await ben
      .locator('[data-row="0"]')
      .or(ben.getByText("Work.", { exact: true }))
      .first()
      .waitFor();
    await ben.locator(".earlier").waitFor({ state: "detached" });
    await ben.getByRole("button", { name: "Allow" }).first().waitFor();
  });

  it("defect E34: the text in view stays in its place when earlier entries are inserted between the newest ones of a running turn", async () => {
    const agent = createAgent({
      info: { name: "agent", version: "1.0.0" },
      newSession() {},
      async prompt(turn) {
        for (let at = 0; at < 60; at++) {
          turn.toolCall({ title: `Change file ${at}` }).finish();
          await turn.say(`text ${at}`);
        }
        await new Promise((resolve) => turn.signal.addEventListener("abort", resolve));
      },
    });
    const { invite } = await serveWeb(agent);
    const ann = await openPage();
    await ann.goto(invite("Ann"));
    await ann.getByRole("button", { name: "New session" }).click();
    await ann.getByLabel("Prompt").fill("Work.");
    await ann.getByLabel("Prompt").press("Enter");
    await ann.getByText("text 59", { exact: true }).waitFor();
    const ben = await openPage();
    await ben.goto(invite("Ben"));
    await ben.locator("#sessions li a").first().click();
    await ben.getByText("text 59", { exact: true }).waitFor();
    const tops = await ben.getByRole("region", { name: "Conversation" }).evaluate(async (view) => {
      const frame = () => new Promise(requestAnimationFrame);
      view.scrollTop = 350;
      await frame();
      await frame();
      const { top } = view.getBoundingClientRect();
      const rows = () => [...view.querySelectorAll<HTMLElement>("[data-row]")];
      const read = rows().find((row) => row.getBoundingClientRect().bottom > top)?.textContent;
      const seen: (number | undefined)[] = [];
      const isLoading = () => document.querySelector(".earlier") !== null;
      for (let more = 10; more > 0; more -= isLoading() || rows().length === 0 ? 0 : 1) {
        const row = rows().find(({ textContent }) => textContent === read);
        seen.push(row && Math.round(row.getBoundingClientRect().top));
        await frame();
      }
      return [...new Set(seen)];
    });
    expect(tops).toEqual([expect.any(Number)]);
    expect(Math.max(...(await rows(ben)))).toBeGreaterThan(20);
  });
});
