import { argument, type Command, type Group } from './command.ts'
import { globalOptions, type Options } from './options.ts'

/** The first page: all groups. */
export function overview(groups: readonly Group[]): string {
  return `svc: feature flags and experiments from the command line

Usage: svc COMMAND [VERB] [ARGUMENTS] [OPTIONS]

Commands
${columns([
  ...groups.map(({ name, summary }): [string, string] => [name, summary]),
  ['help [COMMAND]', 'Print the help of a command.'],
])}

Options of every command
${optionLines(globalOptions)}

First steps: svc auth login --url URL, then svc flag list --project KEY
`
}

/** The page of a group with several verbs. */
export function groupPage({ name, summary, commands }: Group): string {
  return `svc ${name}: ${uncapital(summary)}

Commands
${columns(commands.map((command): [string, string] => [usageOf(command), command.summary]))}

See svc help ${name} VERB for the options of one of them.
`
}

/** The page of a command. */
export function commandPage(command: Command): string {
  const { about, options, examples } = command
  const parts = [
    `svc ${command.name}: ${uncapital(command.summary)}`,
    ...(about ? [about] : []),
    `Usage: svc ${usageOf(command)}${Object.keys(options).length > 0 ? ' [OPTIONS]' : ''}`,
    ...(Object.keys(options).length > 0 ? [`Options\n${optionLines(options)}`] : []),
    `Options of every command\n${optionLines(globalOptions)}`,
    ...(examples.length > 0 ? [`Examples\n${examples.map((line) => `  ${line}`).join('\n')}`] : []),
  ]
  return `${parts.join('\n\n')}\n`
}

/** `flag get KEY` */
export const usageOf = ({ name, args }: Pick<Command, 'name' | 'args'>): string =>
  [name, ...args.map(shownArgument)].join(' ')

function shownArgument(word: string): string {
  const { key, isOptional, isRest } = argument(word)
  const shown = isRest ? `${key}…` : key
  return isOptional ? `[${shown}]` : shown
}

/** `-p, --project KEY` */
export function optionName(name: string, { short, value }: Options[string]): string {
  return `${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`
}

/** The sentence of an option, with its choices and whether it can be repeated. */
export function optionAbout({ about, choices, many }: Options[string]): string {
  return [about, choices && `One of ${choices.join(', ')}.`, many && 'Can be repeated.'].filter(Boolean).join(' ')
}

const optionLines = (options: Options): string =>
  columns(
    Object.entries(options).map(([name, option]): [string, string] => [
      `${option.short ? '' : '    '}${optionName(name, option)}`,
      optionAbout(option),
    ]),
  )

function columns(rows: [string, string][]): string {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`).join('\n')
}

/** A name that is written with capitals, such as A/B or SDK, keeps them. */
const uncapital = (text: string): string =>
  /^[A-Z]($|[a-z\s])/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
