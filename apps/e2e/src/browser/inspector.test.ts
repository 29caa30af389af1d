import { readFile } from "node:fs/promises";
import { createAgent } from "@turnkit/agent";
import { createMemoryPair } from "@turnkit/transport/channels";
import { readWireLog, recordChannel } from "@turnkit/transport/trace";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInChromium } from "./chromium.js";
import { serveWeb } from "./web-server.js";

const SECRET = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";

describeInChromium("the inspector of the page", (openPage) => {
  async function openInspector(): Promise<Page> {
    const agent = createAgent({
      info: { name: "agent", version: "1.0.0" },
      newSession() {},
      async prompt(turn) {
        await turn.say(`Your token is ${SECRET}.`);
        if (turn.prompt[0]?.type === "text" && turn.prompt[0].text === "Fail.") throw new Error("It broke.");
      },
    });
    const { invite } = await serveWeb(agent);
    const page = await openPage({ acceptDownloads: true });
    page.setDefaultTimeout(25_000);
    await page.goto(invite("Ann"));
    await page.getByRole("button", { name: "New session" }).click();
    for (const text of ["Hello.", "Fail."]) {
      await page.getByLabel("Prompt").fill(text);
      await page.getByLabel("Prompt").press("Enter");
      await page
        .getByText(SECRET)
        .nth(text === "Hello." ? 0 : 1)
        .waitFor();
      await page.locator("output").getByText("Ready").waitFor();
    }
    await page.getByRole("button", { name: "Inspector" }).click();
    await page.getByRole("dialog").waitFor();
    return page;
  }
  const rows = (page: Page) => page.locator(".frames tbody tr");
  const cells = async (page: Page) => (await rows(page).allInnerTexts()).map((text) => text.split(/\s*\t\s*/));

  it("SHARE-13: each frame has time, direction, method, size and latency, and a person finds one by text, direction and method", async () => {
    const page = await openInspector();
    await expect
      .poll(async () =>
        (await cells(page)).some(([, , method, kind]) => method === "session/prompt" && kind === "answer"),
      )
      .toBe(true);
    const [first, second] = await cells(page);
    expect(first?.slice(1, 4)).toEqual(["→ sent", "initialize", "request"]);
    expect(second?.slice(1, 4)).toEqual(["← received", "initialize", "answer"]);
    for (const [time, , , , size, latency] of [first ?? [], second ?? []]) {
      expect([time, size, latency].join(" ")).toMatch(/^\d+\.\d{3} \d{2,} \d+$/);
    }
    await page.locator(".frame-filter select").nth(0).selectOption("sent");
    await page.locator(".frame-filter select").nth(1).selectOption("session/prompt");
    expect(await rows(page).count()).toBe(2);
    await page.getByRole("searchbox").fill("fail.");
    expect(await rows(page).count()).toBe(1);
    await rows(page).getByRole("button").click();
    await page.getByRole("region", { name: "Payload" }).getByText('"Fail."').waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("SHARE-13: the exported file is a trace without secrets, and opens in the page again", async () => {
    const page = await openInspector();
    const downloaded = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export a trace file" }).click();
    const path = await (await downloaded).path();
    const text = await readFile(path, "utf8");
    const entries = readWireLog(text);
    expect(entries[0]).toMatchObject({ sent: { method: "initialize" } });
    expect(text).toContain("Your token is");
    expect(text).not.toContain(SECRET);
    expect(await page.locator(".frames, .payload").allTextContents()).not.toContain(SECRET);
    await page.getByLabel("Open a trace file").setInputFiles(path);
    await page.getByRole("heading", { name: "Frames of" }).waitFor();
    expect(await rows(page).count()).toBe(entries.length);
  });

  it("SHARE-13: a trace of another program opens, with hints at what does not conform", async () => {
    const page = await openInspector();
    const lines: string[] = [];
    const [ours, theirs] = createMemoryPair();
    const recorded = recordChannel(ours, (line) => void lines.push(line));
    recorded.start({ message() {}, invalidLine() {} });
    theirs.start({ message() {}, invalidLine() {} });
    recorded.send({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} });
    theirs.send({ jsonrpc: "2.0", id: 1, error: { code: -32_601, message: "Method not found" } });
    theirs.send({ jsonrpc: "2.0", id: 7, result: {} });
    await expect.poll(() => lines.length).toBe(4);
    await recorded.close();
    await expect.poll(() => lines.length).toBe(5);
    const file = { name: "wire.jsonl", mimeType: "application/jsonl", buffer: Buffer.from(lines.join("")) };
    await page.getByLabel("Open a trace file").setInputFiles(file);
    await page.getByRole("heading", { name: "Frames of wire.jsonl" }).waitFor();
    await page.getByLabel("Only with hints").check();
    expect((await cells(page)).map(([, , method]) => method)).toEqual(["initialize", "unknown"]);
    const payload = page.getByRole("region", { name: "Payload" });
    await rows(page).nth(0).getByRole("button").click();
    await payload.getByText("The request failed: Method not found (-32601)").waitFor();
    await rows(page).nth(1).getByRole("button").click();
    await payload.getByText("No open request has this id.").waitFor();
    await page.getByLabel("Open a trace file").setInputFiles({ ...file, buffer: Buffer.from("no trace") });
    await page.getByRole("dialog").getByRole("alert").getByText("cannot be read: line 1").waitFor();
  });
});
