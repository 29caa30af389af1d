import { existsSync } from "node:fs";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, describe, onTestFinished } from "vitest";

const { CHROME_PATH, LOCALAPPDATA, PROGRAMFILES, "PROGRAMFILES(X86)": PROGRAMFILES_X86 } = process.env;

/** Usual places of the browser. `CHROME_PATH` comes before all of them. */
const places: Readonly<Record<string, readonly string[]>> = {
  linux: ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"].map((name) => `/usr/bin/${name}`),
  darwin: ["Chromium", "Google Chrome"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`),
  win32: [PROGRAMFILES, PROGRAMFILES_X86, LOCALAPPDATA].flatMap((folder) =>
    folder === undefined
      ? []
      : ["Google\\Chrome", "Chromium"].map((one) => `${folder}\\${one}\\Application\\chrome.exe`),
  ),
};

const executablePath = [CHROME_PATH ?? "", ...(places[process.platform] ?? [])].find((path) => existsSync(path));

const flags = ["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"];

/**
 * Features of the browser that are off. Each window would load two hidden pages for the suggestions of its address bar, which
 * takes more time than most tests. Chromium obeys the last such flag, so the features that Playwright disables follow.
 */
const features = [
  ...["WebUIOmniboxPopup", "WebUIOmniboxAimPopup"],
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades", "LensOverlay"],
  ...["HttpsFirstBalancedModeAutoEnable", "MediaRouter", "PaintHolding", "ThirdPartyStoragePartitioning"],
  ...["AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "PreconnectToSearch"],
];
const args = [...flags, "--disable-component-update", "--disable-sync", `--disable-features=${features.join(",")}`];

/** Starts the browser with a new, empty profile. Resolves to `undefined` on a machine without one. */
export async function launchChromium(): Promise<Browser | undefined> {
  return executablePath === undefined ? undefined : chromium.launch({ executablePath, args, chromiumSandbox: false });
}

/** Opens an empty page with cookies and storage of its own, until the end of the test. */
export type OpenPage = (options?: BrowserContextOptions) => Promise<Page>;

/**
 * Defines tests with pages of one real Chromium, which has a new, empty profile. On a machine without it they are skipped,
 * and their title says so.
 */
export function describeInChromium(title: string, define: (open: OpenPage) => void): void {
  if (executablePath === undefined) {
    const reason = "skipped: Chromium is not installed. CHROME_PATH names one in another place";
    describe.skip(`${title} (${reason})`, () => define(() => Promise.reject(new Error(reason))));
    return;
  }
  // On a busy machine, a browser is slow.
  describe(title, { timeout: 90_000 }, () => {
    let browser: ReturnType<typeof launchChromium> | undefined;
    afterAll(async () => (await browser)?.close());
    define(async (options) => {
      browser ??= launchChromium();
      const context = await ((await browser) as Browser).newContext(options);
      onTestFinished(() => context.close());
      return context.newPage();
    });
  });
}
