/// <reference lib="dom" />
import { createAgent } from "@turnkit/agent";
import { expect, it } from "vitest";
import { describeInChromium } from "./chromium.js";
import { serveWeb } from "./web-server.js";

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload="hit()"><script>hit()</script></svg>`;
const BASE64_SVG = Buffer.from(SVG).toString("base64");

/** Texts that would run something in a page that puts them into its HTML. */
const attacks: readonly string[] = [
  "<script>hit()</script>",
  '<img src="x" onerror="hit()">',
  '<svg onload="hit()"><animate onbegin="hit()" attributeName="x" dur="1s"/></svg>',
  "<iframe srcdoc='<script>parent.hit()</script>'></iframe>",
  "<iframe src=javascript:parent.hit()></iframe>",
  "<details open ontoggle=hit()>x</details>",
  "<style>@import '//evil.example/x.css'; body{background:url(//evil.example/y)}</style>",
  "<body onload=hit()><input autofocus onfocus=hit()>",
  "<math><mtext><table><mglyph><style><img src=x onerror=hit()>",
  "<link rel=stylesheet href=data:text/css,*{display:none}><base href=//evil.example/>",
  "[click](javascript:hit()) [click](JaVaScRiPt&colon;hit()) [click](data:text/html,<script>hit()</script>)",
  "[click](vbscript:hit()) <javascript:hit()> [click]: javascript:hit()",
  `![picture](data:image/svg+xml;base64,${BASE64_SVG}) ![picture](javascript:hit()) ![picture](https://evil.example/z.png)`,
  "```html\n<script>hit()</script>\n<img src=x onerror=hit()>\n```",
  "```<img/src=x/onerror=hit()>\nx\n```",
  "| <img src=x onerror=hit()> |\n| - |\n| <script>hit()</script> |",
];

describeInChromium("answers of a hostile model in the page", (openPage) => {
  it("SHARE-13: no script, handler, address or picture of a model runs or loads, and the policy has nothing to forbid", {
    timeout: 60_000,
  }, async () => {
    const agent = createAgent({
      info: { name: "agent", version: "1.0.0" },
      newSession() {},
      async prompt(turn) {
        turn.session.setTitle("<img src=x onerror=hit()>");
        turn.plan([{ content: "<img src=x onerror=hit()>", priority: "high", status: "in_progress" }]);
        await turn.think(attacks.join("\n\n"));
        const call = turn.toolCall({
          ...{ title: "<img src=x onerror=hit()>", kind: "edit", locations: [{ path: "<script>hit()</script>" }] },
          rawInput: { command: "<script>hit()</script>", html: attacks },
        });
        const change = { path: "<b onclick=hit()>", oldText: "", newText: attacks.join("\n") };
        call.append({ type: "diff", changes: [{ operation: "modify", ...change }] });
        call.append({ type: "content", content: { type: "image", mimeType: "image/svg+xml", data: BASE64_SVG } });
        call.append({ type: "content", content: { type: "image", mimeType: "image/png", data: BASE64_SVG } });
        call.append({ type: "content", content: { type: "resource_link", name: "x", uri: "javascript:hit()" } });
        const html = { uri: "javascript:hit()", mimeType: "text/html", text: attacks.join("\n") };
        call.append({ type: "content", content: { type: "resource", resource: html } });
        const terminal = turn.session.terminal({ command: "<img src=x onerror=hit()>" });
        terminal.write(`\u001b]8;;javascript:hit()\u0007link\u001b]8;;\u0007 ${attacks.join("\n")}`);
        terminal.exit({ exitCode: 0 });
        call.append({ type: "terminal", terminalId: terminal.terminalId });
        await call.ask();
        call.finish();
        for (const attack of attacks) await turn.say(`${attack}\n\n`);
        await turn.say("The end.");
      },
    });
    const { invite, url } = await serveWeb(agent);
    const page = await openPage({ viewport: { width: 1280, height: 4_000 } });
    page.setDefaultTimeout(25_000);
    const seen: string[] = [];
    await page.exposeFunction("hit", (what?: string) => void seen.push(what ?? "a script ran"));
    await page.addInitScript(() => {
      addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
        (globalThis as unknown as { hit(what: string): void }).hit(`${violatedDirective} ${blockedURI}`);
      });
    });
    const foreign: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith("data:image/png")) foreign.push(request.url());
    });
    page.on("dialog", (dialog) => void seen.push(`dialog ${dialog.message()}`));
    await page.goto(invite("Ann"));
    await page.getByRole("button", { name: "New session" }).click();
    await page.getByLabel("Prompt").fill("Attack.");
    await page.getByLabel("Prompt").press("Enter");
    const question = page.getByRole("alertdialog");
    await question.waitFor();
    await question.getByText("<script>hit()</script>").first().waitFor();
    await question.getByRole("button").first().click();
    await page.getByText("The end.").waitFor();
    const closed = page.locator("details:not([open]) > summary");
    for (let most = 40; most > 0 && (await closed.count()) > 0; most--) await closed.first().click();
    const links = await page
      .locator(".timeline a")
      .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href));
    expect(links.filter((href) => !/^(?:https?|mailto):/.test(href))).toEqual([]);
    // Spans that would be links elsewhere do nothing.
    for (const text of await page.locator(".markdown").getByText("click", { exact: true }).all()) await text.click();
    const made =
      ".timeline :is(script, iframe, style, link, base, svg, math, object, embed, form, [onerror], [onload])";
    expect(await page.locator(made).count()).toBe(0);
    expect(
      await page
        .locator(".timeline img")
        .evaluateAll((all) => all.map((one) => (one as HTMLImageElement).src.slice(0, 15))),
    ).toEqual(["data:image/png;"]);
    expect(await page.title()).toContain("<img");
    expect([seen, foreign]).toEqual([[], []]);
  });
});
