/// <reference lib="dom" />
import { createAgent } from "@turnkit/agent";
import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import { describeInChromium } from "./chromium.js";
import { serveWeb } from "./web-server.js";

const HEBREW = "הסכום הכולל שגוי";
const ANSWER = [
  `# ${HEBREW}`,
  `${HEBREW}.`,
  "Then English.",
  `\`total()\` ${HEBREW}`,
  `- ${HEBREW}\n- ${HEBREW}`,
  `> ${HEBREW}`,
  `| ${HEBREW} | a |\n| --- | --- |\n| 1 | 2 |`,
  `\`\`\`js\n// ${HEBREW}\n\`\`\``,
].join("\n\n");

const direction = (one: Locator) => one.evaluate((element) => getComputedStyle(element).direction);

describeInChromium("languages from right to left in the page", (openPage) => {
  it("defect E19: each paragraph begins at the side of its language, and code at the left", async () => {
    const agent = createAgent({
      info: { name: "agent", version: "1.0.0" },
      newSession() {},
      async prompt(turn) {
        turn.session.setTitle(HEBREW);
        await turn.say(ANSWER);
      },
    });
    const { invite } = await serveWeb(agent);
    const page = await openPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(25_000);
    await page.goto(invite("Ann"));
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByLabel("Prompt").fill(`${HEBREW}\nA line in English that is longer`);
    expect(await direction(page.getByLabel("Prompt"))).toBe("rtl");
    await page.getByLabel("Prompt").press("Enter");
    await page.locator(".markdown pre").waitFor();
    /** Sides at which the lines of a block begin. */
    const sides = (selector: string) =>
      page.locator(selector).evaluate((block) => {
        const range = document.createRange();
        range.selectNodeContents(block);
        const { left, right } = block.getBoundingClientRect();
        // A line break has a box too.
        const lines = [...range.getClientRects()].filter(({ width }) => width > 20);
        return lines.map((line) => (right - line.right < line.left - left ? "right" : "left"));
      });
    expect(await sides(".markdown > h3")).toEqual(["right"]);
    expect(await sides(".markdown > p:nth-of-type(1)")).toEqual(["right"]);
    expect(await sides(".markdown > p:nth-of-type(2)")).toEqual(["left"]);
    expect(await sides(".entry.user .plain")).toEqual(["right", "left"]);
    expect(await direction(page.locator(".markdown ul"))).toBe("rtl");
    expect(await direction(page.locator(".markdown blockquote"))).toBe("rtl");
    expect(await direction(page.locator(".markdown table"))).toBe("rtl");
    expect(await direction(page.locator(".markdown pre"))).toBe("ltr");
    // A name of code at the start does not choose the direction: it is at the right of the words after it.
    const [code, paragraph] = await page.locator(".markdown > p:nth-of-type(3)").evaluate((block) => {
      const right = (one: Element | null) => one?.getBoundingClientRect().right ?? 0;
      return [right(block.querySelector("code")), right(block)];
    });
    expect(Math.abs((code ?? 0) - (paragraph ?? 99))).toBeLessThan(2);
  });
});
