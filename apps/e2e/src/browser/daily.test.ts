/// <reference lib="dom" />
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInChromium } from "./chromium.js";
import { createSettledAgent } from "./desk-and-phone-agent.js";
import { createShowcase } from "./showcase.js";
import { serveWeb } from "./web-server.js";

describeInChromium("a day with the page of turnkit", (openPage) => {
  async function begin(): Promise<Page> {
    const { invite } = await serveWeb(createSettledAgent());
    const page = await openPage();
    page.setDefaultTimeout(25_000);
    await page.goto(invite("Ann"));
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByLabel("Prompt").waitFor();
    return page;
  }
  const isInView = (page: Page, text: string) =>
    page
      .getByText(text, { exact: true })
      .evaluateAll((all) => all.some((one) => one.getBoundingClientRect().top < innerHeight));

  it("defect E9: a first visit without an invitation writes no error to the console", async () => {
    const { url } = await serveWeb(createSettledAgent());
    const page = await openPage();
    const errors: string[] = [];
    page.on("console", (message) => void (message.type() === "error" && errors.push(message.text())));
    await page.goto(url);
    await page.getByRole("alert").getByText("not logged in").waitFor();
    expect(errors).toEqual([]);
  });

  it("defect E4: a new session has the focus in its prompt field", async () => {
    const page = await begin();
    await page.keyboard.type("Typed at once");
    expect(await page.getByLabel("Prompt").inputValue()).toBe("Typed at once");
  });

  it("defect E5: a sent prompt is shown with its answer after the person has scrolled up, and a button leads to the end", async () => {
    const page = await begin();
    const scrollUp = async () => {
      await page.getByRole("region", { name: "Conversation" }).hover();
      await page.mouse.wheel(0, -2_000);
      await end.waitFor();
    };
    const end = page.getByRole("button", { name: "Newest text" });
    await page.keyboard.type("one");
    await page.keyboard.press("Enter");
    await page.getByText("The end of one").waitFor();
    await page.locator("output[data-status=ready]").waitFor();
    expect(await end.count()).toBe(0);
    await scrollUp();
    await page.getByLabel("Prompt").fill("two");
    await page.getByLabel("Prompt").press("Enter");
    await page.getByText("The end of two").waitFor();
    await expect.poll(() => isInView(page, "The end of two")).toBe(true);
    await end.waitFor({ state: "detached" });
    await scrollUp();
    await end.click();
    await expect.poll(() => isInView(page, "The end of two")).toBe(true);
    await end.waitFor({ state: "detached" });
  });

  it("defect E6: after the answer of a question, which makes the foot lower, new text is followed", async () => {
    const page = await begin();
    await page.keyboard.type("one");
    await page.keyboard.press("Enter");
    await page.getByText("The end of one").waitFor();
    await page.locator("output[data-status=ready]").waitFor();
    await page.getByLabel("Prompt").fill("Ask.");
    await page.getByLabel("Prompt").press("Enter");
    await page.getByRole("alertdialog").getByRole("button").first().click();
    await expect.poll(() => isInView(page, "The end of Ask.")).toBe(true);
    await expect.poll(() => page.getByRole("button", { name: "Newest text" }).count()).toBe(0);
  });

  it("defect E15: a button copies a piece of code", async () => {
    const { invite } = await serveWeb(createShowcase());
    const page = await openPage({ permissions: ["clipboard-read", "clipboard-write"] });
    page.setDefaultTimeout(25_000);
    await page.goto(invite("Ann"));
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByLabel("Prompt").fill("Mend it.");
    await page.getByLabel("Prompt").press("Enter");
    // Before the turn has ended, new entries would move the button away from the mouse.
    await page.getByLabel("Context that is used").waitFor();
    await page.locator("output[data-status=ready]").waitFor();
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("export const total");
  });
});
