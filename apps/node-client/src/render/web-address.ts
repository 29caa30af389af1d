/** Matches an address of the web without a user name. Its host has the characters of host names only. */
const WEB = /^https?:\/\/([a-z0-9.-]+(?::\d{1,5})?)(?:[/?#][!-[\]-~]*)?$/i;
/** Matches a mail address without further fields, because such fields could attach files. */
const MAIL = /^mailto:[a-z0-9._+-]+@[a-z0-9.-]+$/i;
/** Maximum length of an address in characters. Some terminals ignore longer addresses. */
const MAX_LENGTH = 2000;

/**
 * Returns the target of an address, if its text shows this target clearly to a person. Returns `undefined` for a
 * misleading address: with another scheme, letters of other scripts in the host, a user name, or another address
 * inside.
 */
export function webAddress(shown: string): string | undefined {
  const address = /^www\./i.test(shown) ? `http://${shown}` : shown;
  if (address.length > MAX_LENGTH || address.indexOf("://", 8) >= 0) return undefined;
  if (MAIL.test(address)) return address;
  const host = WEB.exec(address)?.[1]?.toLowerCase();
  // A host may be a plain number, but its parsed form looks different from the text.
  return host !== undefined && URL.canParse(address) && new URL(address).host === host ? address : undefined;
}
