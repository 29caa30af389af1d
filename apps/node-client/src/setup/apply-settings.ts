import { isRpcError, type Session } from "@turnkit/client";
import type { ConfigChoice, ConfigOption } from "@turnkit/session";
import { UsageError } from "../exit-code.js";
import type { SettingWish } from "../invocation.js";

/** Maximum number of offered options or values in an error. */
const MAX_OFFERED = 30;

const truths = new Map(Object.entries({ true: true, on: true, yes: true, false: false, off: false, no: false }));

/**
 * Sets options of the agent, in the order of `wishes`. In names and values, upper and lower case are equal. A part of a
 * model's name is enough if it fits one model only.
 *
 * @throws UsageError for an option or a value that the agent does not offer; the message lists what it offers
 * @throws Error if the agent refuses the value
 */
export async function applySettings(session: Session, wishes: readonly SettingWish[], agent: string): Promise<void> {
  for (const wish of wishes) {
    // One option may change the values of other options.
    const offered = session.state.configOptions ?? [];
    const option = findOption(offered, wish);
    if (option === undefined) {
      const what = wish.by === "--set" ? `option ${JSON.stringify(wish.option)}` : `choice of a ${wish.option}`;
      throw new UsageError(`${wish.by}: ${agent} offers no ${what}. Its options: ${listed(offered.map(optionName))}.`);
    }
    const value = findValue(option, wish, agent);
    if ("currentValue" in option && option.currentValue === value) continue;
    await session.setConfigOption(option.configId, value).catch((error: unknown) => {
      if (!isRpcError(error)) throw error;
      throw new Error(`${wish.by}: ${agent} refused ${wish.option}=${wish.value}: ${error.message}`, { cause: error });
    });
  }
}

function findOption(options: readonly ConfigOption[], { by, option }: SettingWish): ConfigOption | undefined {
  const same = (text: string | null | undefined) => text?.toLowerCase() === option.toLowerCase();
  const byCategory = options.find(({ category, type }) => category === option && type === "select");
  if (by !== "--set" && byCategory !== undefined) return byCategory;
  return (
    options.find(({ configId }) => configId === option) ??
    options.find(({ configId, name }) => same(configId) || same(name))
  );
}

function findValue(option: ConfigOption, wish: SettingWish, agent: string): string | boolean {
  const { by, value } = wish;
  if (option.type === "boolean") {
    const truth = truths.get(value.toLowerCase());
    if (truth !== undefined) return truth;
    throw new UsageError(`${by}: ${wish.option} is true or false, not ${JSON.stringify(value)}.`);
  }
  if (option.type !== "select" || !("options" in option)) {
    throw new UsageError(`${by}: turnkit does not know the type of the option ${wish.option}.`);
  }
  const choices = option.options.flatMap((one) => ("groupId" in one ? one.options : [one]));
  const found = fittingChoices(choices, wish);
  const [first] = found;
  if (first !== undefined && found.length === 1) return first.value;
  const problem = found.length === 0 ? `${agent} does not offer` : "several values contain";
  const names = (found.length === 0 ? choices : found).map(choiceName);
  throw new UsageError(`${by}: ${problem} ${JSON.stringify(value)} for ${wish.option}. It offers: ${listed(names)}.`);
}

function fittingChoices(choices: readonly ConfigChoice[], { by, value }: SettingWish): readonly ConfigChoice[] {
  const exact = choices.filter((choice) => choice.value === value);
  if (exact.length > 0) return exact.slice(0, 1);
  const wanted = value.toLowerCase();
  const texts = (choice: ConfigChoice) => [choice.value.toLowerCase(), choice.name.toLowerCase()];
  const equal = choices.filter((choice) => texts(choice).includes(wanted));
  if (equal.length > 0 || by !== "--model") return equal;
  return choices.filter((choice) => texts(choice).some((text) => text.includes(wanted)));
}

function optionName({ configId, name }: ConfigOption): string {
  return configId.toLowerCase() === name.toLowerCase() ? configId : `${configId} (${name})`;
}

function choiceName({ value, name }: ConfigChoice): string {
  return value.toLowerCase() === name.toLowerCase() ? value : `${value} (${name})`;
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return "none";
  const more = names.length > MAX_OFFERED ? [`… ${names.length - MAX_OFFERED} more`] : [];
  return [...names.slice(0, MAX_OFFERED), ...more].join(", ");
}
