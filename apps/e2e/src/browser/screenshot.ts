import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { BrowserContextOptions } from "playwright-core";
import { launchChromium } from "./chromium.js";
import { createShowcase } from "./showcase.js";
import { startWeb } from "./web-server.js";

// Takes the pictures of the page in docs/images: light, dark, and on a phone. npx -y pnpm@10 screenshots
const pictures: Readonly<Record<string, BrowserContextOptions>> = {
  "page-light": { colorScheme: "light", viewport: { width: 1280, height: 960 } },
  "page-dark": { colorScheme: "dark", viewport: { width: 1280, height: 960 } },
  "page-phone": { colorScheme: "light", viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
};

/** Size of a picture in bytes, so that the repository stays small. */
const MOST_BYTES = 150_000;

const browser = await launchChromium();
if (browser === undefined) throw new Error("Chromium is not installed. CHROME_PATH names one in another place.");
for (const [name, options] of Object.entries(pictures)) {
  const web = await startWeb(createShowcase());
  const page = await (await browser.newContext(options)).newPage();
  await page.goto(web.invite("Ann"));
  await page.getByRole("button", { name: "New session" }).click();
  await page.getByLabel("Prompt").fill("The total of an empty cart throws. Find out why, and mend it.");
  await page.getByRole("button", { name: "Send" }).click();
  await page.locator("output").getByText("Ready", { exact: true }).waitFor();
  await page.locator("code .code-keyword").first().waitFor();
  await page.getByLabel("Prompt").fill("Publish it");
  const png = await page.screenshot({ animations: "disabled", caret: "hide" });
  if (png.length > MOST_BYTES) throw new Error(`${name} has ${png.length} bytes, and ${MOST_BYTES} is the bound.`);
  const path = fileURLToPath(new URL(`../../../../docs/images/${name}.png`, import.meta.url));
  await writeFile(path, png);
  console.log(`docs/images/${name}.png: ${Math.round(png.length / 1000)} kB`);
  await page.context().close();
  await web.close();
}
await browser.close();
