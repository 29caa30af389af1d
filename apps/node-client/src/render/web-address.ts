/** Matches an address of the web without a user name. Its host has the characters of host names only. */
const WEB = /^https?:\/\/([a-z0-9.-]+(?::\d{1,5})?)(?:[/?#][!-[\]-~]*)?$/i;
/** Matches an address of mail without further fields, which could attach files. */
const MAIL = /^mailto:[a-z0-9._+-]+@[a-z0-9.-]+$/i;
/** Maximum length of an address in characters. Some terminals ignore longer addresses. */
const MAX_LENGTH = 2000;

/**
 * Returns the target of an address, if a person who reads the address expects this target. Returns `undefined` for an
 * address that could mislead: with another scheme, letters of other scripts in the host, a user name, or another
 * address inside.
 */
export function webAddress(shown: string): string | undefined {
  const address = /^www\./i.test(shown) ? `http://${shown}` : shown;
  if (address.length > MAX_LENGTH || address.indexOf("://", 8) >= 0) return undefined;
  if (MAIL.test(address)) return address;
  const host = WEB.exec(address)?.[1]?.toLowerCase();
  // A number is a host too, but it looks different when it is read.
  return host !== undefined && URL.canParse(address) && new URL(address).host === host ? address : undefined;
}
