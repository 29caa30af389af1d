import type { HostileText } from "./linear-time.js";

const pieces = [
  ...[
    "[a](",
    "![[](",
    "[",
    "]",
    "[]",
    "[a]",
    "[a][",
    "[a]: b\n",
    "[a]:",
    "[a]\n\n[a]: b\n\n",
    "[^1]: ",
    '[a](b "',
    "!",
    "![](",
    "(",
  ],
  ...["*_*_", "*a_b ", "**a ", "**", "_", "a_", "*", "* ", "~", "~~a", "`", "a``", "\\", "\\*", "&amp;", "&", "&#35;"],
  ...[
    "<",
    "<a ",
    "<!-- ",
    "<div>\n",
    "<http://a",
    "<![CDATA[",
    "<?",
    "<b>",
    "http://a ",
    "http://",
    "www.a",
    "a@b.c ",
    "a@",
  ],
  ...[
    ">",
    "> ",
    "> a\n",
    ">>>>> a\n",
    "- a\n",
    "- - - ",
    "  - a\n",
    "1. a\n",
    "1) a\n- b\n",
    "1. ",
    "> - ",
    "> 1. ",
    "- > ",
    "> 1. - > ",
    "1)\t",
    ">\t-\t",
    "> - > - > - > - > - > - a\nb\n",
    "1. 1. 1. 1. 1. 1. 1. 1. 1. 1. 1. 1. a\n",
    "-\n  -\n    -\n      -\n        -\n          -\n            -\n",
    "- [ ] a\n",
    "# a\n",
    "a\n=\n",
    "---\n",
    "-",
  ],
  ...[
    "|a",
    "|a|b|\n",
    "|",
    "\t",
    " ",
    "a    ",
    "a  \n",
    "    a\n",
    "\n",
    "a\n\n",
    "a",
    "a ",
    "```\n",
    "```a\nb\n",
    "~~~\na\n",
    "'",
    '"',
  ],
];

const heads = [
  "|a|b|\n|-|-|\n",
  `|${"a|".repeat(700)}\n|${"-|".repeat(700)}\n`,
  `|${"a".repeat(2900)}|b|\n|-|-|\n`,
  `\`\`\`${"x".repeat(2900)}\n`,
  "```\n",
  "- ",
  "> ",
];

/** Markdown that makes a parser try every mark with every other mark. */
export const markdown: readonly HostileText[] = [
  ...pieces.map((piece) => ({ piece })),
  ...heads.flatMap((head) => ["a\n", "|a|b|\n", "a ", "- a\n", "a\n=\n", "|"].map((piece) => ({ head, piece }))),
];

/** Characters of several code points, of several columns and of none. */
export const wideCharacters: readonly HostileText[] = [
  ...["a\u0301", "\u0301", "\u{1f468}\u200d\u{1f469}\u200d", "\u1100", "\uac00", "\u6f22", "\u{1f1e6}", "\u{1f600}"],
  ...["\ufe0f", "1\ufe0f\u20e3", "\u0e33", "\u00a0", "\u0915\u094d", "\u0600", "\ufdfa", "\u1161", "\u00e9"],
].map((piece) => ({ piece }));

/** Characters that are shown by their codes. */
export const zeroWidth: readonly HostileText[] = [
  ...["\u200b", "\u200d", "\u202e", "\u{e0041}", "\r", "\f", "\u001b", "\u001b[31m", "\u001b]8;;a", "\ud83d", "\u0000"],
].map((piece) => ({ piece }));
