/// <reference lib="dom" />
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInChromium } from "./chromium.js";
import { createSettledAgent } from "./desk-and-phone-agent.js";
import { serveWeb } from "./web-server.js";

const touch = { isMobile: true, hasTouch: true } as const;

/** Small phones: upright, on their side, and with a keyboard that takes half of the screen. */
const screens = [
  ["a small phone", { width: 360, height: 640 }, 300],
  ["a phone on its side", { width: 640, height: 360 }, 120],
  ["a keyboard on the screen", { width: 360, height: 320 }, 100],
] as const;

describeInChromium("the page of turnkit on a phone", (openPage) => {
  async function begin(viewport: { width: number; height: number }): Promise<Page> {
    const { invite } = await serveWeb(createSettledAgent());
    const page = await openPage({ viewport, ...touch });
    page.setDefaultTimeout(25_000);
    await page.goto(invite("Ann"));
    await page.getByRole("button", { name: "New session" }).tap();
    await page.getByLabel("Prompt").waitFor();
    return page;
  }
  const send = async (page: Page, text: string) => {
    await page.getByLabel("Prompt").fill(text);
    await page.getByRole("button", { name: "Send" }).tap();
  };
  /** Pixels of an element that the screen does not show, from top to bottom. */
  const hidden = (one: Locator) =>
    one.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return Math.round(Math.max(0, -top) + Math.max(0, bottom - innerHeight));
    });
  /** Sets the size of letters as in the settings of the browser. */
  const setLetters = async (page: Page, standard: number) => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send("Page.setFontSizes", { fontSizes: { standard, fixed: 20 } });
  };
  /** Returns true if another element is above the middle of this one. */
  const isCovered = (one: Locator) =>
    one.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return !element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    });
  const heightOf = async (one: Locator) => (await one.boundingBox())?.height ?? 0;

  it.each(screens)(
    "defect E1: on %s, the conversation has room, and the prompt field is on the screen",
    async (_, size, least) => {
      const page = await begin(size);
      await send(page, "Go on.");
      await page.getByText("The end of Go on.").waitFor();
      await page.locator("output[data-status=ready]").waitFor();
      expect(await hidden(page.getByLabel("Prompt"))).toBe(0);
      expect(await heightOf(page.getByRole("region", { name: "Conversation" }))).toBeGreaterThan(least);
      expect(await page.getByLabel("Model").isVisible()).toBe(false);
      await page.getByRole("button", { name: "Settings" }).tap();
      expect(await hidden(page.getByLabel("Model"))).toBe(0);
    },
  );

  it.each(screens)("defect E1: on %s, a question shows what it covers and all its answers", async (_, size) => {
    const page = await begin(size);
    await send(page, "Ask.");
    const question = page.getByRole("alertdialog");
    await question.waitFor();
    for (const button of await question.getByRole("button").all()) expect(await hidden(button)).toBe(0);
    expect(await hidden(page.getByRole("button", { name: "Stop" }))).toBe(0);
    expect(await heightOf(question.locator(".covered"))).toBeGreaterThan(60);
    expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);
  });

  const large = [
    [24, { width: 360, height: 640 }],
    [24, { width: 640, height: 360 }],
    [24, { width: 360, height: 320 }],
    [32, { width: 320, height: 568 }],
  ] as const;
  it.each(large)(
    "defect E18: with letters of %d px on %o, each answer of a question can be reached",
    async (px, size) => {
      const page = await begin(size);
      await setLetters(page, px);
      await send(page, "Ask.");
      const question = page.getByRole("alertdialog");
      await question.waitFor();
      for (const name of ["Allow once", "Always allow", "Reject", "Always reject"]) {
        const button = question.getByRole("button", { name, exact: true });
        await button.scrollIntoViewIfNeeded();
        expect(await hidden(button)).toBe(0);
        expect(await isCovered(button), name).toBe(false);
      }
      expect(await hidden(page.getByLabel("Prompt"))).toBe(0);
      await question.getByRole("button", { name: "Always reject" }).tap();
      await page.getByText("The end of Ask.").waitFor();
    },
  );

  it("defect E2: Enter of a touch keyboard makes a new line, and the button sends", async () => {
    const page = await begin({ width: 390, height: 844 });
    const field = page.getByLabel("Prompt");
    await field.tap();
    await page.keyboard.type("one");
    await page.keyboard.press("Enter");
    await page.keyboard.type("two");
    expect(await field.inputValue()).toBe("one\ntwo");
    await page.getByRole("button", { name: "Send" }).tap();
    await page.getByText(/The end of one\s+two/).waitFor();
  });

  it("defect E10: a reload, as after a phone has dropped the page, keeps the draft of each session", async () => {
    const page = await begin({ width: 390, height: 844 });
    await page.getByLabel("Prompt").fill("half a prompt");
    await page.reload();
    await page.getByLabel("Prompt").waitFor();
    expect(await page.getByLabel("Prompt").inputValue()).toBe("half a prompt");
    await page.getByRole("button", { name: "Send" }).tap();
    await page.getByText("The end of half a prompt").waitFor();
    await page.reload();
    await page.getByLabel("Prompt").waitFor();
    expect(await page.getByLabel("Prompt").inputValue()).toBe("");
  });

  it("defect E3: the page follows the size of letters that the browser is set to", async () => {
    const page = await begin({ width: 390, height: 844 });
    await setLetters(page, 24);
    const size = () => page.getByLabel("Prompt").evaluate((field) => getComputedStyle(field).fontSize);
    await expect.poll(size).toBe("24px");
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  });

  it("defect E14: a phone adds a picture by a button", async () => {
    const page = await begin({ width: 360, height: 640 });
    const chosen = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Add pictures" }).tap();
    await (await chosen).setFiles({ name: "photo.png", mimeType: "image/png", buffer: Buffer.from("a picture") });
    await page.getByRole("list", { name: "Pasted pictures" }).getByText("photo.png").waitFor();
    await page.getByRole("button", { name: "Send" }).tap();
    await page.getByText("The end of").waitFor();
    await page.getByRole("region", { name: "Conversation" }).press("Home");
    await page.locator("img.picture").waitFor();
  });
});
