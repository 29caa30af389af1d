/// <reference lib="dom" />
import { type Agent, createAgent } from "@turnkit/agent";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInChromium } from "./chromium.js";
import { otherPerson } from "./other-sessions.js";
import { createShowcase } from "./showcase.js";
import { type ServedWeb, serveWeb } from "./web-server.js";

describeInChromium("the list of sessions in the page", (openPage) => {
  async function begin(agent: Agent): Promise<ServedWeb & { readonly page: Page }> {
    const web = await serveWeb(agent);
    const page = await openPage();
    page.setDefaultTimeout(25_000);
    await page.goto(web.invite("Ann"));
    await page.getByRole("navigation", { name: "Sessions" }).waitFor();
    return { ...web, page };
  }
  const rows = (page: Page) => page.locator("#sessions li");

  it("defect E20: a search finds sessions by words of their title and folder", async () => {
    const { page, gateway } = await begin(createShowcase());
    const client = await otherPerson(gateway);
    for (const cwd of ["/a/shop", "/b/shop", "/c", "/d", "/e", "/f"]) await client.newSession({ cwd });
    await page.reload();
    await expect.poll(() => rows(page).count()).toBe(6);
    await page.getByLabel("Search sessions").fill("SHOP b");
    await expect.poll(() => rows(page).allInnerTexts()).toEqual([expect.stringContaining("/b/shop")]);
    await page.getByRole("status").getByText("1 found").waitFor();
    await page.getByLabel("Search sessions").fill("nothing of this");
    await page.getByText("No session has these words.").waitFor();
    expect(await rows(page).count()).toBe(0);
  });

  it("defect E20: the page asks before it deletes a session, and Escape or another button keeps it", async () => {
    const { page } = await begin(createShowcase());
    for (let count = 1; count <= 2; count++) {
      await page.getByRole("button", { name: "New session" }).click();
      await expect.poll(() => rows(page).count()).toBe(count);
    }
    const ask = () => page.getByRole("button", { name: "Delete Without a title" }).first().click();
    const question = page.getByRole("alertdialog", { name: "Delete Without a title?" });
    await ask();
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    await ask();
    await question.getByRole("button", { name: "Keep" }).click();
    expect(await rows(page).count()).toBe(2);
    // The shown session is deleted: the page no longer shows it.
    await page.locator("#sessions li:has([aria-current]) button").click();
    await question.getByRole("button", { name: "Delete" }).click();
    await expect.poll(() => rows(page).count()).toBe(1);
    await page.getByText("Choose a session, or begin a new one.").waitFor();
    expect(new URL(page.url()).hash).toBe("");
    await page.reload();
    await expect.poll(() => rows(page).count()).toBe(1);
  });

  it("SHARE-08, defect E36: a person who may only watch has no buttons that delete sessions", async () => {
    const { gateway, invite } = await serveWeb(createShowcase());
    await (await otherPerson(gateway)).newSession({ cwd: "/shared" });
    for (const [name, role, count] of [
      ["Ann", "controller", 1],
      ["Eve", "observer", 0],
    ] as const) {
      const page = await openPage();
      await page.goto(invite(name, role));
      await rows(page).getByText("/shared").waitFor();
      expect(await page.getByRole("button", { name: /^Delete / }).count(), name).toBe(count);
    }
  });

  it("defect E21: the list marks sessions that ask, work, or have news since this person looked", async () => {
    let hour = 10;
    let end = () => {};
    const agent = createAgent({
      info: { name: "agent", version: "1.0.0" },
      newSession() {},
      async prompt(turn) {
        await turn.ask({ title: "May I?" });
        await new Promise<void>((resolve) => {
          end = resolve;
        });
        await turn.say("Done.");
        turn.session.emit({ type: "session_info_update", updatedAt: `2026-11-20T${hour++}:00:00Z` });
      },
    });
    const { page, gateway } = await begin(agent);
    const client = await otherPerson(gateway);
    const session = await client.newSession({ cwd: "/shared" });
    const mark = () =>
      page.locator("#sessions li").filter({ hasText: "/shared" }).locator(".session-mark").allInnerTexts();
    const lookAgain = async () => {
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    };
    const work = async () => {
      const turn = session.prompt("Go.");
      await expect.poll(() => session.state.pendingPermissions.length).toBe(1);
      await lookAgain();
      await expect.poll(mark).toEqual(["Waits for an answer"]);
      const [question] = session.state.pendingPermissions;
      session.answer(question?.requestId ?? "", {
        outcome: "selected",
        optionId: question?.options[0]?.optionId ?? "",
      });
      await expect.poll(() => session.state.activity.state).toBe("running");
      await lookAgain();
      await expect.poll(mark).toEqual(["Works"]);
      end();
      await turn.ended;
      await lookAgain();
    };
    await work();
    // A session that this person has never opened has no news.
    await expect.poll(mark).toEqual([]);
    await page.locator("#sessions li a").first().click();
    await page.getByText("Done.").waitFor();
    await page.getByRole("button", { name: "New session" }).click();
    await expect.poll(() => rows(page).count()).toBe(2);
    await work();
    await expect.poll(mark).toEqual(["New"]);
    await page.locator("#sessions li").filter({ hasText: "/shared" }).locator("a").click();
    await expect.poll(mark).toEqual([]);
  });

  it("defect E21: on a phone, the closed list tells that another session waits for an answer", async () => {
    const { gateway, invite } = await serveWeb(createShowcase());
    const client = await otherPerson(gateway);
    const session = await client.newSession({ cwd: "/shared" });
    session.prompt("Ask.");
    await expect.poll(() => session.state.pendingPermissions.length).toBe(1);
    await client.newSession({ cwd: "/newer" });
    const page = await openPage({ viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true });
    await page.goto(invite("Ann"));
    await page.getByRole("button", { name: "New session" }).tap();
    await page.getByLabel("Prompt").waitFor();
    await page.getByRole("button", { name: "Sessions, 1 with a question" }).tap();
    expect(await rows(page).first().textContent()).toContain("Waits for an answer");
    await page.getByText("Waits for an answer").tap();
    await page.getByRole("alertdialog", { name: "Question" }).waitFor();
    await page.getByRole("button", { name: "Sessions", exact: true }).waitFor();
  });
});
