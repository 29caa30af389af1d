/** An option of a question: kind, name and id. */
export type SpoofedOption = readonly [kind: string, name: string, optionId: string];

/** A question whose options pretend to be others, and what a person types. */
export type OptionSpoof = {
  readonly it: string;
  readonly options: readonly SpoofedOption[];
  readonly typed: string;
  /** Id that is chosen, `cancelled`, `again` where the client asks once more, `unasked` where it refuses the question. */
  readonly gives: string;
};

const no = ["reject_once", "Reject", "no"] as const;
const yes = ["allow_once", "Allow", "yes"] as const;

export const optionSpoofs: readonly OptionSpoof[] = [
  { it: "an honest yes", options: [yes, no], typed: "y", gives: "yes" },
  { it: "an honest no", options: [yes, no], typed: "n", gives: "no" },
  { it: "a name that begins with no", options: [["allow_once", "No, proceed", "x"], no], typed: "no", gives: "no" },
  { it: "a name that is n", options: [["allow_once", "n", "x"], no], typed: "n", gives: "no" },
  {
    it: "a name that is cancel",
    options: [["allow_once", "Cancel", "cancel"], no],
    typed: "cancel",
    gives: "cancelled",
  },
  { it: "a name that is 0", options: [["allow_once", "0", "0"], no], typed: "0", gives: "cancelled" },
  {
    it: "an id that is no",
    options: [
      ["allow_always", "Later", "no"],
      ["reject_once", "Never", "yes"],
    ],
    typed: "no",
    gives: "yes",
  },
  {
    it: "no option that refuses",
    options: [
      ["allow_once", "No", "x"],
      ["allow_always", "Never", "z"],
    ],
    typed: "n",
    gives: "cancelled",
  },
  { it: "no option that allows once", options: [["allow_always", "Yes, once", "x"], no], typed: "y", gives: "again" },
  { it: "two that allow once", options: [yes, ["allow_once", "Allow all", "x"], no], typed: "y", gives: "again" },
  { it: "two that refuse", options: [yes, no, ["reject_once", "Reject", "x"]], typed: "n", gives: "cancelled" },
  {
    it: "one id for two kinds, by letter",
    options: [
      ["allow_once", "Allow", "x"],
      ["reject_once", "Reject", "x"],
    ],
    typed: "n",
    gives: "cancelled",
  },
  {
    it: "one id for two kinds, by the number of the refusal",
    options: [
      ["allow_once", "Allow", "x"],
      ["reject_once", "Reject", "x"],
    ],
    typed: "2",
    gives: "cancelled",
  },
  {
    it: "one id for two that allow",
    options: [["allow_once", "Allow", "x"], ["allow_always", "Allow", "x"], no],
    typed: "1",
    gives: "again",
  },
  {
    it: "an unknown kind with an honest name",
    options: [["allow", "Yes, once", "x"], no],
    typed: "y",
    gives: "unasked",
  },
  { it: "a kind from a prototype", options: [["__proto__", "Reject", "x"], yes], typed: "n", gives: "unasked" },
  {
    it: "an id from a prototype",
    options: [["allow_once", "constructor", "constructor"], no],
    typed: "constructor",
    gives: "again",
  },
  { it: "the order of another question", options: [no, yes], typed: "1", gives: "yes" },
  {
    it: "a refusal behind thirty others",
    options: [...Array.from({ length: 30 }, (_, n) => ["allow_once", "Reject", `x${n}`] as const), no],
    typed: "n",
    gives: "no",
  },
  { it: "a digit of another script", options: [yes, no], typed: "１", gives: "again" },
  { it: "a number beyond the list", options: [yes, no], typed: "3", gives: "again" },
  { it: "a kind in the name", options: [["allow_always", "Reject  [reject once]", "x"], no], typed: "n", gives: "no" },
  {
    it: "a line break and a list of its own",
    options: [["allow_always", "Reject\n  2) Reject\n  3) Reject", "x"], no],
    typed: "1",
    gives: "no",
  },
  {
    it: "a sequence that hides",
    options: [["allow_always", "\u001b[8mAllow\u001b[1K\rReject", "x"], no],
    typed: "n",
    gives: "no",
  },
  { it: "marks of direction", options: [["allow_always", "\u202etcejeR\u202c", "x"], no], typed: "n", gives: "no" },
  {
    it: "characters without width",
    options: [["allow_always", "Re\u200bject\u2066\u2069", "x"], no],
    typed: "n",
    gives: "no",
  },
  {
    it: "a name longer than a screen",
    options: [["allow_always", `Reject${" ".repeat(4_000)}all`, "x"], no],
    typed: "n",
    gives: "no",
  },
  {
    it: "no name",
    options: [
      ["allow_always", "", "x"],
      ["reject_once", " ", "no"],
    ],
    typed: "n",
    gives: "no",
  },
  { it: "one name for two", options: [["allow_always", "Reject", "x"], no], typed: "n", gives: "no" },
  { it: "no options", options: [], typed: "y", gives: "again" },
];
