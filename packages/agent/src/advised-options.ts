import { unknownOptions } from "@turnkit/transport";

/** Advice by the name of a member that another library or the protocol has. */
export type Advice = { readonly [name: string]: string };

/** Works like `unknownOptions`. A member with advice is reported with this advice, and not with a similar name. */
export function advisedOptions(
  advice: Advice,
  members: object,
  { call, ...names }: { readonly call: string } & Parameters<typeof unknownOptions>[2],
): readonly string[] {
  const advised = Object.keys(advice).filter((name) => name in members);
  const isAdvised = ([name]: readonly [string, unknown]): boolean => advised.includes(name);
  const others =
    advised.length === 0 ? members : Object.fromEntries(Object.entries(members).filter((member) => !isAdvised(member)));
  return [
    ...unknownOptions(call, others, names),
    ...advised.map((name) => `The option ${name} of ${call} is not used: ${advice[name]}`),
  ];
}
