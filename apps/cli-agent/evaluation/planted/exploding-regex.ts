export type Signup = { readonly name: string; readonly host: string; readonly phone?: string };

const NAME = /^[A-Za-z][\w-]{1,30}$/;
const HOST = /^([a-z0-9]+[.-]?)+\.[a-z]{2,}$/i;
const PHONE = /^\+?\d{6,15}$/;

/** Returns what is wrong with a sign-up, one sentence for each member. */
export function problemsOf({ name, host, phone }: Signup): string[] {
  const problems: string[] = [];
  if (!NAME.test(name)) problems.push("The name has 2 to 31 letters, digits, `_` and `-`.");
  if (!HOST.test(host)) problems.push("The host is no domain name.");
  if (phone !== undefined && !PHONE.test(phone)) problems.push("The phone number has 6 to 15 digits.");
  return problems;
}
