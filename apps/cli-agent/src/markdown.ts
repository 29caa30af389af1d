/** Returns a Markdown code block. The fence is longer than every run of backticks in the code. */
export function fence(code: string, language = ""): string {
  let longest = 2;
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const bar = "`".repeat(longest + 1);
  return `${bar}${language}\n${code}\n${bar}`;
}

export function code(name: string): string {
  return name.includes("`") ? `\`\` ${name} \`\`` : `\`${name}\``;
}
