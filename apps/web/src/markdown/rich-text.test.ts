import { createElement } from "react";
import { describe, expect, it } from "vitest";
import { draw } from "../../test/page.js";
import { RichText } from "./rich-text.js";

const drawn = async (text: string) => (await draw(createElement(RichText, { text }))).element;

/** Elements that Markdown may become. */
const ELEMENTS = new Set(
  ["p", "h3", "h4", "h5", "h6", "ul", "ol", "li", "a", "strong", "em", "del", "code", "pre", "figure", "figcaption"]
    .concat(["blockquote", "table", "thead", "tbody", "tr", "th", "td", "hr", "br", "input", "div", "span", "button"])
    .map((name) => name.toUpperCase()),
);
const ATTRIBUTES = new Set(
  ["href", "title", "target", "rel", "class", "start", "type", "checked", "disabled", "readonly", "tabindex"].concat([
    "aria-live",
    "data-align",
    "dir",
  ]),
);

const schemes = ["javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", "\u0001javascript:alert(1)"]
  .concat(["data:text/html,<script>alert(1)</script>", "vbscript:msgbox(1)", "blob:https://x/1", "file:///etc/passwd"])
  .concat([
    "javascript&colon;alert(1)",
    "javascript&#58;alert(1)",
    "&#106;avascript:alert(1)",
    "&#x6A;avascript:alert(1)",
  ])
  .concat([
    "java&Tab;script:alert(1)",
    "java&NewLine;script:alert(1)",
    "jav&#x0A;ascript:alert(1)",
    "javascript%3Aalert(1)",
  ])
  .concat(["//evil.example/x", "/login", "#session=x", "?x", "view-source:https://x", "feed:javascript:alert(1)"]);

const markup = [
  "<script>alert(1)</script>",
  "<SCRIPT SRC=//evil.example/x.js></SCRIPT>",
  "<img src=x onerror=alert(1)>",
  '<img src="x" onerror="alert(1)"',
  "<svg onload=alert(1)><circle /></svg>",
  "<svg><script>alert(1)</script></svg>",
  "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
  "<object data=javascript:alert(1)></object><embed src=x>",
  "<a href='javascript:alert(1)'>x</a>",
  "<a href=x onclick=alert(1) style='position:fixed'>x</a>",
  "<form action=/login><button formaction=javascript:alert(1)>x</button></form>",
  "<style>* { display: none }</style><link rel=stylesheet href=//evil.example>",
  "<meta http-equiv=refresh content='0;url=javascript:alert(1)'>",
  "<base href=//evil.example/>",
  "<!-- <img src=x onerror=alert(1)> -->",
  "<!--><script>alert(1)</script>-->",
  "<![CDATA[<script>alert(1)</script>]]>",
  "<?xml version='1.0'?><script>alert(1)</script>",
  "&lt;script&gt;alert(1)&lt;/script&gt;",
  "&#60;img src=x onerror=alert(1)&#62;",
  "**<b onmouseover=alert(1)>x</b>**",
  "| <img src=x onerror=alert(1)> |\n| - |\n| <script>alert(1)</script> |",
  "# <script>alert(1)</script>",
  "> <script>\n> alert(1)\n> </script>",
  "- <details open ontoggle=alert(1)>",
  "```<script>alert(1)</script>\n<script>alert(1)</script>\n```",
  '```js" onload="alert(1)\nx\n```',
  "`<script>alert(1)</script>`",
  '[x](https://x.example "onmouseover=alert(1)\\" x=\\"")',
  "![x](x 'onerror=alert(1)')",
  '<https://x.example/"onmouseover="alert(1)>',
  "<div>\n\n<script>alert(1)</script>\n\n</div>",
  "\\<script>alert(1)\\</script>",
  "<scr<script>ipt>alert(1)</scr</script>ipt>",
  "\u0000<script\u0000>alert(1)</script>",
  "<x\u2028onclick=alert(1)>",
];

const links = schemes.flatMap((scheme) => [
  `[x](${scheme})`,
  `[x](<${scheme}>)`,
  `![x](${scheme})`,
  `<${scheme}>`,
  `[x][r]\n\n[r]: ${scheme}`,
  `[![x](${scheme})](${scheme})`,
]);

describe("Markdown of an agent", () => {
  it.each([...markup, ...links])("SHARE-12: %j becomes text and harmless elements only", async (text) => {
    const element = await drawn(text);
    for (const one of element.querySelectorAll("*")) {
      expect(ELEMENTS).toContain(one.tagName);
      for (const { name, value } of one.attributes) {
        expect(ATTRIBUTES).toContain(name);
        if (name === "href") expect(value).toMatch(/^(?:https?:\/\/|mailto:)/);
      }
    }
  });

  it.each(schemes)("a link to %j is not a link", async (scheme) => {
    expect((await drawn(`[x](<${scheme}>)`)).querySelector("a")).toBeNull();
  });

  it("markup can be read as it was written, and code keeps its entities", async () => {
    expect((await drawn("a <b onclick=x>b</b> c")).textContent).toBe("a <b onclick=x>b</b> c");
    expect((await drawn("5 &lt; 6 &amp;&amp; `&lt;` &unknown;")).textContent).toBe("5 < 6 && &lt; &unknown;");
    expect((await drawn("<!-- x -->")).textContent).toBe("<!-- x -->");
  });

  it.each([
    ["**a** _b_ ~~c~~ `d`", "strong,em,del,code"],
    ["# a\n\n###### b", "h3,h6"],
    ["- a\n  1. b\n- [x] c", "ul,li,ol,li,li,input"],
    ["> a\n\n---", "blockquote,p,hr"],
    ["| a |\n| -: |\n| b |", "div,table,thead,tr,th,tbody,tr,td"],
    ["```ts\nconst a = 1;\n```", "figure,figcaption,button,span,pre,code"],
    ["<https://a.example> b@c.example\nnext  \nline", "p,a,a,br"],
  ])("%j becomes %s", async (text, expected) => {
    const names = [...(await drawn(text)).querySelectorAll(".markdown *")].map(({ tagName }) => tagName.toLowerCase());
    expect(names.filter((name) => name !== "p" || expected.includes("p")).join()).toBe(expected);
  });

  it("a link says where it leads, and gives the page no opener", async () => {
    const link = (await drawn("[docs](https://a.example/x?y=1&amp;z=2)")).querySelector("a");
    expect(link?.getAttribute("href")).toBe("https://a.example/x?y=1&z=2");
    expect(link?.getAttribute("title")).toBe("https://a.example/x?y=1&z=2");
    expect(link?.getAttribute("rel")).toContain("noopener");
  });

  it.each([
    ["quotes", ">".repeat(20_000)],
    ["quotes with blanks", `${"> ".repeat(20_000)}x`],
    ["lists", `${"- ".repeat(20_000)}x`],
    ["lists below each other", Array.from({ length: 2_000 }, (_, depth) => `${" ".repeat(depth * 2)}- x`).join("\n")],
    ["brackets", "[".repeat(50_000)],
    ["images", "![".repeat(20_000)],
    ["stars", "*a **b ".repeat(5_000)],
    ["underscores", "_".repeat(50_000)],
    ["backticks", "`a``b```".repeat(5_000)],
    ["links without an end", "[a](".repeat(10_000)],
    ["comments without an end", "<!-- ".repeat(10_000)],
    ["tags without an end", "<a ".repeat(20_000)],
    ["cells", `${"|".repeat(20_000)}\n${"|-".repeat(20_000)}\n`],
    ["a long text", "word ".repeat(100_000)],
    ["addresses", "www.a.".repeat(6_000)],
    ["schemes", "http".repeat(24_000)],
    ["words before an at", `${"a.b-".repeat(24_000)}@`],
    ["links in many paragraphs", `${"[a](".repeat(190)}\n\n`.repeat(31)],
    ["lists in quotes", `${"> - ".repeat(12)}x`],
    ["tildes", "~~a~".repeat(10_000)],
  ])("%s without end are drawn in limited time", async (_, text) => {
    const started = performance.now();
    await drawn(text);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
