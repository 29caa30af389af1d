/// <reference lib="dom" />
import type { Browser, Page } from "playwright-core";
import { startWeb } from "../web-server.js";
import { createLongAgent, createStreamingAgent, END } from "./loads.js";

/** Longest frame that a person does not notice, in ms. */
export const LONGEST_FRAME = 50;

/** Number of entries with which the page opens a stored session. */
const NEWEST = 100;

/** Frames of a page while an answer arrives. */
export type StreamFigures = {
  readonly frames: number;
  /** Frames over {@link LONGEST_FRAME}. */
  readonly late: number;
  readonly longestMs: number;
  /** Tasks of more than 50 ms, as the browser counts them. */
  readonly longTasks: number;
  /** Time from the first piece on the screen to the last one. */
  readonly seconds: number;
  /** Work of the page's main thread in this time, in seconds of its processor. */
  readonly workSeconds: number;
};

/** Globals that the measures add to a page. */
type Measured = Window & { readonly whenSeen: typeof whenSeen };

/**
 * Streams an answer into a visible page, and counts its frames by `requestAnimationFrame`. The first second is not
 * counted: code is loaded and compiled then.
 */
export async function measureStream(browser: Browser, perSecond: number, seconds: number): Promise<StreamFigures> {
  const web = await startWeb(createStreamingAgent(perSecond, seconds));
  const page = await newPage(browser, web.invite("Ann"));
  try {
    await prompt(page, "Write.");
    await page.locator(".markdown").first().waitFor();
    const work = await workOf(page);
    const begun = performance.now();
    await page.waitForTimeout(1_000);
    const { deltas, longTasks } = await page.evaluate(record, seconds * 4_000);
    const workSeconds = await work();
    const took = (performance.now() - begun) / 1_000;
    await page.getByText(END).waitFor();
    return {
      frames: deltas.length,
      late: deltas.filter((ms) => ms > LONGEST_FRAME).length,
      longestMs: Math.round(Math.max(...deltas)),
      longTasks,
      seconds: took,
      workSeconds,
    };
  } finally {
    await page.context().close();
    await web.close();
  }
}

/**
 * Counts frames until the turn has ended. The page itself looks for the end: the driver of the browser would search the whole
 * text for it again and again, up to 50 ms each time.
 */
function record(mostMs: number): Promise<{ readonly deltas: readonly number[]; readonly longTasks: number }> {
  const deltas: number[] = [];
  const begun = performance.now();
  let longTasks = 0;
  new PerformanceObserver((list) => {
    longTasks += list.getEntries().length;
  }).observe({ type: "longtask" });
  return new Promise((resolve, reject) => {
    let last: number | undefined;
    const frame = (now: number): void => {
      if (last !== undefined) deltas.push(now - last);
      last = now;
      if (document.querySelector("output[data-status=ready]") !== null) resolve({ deltas, longTasks });
      else if (now - begun > mostMs) reject(new Error(`The turn did not end within ${mostMs} ms.`));
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

/** Times in ms until the newest text of a long session is on the screen. */
export type OpenFigures = {
  /** From the click on the session in the list of an open page. */
  readonly clickMs: readonly number[];
  /** From the navigation to its address in a browser that is logged in: load of the page, connection and session. */
  readonly navigationMs: readonly number[];
  /** Work of the page's main thread after the click, in ms of its processor. */
  readonly workMs: readonly number[];
  /** From the wish of a person for the earlier entries until they are there. */
  readonly earlierMs: number;
  readonly entries: number;
  readonly drawn: number;
};

/** Opens a session with this number of updates, which the gateway has as its state, several times. */
export async function measureOpening(browser: Browser, updates: number, times: number): Promise<OpenFigures> {
  const { agent, ended } = createLongAgent(updates);
  const web = await startWeb(agent);
  const page = await newPage(browser, web.invite("Ann"));
  try {
    await prompt(page, "Work.");
    await page.locator("[data-row]").first().waitFor();
    const address = page.url();
    await page.goto("about:blank");
    await ended;
    const workMs: number[] = [];
    const clickMs: number[] = [];
    const navigationMs: number[] = [];
    for (let time = 0; time < times; time++) {
      await page.goto("about:blank");
      await page.goto(address);
      navigationMs.push(await page.evaluate((text) => (window as unknown as Measured).whenSeen(text), END));
      await page.goto("about:blank");
      await page.goto(web.url);
      await page.locator("#sessions li a").first().waitFor();
      const work = await workOf(page);
      clickMs.push(
        await page.evaluate(async (text) => {
          const begun = performance.now();
          document.querySelector<HTMLElement>("#sessions li a")?.click();
          return (await (window as unknown as Measured).whenSeen(text)) - begun;
        }, END),
      );
      workMs.push((await work()) * 1_000);
    }
    const rows = await page
      .locator("[data-row]")
      .evaluateAll((all) => all.map((row) => Number((row as HTMLElement).dataset.row)));
    return {
      clickMs,
      navigationMs,
      workMs,
      earlierMs: await loadEarlier(page),
      entries: Math.max(...rows) + 1,
      drawn: rows.length,
    };
  } finally {
    await page.context().close();
    await web.close();
  }
}

/** Returns the time of the first frame in which a text is within the view of the conversation, in ms since the navigation. */
function whenSeen(text: string): Promise<number> {
  return new Promise((resolve) => {
    const look = (now: number): void => {
      const view = document.querySelector(".timeline")?.getBoundingClientRect();
      const rows = [...document.querySelectorAll("[data-row]")];
      const last = rows.find((row) => row.textContent?.includes(text))?.getBoundingClientRect();
      if (view && last && last.bottom <= view.bottom + 40 && last.bottom > view.top) resolve(now);
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
}

/** Scrolls to the first entry that the page has. Returns the time until the earlier ones are there, in ms. */
async function loadEarlier(page: Page): Promise<number> {
  const begun = performance.now();
  await page.getByRole("region", { name: "Conversation" }).press("Home");
  // The notice about them may be gone before the driver of the browser looks for it.
  await page.waitForFunction((newest) => {
    const rows = [...document.querySelectorAll<HTMLElement>("[data-row]")];
    return document.querySelector(".earlier") === null && rows.some(({ dataset }) => Number(dataset.row) >= newest);
  }, NEWEST);
  return performance.now() - begun;
}

/** Begins to count the work of the main thread. Returns a function for the seconds of its processor since then. */
async function workOf(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  };
  const before = await read();
  return async () => (await read()) - before;
}

async function newPage(browser: Browser, address: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  // The program that runs the sources gives functions their names with `__name`.
  await page.addInitScript(`globalThis.__name = (one) => one; globalThis.whenSeen = ${whenSeen}`);
  await page.goto(address);
  await page.getByRole("button", { name: "New session" }).click();
  return page;
}

async function prompt(page: Page, text: string): Promise<void> {
  await page.getByLabel("Prompt").fill(text);
  await page.getByLabel("Prompt").press("Enter");
}
