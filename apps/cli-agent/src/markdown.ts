/** Returns a block of code whose fence is longer than every run of backticks in it. */
export function fence(code: string, language = ""): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const bar = "`".repeat(longest + 1);
  return `${bar}${language}\n${code}\n${bar}`;
}

export function code(name: string): string {
  return name.includes("`") ? `\`\` ${name} \`\`` : `\`${name}\``;
}
