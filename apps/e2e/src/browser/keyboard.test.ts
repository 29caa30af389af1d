/// <reference lib="dom" />
import type { CDPSession, Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInChromium } from "./chromium.js";
import { otherPerson } from "./other-sessions.js";
import { createShowcase } from "./showcase.js";
import { serveWeb } from "./web-server.js";

/** Node of the tree that the browser gives to a screen reader. */
type Named = {
  readonly role: string;
  readonly name: string;
  readonly about: string;
  readonly [property: string]: unknown;
};

/** Reads the tree that the browser gives to a screen reader. */
async function readTree(page: Page): Promise<readonly Named[]> {
  const devtools: CDPSession = await page.context().newCDPSession(page);
  const { nodes } = await devtools.send("Accessibility.getFullAXTree");
  await devtools.detach();
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, description, properties = [] }) => ({
      ...Object.fromEntries(properties.map((one) => [one.name, one.value.value])),
      role: `${role?.value}`,
      name: `${name?.value ?? ""}`,
      about: `${description?.value ?? ""}`,
    }));
}

/** Returns the wanted nodes that a tree does not have with all these members. */
const missing = (tree: readonly Named[], wanted: readonly Partial<Named>[]) =>
  wanted.filter((one) => !tree.some((node) => Object.entries(one).every(([name, value]) => node[name] === value)));

describeInChromium("the page of turnkit without a mouse", (openPage) => {
  /** Name of the element with the focus. Throws if a person does not see where the focus is. */
  const focus = (page: Page) =>
    page.evaluate(() => {
      const { activeElement: one } = document;
      if (one === null || one === document.body) return "nothing";
      const name =
        one.getAttribute("aria-label") ?? (one.closest("label")?.textContent || one.textContent || one.tagName);
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      const { top, bottom, left, right } = one.getBoundingClientRect();
      if (outlineStyle === "none" || outlineWidth === "0px") throw new Error(`${name} does not show the focus.`);
      if (bottom <= 0 || right <= 0 || top >= innerHeight || left >= innerWidth)
        throw new Error(`${name} is out of view.`);
      return name.trim();
    });
  /** Presses Tab until an element with this name has the focus. */
  async function tabTo(page: Page, name: string | RegExp, key = "Tab"): Promise<void> {
    const passed: string[] = [];
    for (let count = 0; count < 60; count++) {
      await page.keyboard.press(key);
      const now = await focus(page);
      if (typeof name === "string" ? now === name : name.test(now)) return;
      passed.push(now);
    }
    throw new Error(`${name} cannot be reached: ${passed.join(", ")}`);
  }
  it("defect E23: new session, prompt, permission, setting, list and deletion need no mouse, and the focus is always seen", async () => {
    const { invite, gateway } = await serveWeb(createShowcase());
    const client = await otherPerson(gateway);
    await client.newSession({ cwd: "/another" });
    const page = await openPage();
    page.setDefaultTimeout(25_000);
    await page.goto(invite("Ann"));
    await page.getByRole("navigation", { name: "Sessions" }).waitFor();
    await tabTo(page, /^Folder/);
    await page.keyboard.press("Enter");
    await page.getByLabel("Prompt").waitFor();
    await expect.poll(() => focus(page)).toBe("Prompt");
    await page.keyboard.type("Ask.");
    await page.keyboard.press("Enter");
    const question = page.getByRole("alertdialog");
    await question.waitFor();
    await expect.poll(() => focus(page)).toContain("Question");
    await tabTo(page, "Allow once");
    await page.keyboard.press("Enter");
    await question.waitFor({ state: "detached" });
    await expect.poll(() => focus(page)).toBe("Prompt");
    await page.locator("output").getByText("Ready", { exact: true }).waitFor();
    await tabTo(page, /^Model/, "Shift+Tab");
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => page.getByLabel("Model").inputValue()).toBe("small");
    await tabTo(page, /another/, "Shift+Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => focus(page)).toBe("Prompt");
    await page.locator(".session-head").getByText("/another").waitFor();
    await tabTo(page, /^×Delete/, "Shift+Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => focus(page)).toBe("Keep");
    await page.keyboard.press("Escape");
    await expect.poll(() => focus(page)).toMatch(/^×Delete/);
    await page.keyboard.press("Enter");
    await tabTo(page, "Delete");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator("#sessions li").count()).toBe(1);
    await expect.poll(() => focus(page)).not.toBe("nothing");
  });

  it("defect E23: the first key stop leads past a long list to the conversation", async () => {
    const { invite } = await serveWeb(createShowcase());
    const page = await openPage();
    page.setDefaultTimeout(25_000);
    await page.goto(invite("Ann"));
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByLabel("Prompt").waitFor();
    await page.reload();
    await page.getByLabel("Prompt").waitFor();
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await tabTo(page, "To the conversation");
    await page.keyboard.press("Enter");
    await tabTo(page, /^Model/);
  });

  it("defect E24: a screen reader gets the names, the live parts, and what a question asks", async () => {
    const { invite } = await serveWeb(createShowcase());
    const page = await openPage();
    page.setDefaultTimeout(25_000);
    await page.goto(invite("Ann"));
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByLabel("Prompt").fill("Mend it.");
    await page.keyboard.press("Enter");
    await page.locator("output").getByText("Ready", { exact: true }).waitFor();
    const wanted: readonly Partial<Named>[] = [
      { role: "navigation", name: "Sessions" },
      { role: "main" },
      { role: "heading", name: "turnkit", level: 1 },
      { role: "heading", name: "Wrong total of empty carts", level: 2 },
      { role: "region", name: "Conversation", focusable: true },
      { role: "article", name: "Agent" },
      { role: "textbox", name: "Prompt", multiline: true, focusable: true },
      { role: "combobox", name: "Model", focusable: true },
      { role: "button", name: "Delete Wrong total of empty carts" },
      { role: "status", live: "polite", atomic: true },
      { role: "meter", name: "Context that is used" },
    ];
    await expect.poll(async () => missing(await readTree(page), wanted)).toEqual([]);
    await page.getByLabel("Prompt").fill("Ask.");
    await page.keyboard.press("Enter");
    await page.getByRole("alertdialog").waitFor();
    await page.locator("output").getByText("Waits for an answer").waitFor();
    const tree = await readTree(page);
    const asked = [
      { role: "alertdialog", name: "Question", about: "Publish" },
      { role: "button", name: "Allow once" },
    ];
    expect(missing(tree, asked)).toEqual([]);
    // Every control has a name.
    const controls = /^(?:button|link|textbox|searchbox|combobox|checkbox|alertdialog|dialog|region|navigation)$/;
    expect(tree.filter(({ role, name }) => controls.test(role) && name.trim() === "")).toEqual([]);
  });
});
