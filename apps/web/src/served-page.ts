/** Folder with the built page. A server serves its files, `index.html` at `/`. */
export const pageFolder: URL = new URL("../dist/", import.meta.url);

/**
 * Headers for every file of the page. They allow the page's own files, pictures and sounds that the agent sends, and
 * connections to the page's own origin. Scripts and styles inside of the page are not allowed.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  "Content-Security-Policy": [
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src data:",
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "require-trusted-types-for 'script'; trusted-types 'none'",
  ].join("; "),
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Opener-Policy": "same-origin",
};
