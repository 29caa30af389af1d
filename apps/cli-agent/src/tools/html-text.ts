import { convert, type HtmlToTextOptions } from "html-to-text";
import { ToolError } from "../errors.js";
import { TimeoutError, withinTime } from "./within-time.js";

/** Time for one page, in milliseconds: pages can be built so that parsing takes minutes. */
const PAGE_MS = 3_000;

/** Depth of elements below which a page is left out. */
const MAX_DEPTH = 500;

const ownLine = { leadingLineBreaks: 1, trailingLineBreaks: 1 };

/** Elements that begin a line of their own. */
const BLOCKS =
  "title p div section article main header footer nav aside h1 h2 h3 h4 h5 h6 blockquote form table tr dl dt dd figure";

/** Elements whose content is no text of the page. */
const HIDDEN = "script style noscript template svg img";

const options: HtmlToTextOptions = {
  wordwrap: false,
  // Not `body`: its tag may be left out.
  baseElements: { selectors: ["html"] },
  limits: { maxDepth: MAX_DEPTH },
  selectors: [
    { selector: "*", format: "inline" },
    ...BLOCKS.split(" ").map((selector) => ({ selector, format: "block", options: ownLine })),
    ...HIDDEN.split(" ").map((selector) => ({ selector, format: "skip" })),
    { selector: "pre", options: ownLine },
    { selector: "ul", options: { ...ownLine, itemPrefix: "- " } },
    { selector: "ol", options: ownLine },
    ...["td", "th"].map((selector) => ({ selector, format: "inlineSurround", options: { suffix: " " } })),
    // An address that begins with a scheme is useful to a model; others are not.
    { selector: "a", format: "inline" },
    {
      selector: 'a[href^="http"]',
      format: "anchor",
      options: { linkBrackets: ["(", ")"], hideLinkHrefIfSameAsText: true },
    },
  ],
};

/**
 * Returns the text of an HTML page for a model: its title, then its body, without markup, links with their addresses.
 *
 * @throws ToolError `failed` for a page that takes longer than 3 s
 */
export function htmlText(html: string): string {
  try {
    const lines = withinTime(PAGE_MS, () => convert(html, options)).split("\n");
    return lines.map((line) => line.trimEnd()).join("\n");
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    throw new ToolError("failed", "The markup of the page is too complicated to be read.");
  }
}
