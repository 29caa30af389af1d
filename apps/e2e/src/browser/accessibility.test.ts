import type { BrowserContextOptions } from "playwright-core";
import { expect, it } from "vitest";
import { violations } from "./axe-violations.js";
import { describeInChromium } from "./chromium.js";
import { addWork } from "./other-sessions.js";
import { createShowcase } from "./showcase.js";
import { serveWeb } from "./web-server.js";

const screens: readonly (readonly [name: string, options: BrowserContextOptions])[] = [
  ["light", { colorScheme: "light", viewport: { width: 1280, height: 800 } }],
  ["dark", { colorScheme: "dark", viewport: { width: 1280, height: 800 } }],
  ["a light phone", { colorScheme: "light", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
  ["a dark phone", { colorScheme: "dark", viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
];

describeInChromium("the page of turnkit, examined by axe", (openPage) => {
  it.each(screens)("SHARE-13: axe finds nothing on any view: %s", async (_, options) => {
    const { invite, url, gateway } = await serveWeb(createShowcase());
    const page = await openPage(options);
    page.setDefaultTimeout(25_000);
    const found: Record<string, readonly string[]> = {};
    const examine = async (view: string) => {
      found[view] = await violations(page);
    };
    const prompt = async (text: string) => {
      await page.getByLabel("Prompt").fill(text);
      await page.getByRole("button", { name: "Send" }).click();
    };
    await page.goto(url);
    await page.getByRole("alert").waitFor();
    await examine("not logged in");
    // The same page with another fragment.
    await page.goto(invite("Ann"));
    await page.getByText("There are no sessions yet.").waitFor();
    await examine("empty list of sessions");
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByLabel("Prompt").waitFor();
    await examine("new session");
    await page.getByLabel("Prompt").fill("/");
    await page.getByRole("listbox").waitFor();
    await examine("commands");
    await prompt("Mend the total.");
    await page.getByText("the report").waitFor();
    await page.locator("output").getByText("Ready", { exact: true }).waitFor();
    await page.locator("summary").filter({ hasText: "Plan:" }).click();
    await examine("end of a conversation");
    await page.getByRole("region", { name: "Conversation" }).press("Home");
    await page.locator("summary").filter({ hasText: "Thought" }).click();
    await examine("start of a conversation");
    await prompt("Ask.");
    await page.getByRole("alertdialog").waitFor();
    await examine("permission");
    await page.getByRole("alertdialog").getByRole("button").first().click();
    await page.getByRole("alertdialog").waitFor({ state: "detached" });
    await prompt("Fill in.");
    await page.getByLabel("Version").waitFor();
    await page.getByRole("alertdialog").getByRole("button", { name: "Send" }).click();
    await examine("form with a fault");
    await page.getByRole("alertdialog").getByRole("button", { name: "Decline" }).click();
    const sessions = page.getByRole("button", { name: "Sessions" });
    if (await sessions.isVisible()) await sessions.click();
    await addWork(gateway);
    await page.reload();
    await page.getByLabel("Prompt").waitFor({ state: "attached" });
    if (await sessions.isVisible()) await sessions.click();
    await page.getByText("Waits for an answer", { exact: true }).first().waitFor();
    await page.getByLabel("Search sessions").fill("work");
    await page.getByText("7 found").waitFor();
    await examine("list of sessions");
    await page.getByRole("button", { name: "Delete Without a title" }).first().click();
    await examine("question before a session is deleted");
    await page.getByRole("button", { name: "Keep" }).click();
    await page.getByRole("button", { name: "Inspector" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "session/list" }).first().click();
    await page.getByRole("region", { name: "Payload" }).waitFor();
    await examine("inspector");
    expect(Object.fromEntries(Object.entries(found).filter(([, all]) => all.length > 0))).toEqual({});
  });
});
