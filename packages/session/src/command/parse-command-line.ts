/** Word of a command, after quotes and escapes were resolved. */
export type CommandWord = {
  readonly text: string;
  /** `true` for a word with an unquoted `*`, `?` or `[`. The shell may replace such a word with names of files. */
  readonly isGlob: boolean;
};

/** Redirection of a command. For `>&` and `<&`, the target is a digit or `-`. */
export type Redirection = {
  /** Number before the operator, as in `2>&1`. */
  readonly fd?: number;
  readonly operator: "<" | ">" | ">>" | ">|" | "<>" | ">&" | "<&";
  readonly target: string;
};

/** Program with its arguments, without assignments and expansions. */
export type SimpleCommand = {
  readonly words: readonly [CommandWord, ...CommandWord[]];
  readonly redirections: readonly Redirection[];
  /** Operator after the command. A newline counts as `;`. Absent for the last command of the line. */
  readonly operator?: "&&" | "||" | ";" | "|" | "&";
};

/** Maximum length of a line that is parsed, in UTF-16 units. Linux refuses longer arguments. */
const maxLength = 131_072;

/**
 * Characters that shells and locales treat in different ways: control characters, spaces of Unicode, and halves of
 * characters.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are refused
const foreign = /[\0-\x08\x0b-\x1f\x7f-\x9f\u180e\ufeff]|(?! )[\p{Zs}\p{Zl}\p{Zp}]|\p{Cs}/u;

/** Words that begin a compound command in some shell, if they are unquoted and at the start of a command. */
const reserved =
  /^(?:!|[{}]|\[\[|\]\]|case|coproc|do|done|elif|else|end|esac|fi|for|foreach|function|if|in|nocorrect|noglob|repeat|select|then|time|until|while|-)$/;

/**
 * Built-in commands that change how later words are parsed. In zsh this also holds for modifiers with quotes or
 * escapes, as in `\\noglob x`.
 */
const rereading =
  /^(?:\.|-|alias|builtin|command|emulate|enable|eval|nocorrect|noglob|set|setopt|shopt|source|unalias|unsetopt)$/;

const blanks = /(?:[ \t]+|(?<=[ \t\n])\\\n)*/y;
/** Pattern of zsh for numbers, as in `<1-5>x`. Other shells parse it as two redirections. */
const numbers = /<\d*-\d*>/y;
const redirection = /(\d*)(<>|<&|<|>>|>\||>&|>)/y;
const operator = /&&|\|\||[;&|\n]/y;
const plain = /[^ \t\n|&;<>()'"\\$`{}#~=*?[]+/y;
const insideQuotes = /[^"\\$`]+/y;

/**
 * Parses a command line of a POSIX shell into its simple commands. Returns `undefined` if `sh`, bash or zsh may read
 * the line in another way than this parser. Such lines contain:
 *
 * - expansions by `$`, backticks, `~` and braces
 * - here-documents, subshells, compound commands, functions
 * - assignments before a command, `alias` and `set`
 * - comments, unfinished quotes, `&>` and `|&`
 * - control characters except tab and newline, spaces of Unicode, halves of characters
 * - more than 131 072 UTF-16 units
 *
 * The time grows linearly with the length of the text. Lines for `cmd.exe`, PowerShell and fish have other rules.
 */
export function parseCommandLine(text: string): readonly SimpleCommand[] | undefined {
  if (text.length > maxLength || foreign.test(text)) return undefined;
  const commands: SimpleCommand[] = [];
  let words: CommandWord[] = [];
  let redirections: Redirection[] = [];
  let mayEnd = false;
  let at = 0;
  /** Ends a command. Returns `false` if there is no command. */
  const endCommand = (behind: SimpleCommand["operator"]): boolean => {
    const [program, ...rest] = words;
    // For a redirection without a command, zsh runs `cat`.
    if (program === undefined) return false;
    commands.push({ words: [program, ...rest], redirections, ...(behind && { operator: behind }) });
    words = [];
    redirections = [];
    mayEnd = behind === ";" || behind === "&";
    return true;
  };
  while (true) {
    at += matchAt(blanks, text, at)?.[0].length ?? 0;
    if (at === text.length) break;
    const [sign] = matchAt(operator, text, at) ?? [];
    if (sign !== undefined) {
      at += sign.length;
      if (sign === "\n" && words.length === 0 && redirections.length === 0) continue;
      // In bash, `&>` redirects both outputs. In zsh, `&!` and `&|` detach the command. Other shells run the command in
      // the background.
      if (sign === "&" && ">!|".includes(text[at] ?? " ")) return undefined;
      if (!endCommand(sign === "\n" ? ";" : (sign as SimpleCommand["operator"]))) return undefined;
      continue;
    }
    if (matchAt(numbers, text, at) !== null) return undefined;
    const [all, digits = "", arrow] = matchAt(redirection, text, at) ?? [];
    if (all !== undefined) {
      const read = readTarget(text, at + all.length, arrow as Redirection["operator"]);
      // dash reads a single digit only.
      if (read === undefined || digits.length > 1) return undefined;
      redirections.push({ ...(digits && { fd: Number(digits) }), operator: read.operator, target: read.word.text });
      at = read.end;
      continue;
    }
    const read = readWord(text, at);
    if (read === undefined || (words.length === 0 && !isProgram(read, text.slice(at, read.end)))) return undefined;
    words.push(read.word);
    at = read.end;
  }
  if (words.length > 0 || redirections.length > 0) return endCommand(undefined) ? commands : undefined;
  return mayEnd ? commands : undefined;
}

type Read = { readonly word: CommandWord; readonly end: number };

function isProgram({ word }: Read, source: string): boolean {
  // A word with `=` may be an assignment, and a word with `%` may be a job.
  return !source.startsWith("%") && !reserved.test(source) && !rereading.test(word.text) && !word.text.includes("=");
}

function readTarget(text: string, from: number, sign: Redirection["operator"]) {
  // `<<` begins a here-document, and zsh has `>!`.
  if (text[from] === "<" || text[from] === "!") return undefined;
  const start = from + (matchAt(blanks, text, from)?.[0].length ?? 0);
  const read = readWord(text, start);
  if (read === undefined || read.end === start || read.word.isGlob) return undefined;
  const source = text.slice(start, read.end);
  // Shells disagree about the digit in `>1>f`. Some shells read it as a number, others as a file name.
  if (/^\d+$/.test(source) && (text[read.end] === "<" || text[read.end] === ">")) return undefined;
  if (sign.endsWith("&") && !/^[\d-]$/.test(source)) return undefined;
  return { ...read, operator: sign };
}

/** Reads a word up to a space or an operator. */
function readWord(text: string, from: number): Read | undefined {
  let word = "";
  let isGlob = false;
  let at = from;
  while (at < text.length) {
    const [run] = matchAt(plain, text, at) ?? [];
    if (run !== undefined) {
      word += run;
      at += run.length;
      continue;
    }
    const sign = text.charAt(at);
    if (" \t\n|&;<>".includes(sign)) break;
    if (sign === "'") {
      const close = text.indexOf("'", at + 1);
      if (close === -1) return undefined;
      word += text.slice(at + 1, close);
      at = close + 1;
    } else if (sign === '"') {
      const quoted = readQuoted(text, at + 1);
      if (quoted === undefined) return undefined;
      word += quoted.word;
      at = quoted.end;
    } else if (sign === "\\") {
      const escaped = text[at + 1];
      if (escaped === undefined || escaped === "\n") return undefined;
      word += escaped;
      at += 2;
    } else {
      if (!isLiteral(sign, text, at, from)) return undefined;
      isGlob ||= "*?[".includes(sign);
      word += sign;
      at++;
    }
  }
  return { word: { text: word, isGlob }, end: at };
}

/** Returns `true` if an unquoted character is literal, or part of a pattern for file names. */
function isLiteral(sign: string, text: string, at: number, from: number): boolean {
  if (sign === "#") return at > from;
  // After `==` or `:=`, zsh may search for a program. No program has the name of a version, as in `x==1.2`.
  if (sign === "=") return at > from && !(/[=:]/.test(text.charAt(at - 1)) && !/\d/.test(text.charAt(at + 1)));
  // `HEAD~1` is literal. In other places, shells may replace `~` with a folder.
  if (sign === "~") return at > from && /[\w^~]/.test(text.charAt(at - 1));
  return "*?[".includes(sign);
}

/** Reads the text up to the closing double quote. */
function readQuoted(text: string, from: number): { readonly word: string; readonly end: number } | undefined {
  let word = "";
  let at = from;
  while (at < text.length) {
    const [run = ""] = matchAt(insideQuotes, text, at) ?? [];
    word += run;
    at += run.length;
    const sign = text[at];
    if (sign === '"') return { word, end: at + 1 };
    const escaped = text[at + 1];
    if (sign !== "\\" || escaped === undefined) return undefined;
    if (escaped !== "\n") word += '"\\$`'.includes(escaped) ? escaped : `\\${escaped}`;
    at += 2;
  }
  return undefined;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
