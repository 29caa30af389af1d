/// <reference lib="dom" />
import { type Agent, type ContentBlock, createAgent } from "@turnkit/agent";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInChromium } from "./chromium.js";
import { createShowcase } from "./showcase.js";
import { serveWeb } from "./web-server.js";

/** Picture of one pixel. */
const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describeInChromium("the prompt box of the page", (openPage) => {
  async function begin(agent: Agent): Promise<Page> {
    const { invite } = await serveWeb(agent);
    const page = await openPage();
    page.setDefaultTimeout(25_000);
    await page.goto(invite("Ann"));
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByLabel("Prompt").waitFor();
    return page;
  }
  const pastePicture = (page: Page) =>
    page.getByLabel("Prompt").evaluate((field, base64) => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], "pixel.png", { type: "image/png" }));
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    }, PIXEL);

  it("SHARE-13: a slash lists the agent's commands, and the keyboard chooses one", async () => {
    const page = await begin(createShowcase());
    const field = page.getByLabel("Prompt");
    await field.pressSequentially("/re");
    const options = page.getByRole("listbox", { name: "Commands" }).getByRole("option");
    await expect.poll(() => options.allInnerTexts()).toHaveLength(2);
    expect(await options.first().textContent()).toContain("Review the changes");
    await field.press("ArrowDown");
    expect(await options.nth(1).getAttribute("aria-selected")).toBe("true");
    expect(await field.getAttribute("aria-activedescendant")).toBe(await options.nth(1).getAttribute("id"));
    await field.press("Enter");
    expect(await field.inputValue()).toBe("/release ");
    expect(await options.count()).toBe(0);
    await field.fill("/te");
    await field.press("Escape");
    expect(await options.count()).toBe(0);
    expect(await field.inputValue()).toBe("/te");
  });

  it("defect E11: an at sign lists the files of the folder, and a prompt links to those that it mentions", async () => {
    const got: ContentBlock[] = [];
    const page = await begin(
      createAgent({
        info: { name: "agent", version: "1.0.0" },
        newSession() {},
        async prompt(turn) {
          got.push(...turn.prompt);
          await turn.say("Seen.");
        },
      }),
    );
    const field = page.getByLabel("Prompt");
    await field.fill("compare  with the old one");
    for (let count = 0; count < " with the old one".length; count++) await field.press("ArrowLeft");
    await field.pressSequentially("@cart");
    const options = page.getByRole("listbox", { name: "Files" }).getByRole("option");
    await expect.poll(() => options.allInnerTexts()).toEqual(["@src/cart.ts", '@"src/my cart.ts"']);
    await field.press("ArrowDown");
    await field.press("Tab");
    await field.pressSequentially("and @READ");
    await options.getByText("@README.md").click();
    await field.pressSequentially("not @src/nothing.ts ");
    expect(await field.inputValue()).toBe(
      'compare @"src/my cart.ts" and @README.md not @src/nothing.ts  with the old one',
    );
    await field.press("Enter");
    await page.getByText("Seen.").waitFor();
    expect(got).toEqual([
      { type: "text", text: expect.stringContaining("compare") },
      { type: "resource_link", uri: "file:///work/src/my%20cart.ts", name: "src/my cart.ts" },
      { type: "resource_link", uri: "file:///work/README.md", name: "README.md" },
    ]);
  });

  it("defect E12: a new session in a folder that is missing is refused with the reason, and the old one stays", async () => {
    const page = await begin(createShowcase());
    await page.getByLabel("Folder").fill("/missing");
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByRole("alert").getByText("has no folder /missing").waitFor();
    expect(await page.locator("#sessions li").count()).toBe(1);
    await page.getByLabel("Folder").fill("/work");
    await page.getByRole("button", { name: "New session" }).click();
    await expect.poll(() => page.locator("#sessions li").count()).toBe(2);
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  it("SHARE-13: a pasted picture is sent to an agent that reads pictures, and another agent's page says why not", async () => {
    const got: ContentBlock[] = [];
    const create = (image: boolean) =>
      createAgent({
        info: { name: "agent", version: "1.0.0" },
        promptCapabilities: { image },
        newSession() {},
        async prompt(turn) {
          got.push(...turn.prompt);
          await turn.say("Seen.");
        },
      });
    const page = await begin(create(true));
    await pastePicture(page);
    await page.getByRole("list", { name: "Pasted pictures" }).getByText("pixel.png").waitFor();
    await page.getByLabel("Prompt").fill("Look.");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Seen.").waitFor();
    expect(got).toMatchObject([
      { type: "text", text: "Look." },
      { type: "image", mimeType: "image/png", data: PIXEL },
    ]);
    await page.getByRole("img", { name: "From the agent" }).or(page.locator("img.picture")).first().waitFor();
    expect(await page.getByRole("list", { name: "Pasted pictures" }).count()).toBe(0);

    const other = await begin(create(false));
    await pastePicture(other);
    await other.getByRole("alert").getByText("reads no pictures").waitFor();
  });

  it("P-SUB-01: the work of a subagent is shown beside the conversation", async () => {
    const page = await begin(
      createAgent({
        info: { name: "agent", version: "1.0.0" },
        newSession() {},
        async prompt(turn) {
          const child = turn.session.child("Read the tests");
          await child.say("I read 12 tests.");
          child.idle();
          await turn.say("The subagent has read them.");
        },
      }),
    );
    await page.getByLabel("Prompt").fill("Go.");
    await page.getByLabel("Prompt").press("Enter");
    await page.getByText("The subagent has read them.").waitFor();
    const bar = page.getByRole("navigation", { name: "Subagents" });
    await bar.getByRole("button", { name: "Read the tests" }).click();
    await page.getByText("I read 12 tests.").waitFor();
    expect(await page.getByText("The subagent has read them.").count()).toBe(0);
    await bar.getByRole("button", { name: "Conversation" }).click();
    await page.getByText("The subagent has read them.").waitFor();
  });

  it("SHARE-13: code has colours when it no longer grows", async () => {
    const page = await begin(createShowcase());
    await page.getByLabel("Prompt").fill("Mend it.");
    await page.getByLabel("Prompt").press("Enter");
    await page.locator("code .code-keyword").getByText("const").waitFor();
  });
});
