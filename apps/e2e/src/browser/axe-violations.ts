/// <reference lib="dom" />
import axe from "axe-core";
import type { Page } from "playwright-core";

/** Returns what axe finds wrong in the page as it is shown now, with the elements. Also tells if the page is wider than the screen. */
export async function violations(page: Page): Promise<readonly string[]> {
  // By the debugger, since the policy of the page allows no foreign script.
  await page.evaluate(axe.source);
  const found = (await page.evaluate("axe.run(document, { resultTypes: ['violations'] })")) as axe.AxeResults;
  const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return [
    ...found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`),
    ...(width > 0 ? [`wider by ${width} px`] : []),
  ];
}
