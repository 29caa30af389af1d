const OPENED = new Set(["https:", "http:", "mailto:"]);

/**
 * Returns the address of a link that a person may click, in the form that a browser reads. Returns `undefined` for any
 * other scheme, and for relative addresses, which would lead into the page itself.
 */
export function safeAddress(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const address = new URL(href);
  return OPENED.has(address.protocol) ? address.href : undefined;
}
