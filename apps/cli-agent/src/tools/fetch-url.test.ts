import { createServer, type RequestListener } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { createToolContext } from "../../test/tool-context.js";
import type { ToolError } from "../errors.js";
import { fetchUrlTool, htmlText } from "./fetch-url.js";

/** Starts a web server on this machine; returns its origin. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}

const html = `<!doctype html><html><head><title>A &amp; B</title><style>p { color: red }</style></head><body>
  <script>alert("x")</script><h1>Title</h1><p>One <b>bold</b> line &#8364; 3 &lt;here&gt;</p>
  <ul><li>first</li><li><a href="https://example.com/x?a=1">second</a></li></ul><!-- hidden --></body></html>`;

describe("fetch_url", () => {
  it("asks, and gives the text of a page without its markup", async () => {
    const origin = await serve((_, response) => response.setHeader("content-type", "text/html").end(html));
    const { turn, textOf } = await createToolContext();
    expect(await textOf(fetchUrlTool, { url: `${origin}/page` })).toBe(
      "A & B\nTitle\nOne bold line € 3 <here>\n- first\n- second (https://example.com/x?a=1)",
    );
    expect(turn.questions[0]?.options?.[1]?.name).toBe(`Fetch everything from ${origin} in this session`);
    expect(turn.calls[0]).toMatchObject({ title: `Fetch ${origin}/page`, kind: "fetch", status: "completed" });
  });

  it("gives the words of tables, preformatted texts and pages without a body tag", async () => {
    const page = `<title>T</title><table><tr><td>a</td><td>b</td></tr></table><pre>x\n  y</pre><a href="/z">&eacute;</a>`;
    const origin = await serve((_, response) => response.setHeader("content-type", "text/html").end(page));
    expect(await (await createToolContext()).textOf(fetchUrlTool, { url: origin })).toBe("T\na b\nx\n  y\né");
  });

  it.each(["<div>", "<script>", "<!--", "<a href=https://x.y>", "<ul><li>"])(
    "does not hang on a page that was made of %s for that",
    async (piece) => {
      const page = piece.repeat(2 ** 21 / piece.length);
      const text = await htmlText(page, 200).catch((error: ToolError) => error.message);
      expect(text.length).toBeLessThanOrEqual(page.length);
    },
  );

  it("says so where a page takes too long", { timeout: 30_000 }, async () => {
    const page = "<div>".repeat(400_000);
    const origin = await serve((_, response) => response.setHeader("content-type", "text/html").end(page));
    const { use } = await createToolContext();
    await expect(use(fetchUrlTool, { url: origin })).rejects.toMatchObject({
      message: "The markup of the page is too complicated to be read.",
    });
  });

  it("gives other texts as they are", async () => {
    const origin = await serve((_, response) => response.setHeader("content-type", "application/json").end('{"a":1}'));
    expect(await (await createToolContext()).textOf(fetchUrlTool, { url: origin })).toBe('{"a":1}');
  });

  it("asks once for an origin that was allowed for the session, also in review mode", async () => {
    const origin = await serve((_, response) => response.setHeader("content-type", "text/plain").end("ok"));
    const { turn, state, textOf } = await createToolContext();
    state.mode = "review";
    turn.answer = () => "allow_always";
    await textOf(fetchUrlTool, { url: `${origin}/a` });
    expect(await textOf(fetchUrlTool, { url: `${origin}/b` })).toBe("ok");
    expect(turn.questions).toHaveLength(1);
  });

  it("fetches nothing that the user refuses", async () => {
    let asked = 0;
    const origin = await serve((_, response) => {
      asked += 1;
      response.end();
    });
    const { turn, use } = await createToolContext();
    turn.answer = () => "reject_once";
    await expect(use(fetchUrlTool, { url: origin })).rejects.toMatchObject({ code: "denied" });
    expect(asked).toBe(0);
  });

  it("follows a redirect on the same host, and reports one to another", async () => {
    let other = 0;
    const elsewhere = await serve((_, response) => {
      other += 1;
      response.end("secret");
    });
    const origin = await serve(({ url }, response) => {
      const target = { "/a": "/b", "/away": `${elsewhere}/x`, "/loop": "/loop" }[url ?? ""];
      if (target) response.writeHead(302, { location: target }).end();
      else response.setHeader("content-type", "text/plain").end("arrived");
    });
    const { textOf, use } = await createToolContext();
    expect(await textOf(fetchUrlTool, { url: `${origin}/a` })).toBe("arrived");
    expect(await textOf(fetchUrlTool, { url: `${origin}/away` })).toBe(
      `The page has moved to ${elsewhere}/x. Fetch that, if it is what you need.`,
    );
    expect(other).toBe(0);
    await expect(use(fetchUrlTool, { url: `${origin}/loop` })).rejects.toThrow("redirects more than 5 times");
  });

  it("reads no more than its bound of a page without end, and gives the model less", async () => {
    const origin = await serve((_, response) => {
      response.setHeader("content-type", "text/plain");
      const more = () => {
        while (response.write("x".repeat(65_536)));
        response.once("drain", more);
      };
      more();
    });
    const text = await (await createToolContext()).textOf(fetchUrlTool, { url: origin });
    expect(text.length).toBeLessThan(60_100);
    expect(text).toMatch(/\[cut off\]$/);
  });

  it("says what went wrong: a status, no text, nobody there", async () => {
    const origin = await serve(({ url }, response) => {
      if (url === "/image") response.setHeader("content-type", "image/png").end("png");
      else response.writeHead(404, { "content-type": "text/plain" }).end("no such page");
    });
    const { use } = await createToolContext();
    await expect(use(fetchUrlTool, { url: `${origin}/x` })).rejects.toThrow("answers 404: no such page");
    await expect(use(fetchUrlTool, { url: `${origin}/image` })).rejects.toThrow("is image/png, which is not text");
    await expect(use(fetchUrlTool, { url: "http://127.0.0.1:1" })).rejects.toThrow(/^127\.0\.0\.1:1 cannot be reached/);
  });

  it.each(["file:///etc/passwd", "ftp://example.com", "no url", "http://me:secret@example.com", "javascript:alert(1)"])(
    "does not take %s",
    async (url) => {
      const { turn, use } = await createToolContext();
      await expect(use(fetchUrlTool, { url })).rejects.toMatchObject({ code: "invalid_input" });
      expect(turn.calls).toEqual([]);
    },
  );

  it("ends with its turn", async () => {
    let asked = () => {};
    const waits = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const origin = await serve(() => asked());
    const { turn, use } = await createToolContext();
    const running = use(fetchUrlTool, { url: origin });
    running.catch(() => undefined);
    await waits;
    turn.controller.abort();
    await expect(running).rejects.toThrow();
    expect(turn.calls[0]).toMatchObject({ status: "cancelled" });
  });
});
